import type { Steps } from '../base/steps.ts';
import { unreachable } from '../base/assert.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { AccountLifeCommand } from './account-command.ts';
import type { ServingCommand } from './serving-command.ts';
import { checkPrecondition } from './check-precondition.ts';
import type { Command, CommandOf, CommandResult } from './command.ts';
import { decideChangeRecords } from './decide-changes.ts';
import { decideImportZone } from './decide-import.ts';
import { decideAccountLife, isAboutLife } from './decide-account-life.ts';
import { decideCreateDomain, decideDeleteDomain, decideUpdateDomain } from './decide-domain.ts';
import { decideRestoreDomain, decideRevertRecords } from './decide-history.ts';
import {
  decideCreateAccount,
  decideCreateKey,
  decideNoteKeyUses,
  decideOpenAccount,
  decideRevokeKey,
  decideRotateKey,
  decideUpdateLimits,
} from './decide-key.ts';
import { decidePeople, isAboutPeople } from './decide-people.ts';
import type { PeopleCommand } from './people-command.ts';
import { decideCreateRecord, decideDeleteRecord, decideUpdateRecord } from './decide-record.ts';
import { decideRollover } from './decide-rollover.ts';
import { decideChangeDenial } from './decide-denial.ts';
import { decideNoteTrail } from './decide-trail.ts';
import { decideEndDsWait, decideUpdateSignals } from './decide-signals.ts';
import { decideRenewSignatures, decideSignSlice } from './decide-signing.ts';
import { holdRollover, noteDsSeen } from './note-rollover.ts';
import { findPresignedRefusal } from './presigned-domain.ts';
import { decideServing, isAboutServing } from './decide-serving.ts';
import { findSuspensionRefusal } from './refuse-suspended.ts';
import { isOwnersCommand, noteSigning } from './signing-notes.ts';
import { decideZoneKeys } from './decide-zone-keys.ts';

/**
 * Applies the rules that depend on other rows, and carries out the write on the batch. A command that changes nothing
 * writes nothing; after a refusal the caller undoes what the command wrote. Writes of whole zones take many steps, all
 * others one.
 */
export function* decide(command: Command, batch: PendingBatch): Steps<CommandResult<Command>> {
  const suspended = findSuspensionRefusal(command, batch);
  if (suspended !== undefined) return suspended;
  const refusal = checkPrecondition(command, batch);
  if (refusal !== undefined) return { ok: false, refusal };
  return findPresignedRefusal(command, batch) ?? (yield* decideUnconditionally(command, batch));
}

function* decideUnconditionally(command: Command, batch: PendingBatch): Steps<CommandResult<Command>> {
  switch (command.kind) {
    case 'createAccount':
      return decideCreateAccount(command, batch);
    case 'openAccount':
      return decideOpenAccount(command, batch);
    case 'createKey':
      return decideCreateKey(command, batch);
    case 'rotateKey':
      return decideRotateKey(command, batch);
    case 'revokeKey':
      return decideRevokeKey(command, batch);
    case 'noteKeyUses':
      return decideNoteKeyUses(command, batch);
    case 'updateLimits':
      return decideUpdateLimits(command, batch);
    case 'createDomain':
      return decideCreateDomain(command, batch);
    case 'updateDomain':
      return decideUpdateDomain(command, batch);
    case 'deleteDomain':
      return decideDeleteDomain(command, batch);
    case 'createRecord':
      return decideCreateRecord(command, batch);
    case 'updateRecord':
      return decideUpdateRecord(command, batch);
    case 'deleteRecord':
      return decideDeleteRecord(command, batch);
    case 'changeRecords':
      return decideChangeRecords(command, batch);
    case 'importZone':
      return yield* decideImportZone(command, batch);
    case 'revertRecords':
      return yield* decideRevertRecords(command, batch);
    case 'restoreDomain':
      return decideRestoreDomain(command, batch);
    case 'updateSignals':
      return yield* decideUpdateSignals(command, batch);
    default:
      return decideByKind(command, batch);
  }
}

function decideByKind(
  command: PeopleCommand | AccountLifeCommand | ServingCommand | SigningCommand | CommandOf<'noteTrail'>,
  batch: PendingBatch,
): CommandResult<Command> {
  if (command.kind === 'noteTrail') return decideNoteTrail(command, batch);
  if (isAboutPeople(command)) return decidePeople(command, batch);
  if (isAboutServing(command)) return decideServing(command, batch);
  return isAboutLife(command) ? decideAccountLife(command, batch) : decideSigning(command, batch);
}

type SigningCommand = CommandOf<
  | 'renewSignatures'
  | 'endDsWait'
  | 'signSlice'
  | 'changeDenial'
  | 'startRollover'
  | 'moveRollover'
  | 'cancelRollover'
  | 'holdRollover'
  | 'noteDsSeen'
  | 'addZoneKey'
  | 'removeZoneKey'
  | 'announceZoneKey'
>;

/** Signing is switched on and off with the domain. */
function decideSigning(command: SigningCommand, batch: PendingBatch): CommandResult<Command> {
  const decided = decideSigningCommand(command, batch);
  if (decided.ok && decided.changed && isOwnersCommand(command)) noteSigning(command, batch);
  return decided;
}

function decideSigningCommand(command: SigningCommand, batch: PendingBatch): CommandResult<Command> {
  switch (command.kind) {
    case 'renewSignatures':
      return decideRenewSignatures(command, batch);
    case 'endDsWait':
      return decideEndDsWait(command, batch);
    case 'signSlice':
      return decideSignSlice(command, batch);
    case 'changeDenial':
      return decideChangeDenial(command, batch);
    case 'startRollover':
    case 'moveRollover':
    case 'cancelRollover':
      return decideRollover(command, batch);
    case 'holdRollover':
      return holdRollover(command, batch);
    case 'noteDsSeen':
      return noteDsSeen(command, batch);
    case 'addZoneKey':
    case 'removeZoneKey':
    case 'announceZoneKey':
      return decideZoneKeys(command, batch);
    default:
      return unreachable(command);
  }
}
