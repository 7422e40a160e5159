import { unreachable } from '../base/assert.ts';
import type { BatchView } from './batch-view.ts';
import type { Command, CommandOutcome } from './command.ts';
import { decideCreateDomain, decideDeleteDomain, decideUpdateDomain } from './decide-domain.ts';
import { decideCreateAccount, decideCreateKey, decideRevokeKey } from './decide-key.ts';
import { decideCreateRecord, decideDeleteRecord, decideUpdateRecord } from './decide-record.ts';

/**
 * Judges a write against what is stored, and carries it out on the view: the one place where the rules live that depend
 * on other rows. A refused command, and one that finds nothing to change, has called none of the view's mutators.
 */
export function decide<C extends Command>(command: C, view: BatchView): CommandOutcome<C>;
export function decide(command: Command, view: BatchView): CommandOutcome<Command> {
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
    default:
      return unreachable(command);
  }
}
