import type { ApiKey, KeyLimits } from '../model/account.ts';
import { coversRights } from '../model/rights.ts';
import { rightsOf } from '../model/scope-rights.ts';
import type { PendingBatch } from './pending-batch.ts';
import type { Author, CommandOf, SealedAccount, SealedKey, SealedOwner } from './command.ts';
import { findExcess } from './find-excess.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { noteNewAccount, noteNewKey, noteRevokedKey, noteRotatedKey } from './key-notes.ts';
import { noteInvitation } from './people-notes.ts';
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
  noteNewAccount(account, { first_key: 'shown to whoever created the account' }, batch);
  noteNewKey(key, batch);
  return written({ account, key, sealed });
}

/** Nobody but the first owner gets a key of the account. The operation has checked that the caller may do this. */
export function decideOpenAccount(
  { account, invitation, sealed }: CommandOf<'openAccount'>,
  batch: PendingBatch,
): WriteResult<SealedOwner> {
  batch.putAccount(account);
  batch.people.put('invitations', invitation);
  noteNewAccount(account, {}, batch);
  noteInvitation('invitation.create', invitation, batch);
  return written({ account, invitation, sealed });
}

export function decideCreateKey(
  command: CommandOf<'createKey'>,
  batch: PendingBatch,
): WriteResult<SealedKey> {
  const { author, sealed } = command;
  if (batch.findAccount(command.key.accountId) === undefined) {
    return refuseUnknownAccount(command.key.accountId);
  }
  const key = { ...command.key, userId: findMaker(author, batch) };
  const excess = findMakerExcess(author, key, batch);
  if (excess !== undefined) return excess;
  batch.putKey(key);
  noteNewKey(key, batch);
  return written({ key, sealed });
}

/** The rights of a key were compared when the request arrived; those of a user may have changed since. */
function findMakerExcess(author: Author | undefined, key: ApiKey, batch: PendingBatch): Refused | undefined {
  if (author?.userId === undefined) return undefined;
  return findExcess({ author, within: [] }, key.accountId, rightsOf(key), batch);
}

/** The user with whose membership a new key ends: the author, or the one who made the author's key. */
function findMaker(author: Author | undefined, batch: PendingBatch): string | undefined {
  if (author === undefined) return undefined;
  return author.userId ?? batch.findKey(author.keyId)?.userId;
}

/** The new key has scope, label and limits of the one whose place it takes. */
export function decideRotateKey(
  command: CommandOf<'rotateKey'>,
  batch: PendingBatch,
): WriteResult<SealedKey> {
  const former = findManagedKey(command, batch);
  if (former === undefined) return refuseUnknownKey(command.keyId);
  if (!coversRights(command.within, rightsOf(former))) {
    return refused('forbidden', `Key ${former.id} has rights that the API key of the request lacks`);
  }
  const excess = findMakerExcess(command.author, former, batch);
  if (excess !== undefined) return excess;
  const { accountId, scope, label, limits } = former;
  const userId = findMaker(command.author, batch) ?? former.userId;
  const key = { ...command.key, accountId, scope, label, limits, userId };
  batch.putKey(key);
  const end = command.formerExpiresAtSeconds;
  noteRotatedKey(former, key, end, batch);
  if (end === null) batch.deleteKey(former.id);
  else batch.putKey({ ...former, limits: endedBy(limits, end) });
  return written({ key, sealed: command.sealed });
}

/** Limits with which a key ends at a time, or earlier if it does already. */
function endedBy(limits: KeyLimits | undefined, end: number): KeyLimits {
  const { rights = null, networks = null, expiresAtSeconds = null } = limits ?? {};
  return { rights, networks, expiresAtSeconds: Math.min(end, expiresAtSeconds ?? end) };
}

/** A key of another account counts as unknown, unless the command names no account, as those of administrators do. */
export function decideRevokeKey(command: CommandOf<'revokeKey'>, batch: PendingBatch): WriteResult<ApiKey> {
  const key = findManagedKey(command, batch);
  if (key === undefined) return refuseUnknownKey(command.keyId);
  noteRevokedKey(key, batch);
  batch.deleteKey(key.id);
  return written(key);
}

function findManagedKey(
  { keyId, accountId }: { readonly keyId: string; readonly accountId: string | null },
  batch: PendingBatch,
): ApiKey | undefined {
  const key = batch.findKey(keyId);
  return accountId === null || key?.accountId === accountId ? key : undefined;
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
  batch.accounts.putLimits(accountId, overrides);
  batch.trail.note({ accountId, action: 'limits.update', object: accountId, detail: overrides });
  return written(null);
}
