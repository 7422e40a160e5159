import { unreachable } from '../base/assert.ts';
import type { WriteResult } from '../model/result.ts';
import type { AccountLifeCommand, AccountLifeValues } from './account-command.ts';
import type { Command } from './command.ts';
import { decideRemoveAccount } from './decide-removal.ts';
import {
  decideDeleteAccount,
  decideRestoreAccount,
  decideResumeAccount,
  decideSuspendAccount,
} from './decide-standing.ts';
import { decideSweepDomains } from './decide-sweep.ts';
import type { PendingBatch } from './pending-batch.ts';

const kinds: { readonly [Kind in AccountLifeCommand['kind']]: true } = {
  suspendAccount: true,
  resumeAccount: true,
  deleteAccount: true,
  restoreAccount: true,
  sweepDomains: true,
  removeAccount: true,
};

export function isAboutLife(command: Command): command is AccountLifeCommand {
  return command.kind in kinds;
}

export function decideAccountLife(
  command: AccountLifeCommand,
  batch: PendingBatch,
): WriteResult<AccountLifeValues[AccountLifeCommand['kind']]> {
  switch (command.kind) {
    case 'suspendAccount':
      return decideSuspendAccount(command, batch);
    case 'resumeAccount':
      return decideResumeAccount(command, batch);
    case 'deleteAccount':
      return decideDeleteAccount(command, batch);
    case 'restoreAccount':
      return decideRestoreAccount(command, batch);
    case 'sweepDomains':
      return decideSweepDomains(command, batch);
    case 'removeAccount':
      return decideRemoveAccount(command, batch);
    default:
      return unreachable(command);
  }
}
