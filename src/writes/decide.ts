import type { Steps } from '../base/steps.ts';
import { unreachable } from '../base/assert.ts';
import type { BatchView } from './batch-view.ts';
import type { Command, CommandResult } from './command.ts';
import { decideChangeRecords } from './decide-changes.ts';
import { decideImportZone } from './decide-import.ts';
import { decideCreateDomain, decideDeleteDomain, decideUpdateDomain } from './decide-domain.ts';
import { decideRestoreDomain, decideRevertRecords } from './decide-history.ts';
import { decideCreateAccount, decideCreateKey, decideRevokeKey } from './decide-key.ts';
import { decideCreateRecord, decideDeleteRecord, decideUpdateRecord } from './decide-record.ts';
import { checkPrecondition } from './revision.ts';

/**
 * Judges a write against what is stored, and carries it out on the view: the one place where the rules live that depend
 * on other rows. A command that finds nothing to change has called none of the view's mutators; of a refused one for many
 * things the caller takes back what it wrote. A whole zone takes many steps, all else one.
 */
export function* decide(command: Command, view: BatchView): Steps<CommandResult<Command>> {
  const refusal = checkPrecondition(command, view);
  return refusal === undefined ? yield* decideUnconditionally(command, view) : { ok: false, refusal };
}

function* decideUnconditionally(command: Command, view: BatchView): Steps<CommandResult<Command>> {
  switch (command.kind) {
    case 'createAccount':
      return decideCreateAccount(command, view);
    case 'createKey':
      return decideCreateKey(command, view);
    case 'revokeKey':
      return decideRevokeKey(command, view);
    case 'createDomain':
      return decideCreateDomain(command, view);
    case 'updateDomain':
      return decideUpdateDomain(command, view);
    case 'deleteDomain':
      return decideDeleteDomain(command, view);
    case 'createRecord':
      return decideCreateRecord(command, view);
    case 'updateRecord':
      return decideUpdateRecord(command, view);
    case 'deleteRecord':
      return decideDeleteRecord(command, view);
    case 'changeRecords':
      return decideChangeRecords(command, view);
    case 'importZone':
      return yield* decideImportZone(command, view);
    case 'revertRecords':
      return yield* decideRevertRecords(command, view);
    case 'restoreDomain':
      return yield* decideRestoreDomain(command, view);
    default:
      return unreachable(command);
  }
}
