import type { ApiKey } from '../model/account.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { CommandOf, SealedAccount, SealedKey } from './command.ts';
import { refused, written, type WriteResult } from '../model/result.ts';
import { refuseUnknownAccount, refuseUnknownKey } from '../model/refuse-unknown.ts';

/** Creates an account with its first key. The operation has checked that the caller may do this. */
export function decideCreateAccount(
  command: CommandOf<'createAccount'>,
  batch: PendingBatch,
): WriteResult<SealedAccount> {
  if (command.onlyFirst === true && batch.accountCount() > 0) {
    return refused('not_first', 'An account exists already; the request is for a first account only');
  }
  const { account, key, sealed } = command;
  batch.putAccount(account);
  batch.putKey(key);
  return written({ account, key, sealed });
}

export function decideCreateKey(
  command: CommandOf<'createKey'>,
  batch: PendingBatch,
): WriteResult<SealedKey> {
  const { key, sealed } = command;
  if (batch.findAccount(key.accountId) === undefined) {
    return refuseUnknownAccount(key.accountId);
  }
  batch.putKey(key);
  return written({ key, sealed });
}

/** A key of another account counts as unknown, unless the command names no account, as those of administrators do. */
export function decideRevokeKey(command: CommandOf<'revokeKey'>, batch: PendingBatch): WriteResult<ApiKey> {
  const key = batch.findKey(command.keyId);
  if (key === undefined || (command.accountId !== null && key.accountId !== command.accountId)) {
    return refuseUnknownKey(command.keyId);
  }
  batch.deleteKey(key.id);
  return written(key);
}

/** The latest use that any process has noted counts. Keys that were revoked meanwhile are passed over. */
export function decideNoteKeyUses(
  { uses }: CommandOf<'noteKeyUses'>,
  batch: PendingBatch,
): WriteResult<null> {
  let noted = 0;
  for (const { keyId, atSeconds } of uses) {
    const key = batch.findKey(keyId);
    if (key === undefined || (key.usedAtSeconds ?? 0) >= atSeconds) continue;
    batch.putKey({ ...key, usedAtSeconds: atSeconds });
    noted++;
  }
  return written(null, noted > 0);
}

export function decideUpdateLimits(
  { accountId, overrides }: CommandOf<'updateLimits'>,
  batch: PendingBatch,
): WriteResult<null> {
  if (batch.findAccount(accountId) === undefined) return refuseUnknownAccount(accountId);
  batch.putLimits(accountId, overrides);
  return written(null);
}
