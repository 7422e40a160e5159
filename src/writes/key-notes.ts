// Notes for the trail about API keys.
import type { Account, ApiKey } from '../model/account.ts';
import { describeRights } from '../model/describe-rights.ts';
import { formatNetwork } from '../model/network.ts';
import type { TrailDetail } from '../model/trail-entry.ts';
import type { PendingBatch } from './pending-batch.ts';

/** @param access who can use the account from now on, as far as no other entry says so */
export function noteNewAccount(
  { id: accountId, name, email }: Account,
  access: TrailDetail,
  batch: PendingBatch,
): void {
  const detail = { name, email, ...access };
  batch.trail.note({ accountId, action: 'account.create', object: accountId, detail });
}

export function noteNewKey(key: ApiKey, batch: PendingBatch): void {
  const { accountId, id } = key;
  batch.trail.note({ accountId, action: 'key.create', object: id, detail: describeKey(key) });
}

/** @param end when the former key ends, in seconds since 1970; null: at once */
export function noteRotatedKey(former: ApiKey, key: ApiKey, end: number | null, batch: PendingBatch): void {
  const { accountId, id, label } = former;
  const detail = { label, new_key: key.id, ends: end === null ? 'now' : formatTime(end) };
  batch.trail.note({ accountId, action: 'key.rotate', object: id, detail });
}

/** Call it before the key is removed. */
export function noteRevokedKey({ accountId, id, label, scope }: ApiKey, batch: PendingBatch): void {
  batch.trail.note({ accountId, action: 'key.revoke', object: id, detail: { label, scope } });
}

function describeKey({ scope, label, limits }: ApiKey): TrailDetail {
  const { rights, networks, expiresAtSeconds } = limits ?? {};
  return {
    label,
    scope,
    rights: rights ? describeRights(rights) : undefined,
    networks: networks?.map(formatNetwork).join(', '),
    expires: typeof expiresAtSeconds === 'number' ? formatTime(expiresAtSeconds) : undefined,
  };
}

function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
