// Access to the sealed private keys of domains and secrets of users alone, to seal them again with another secret.
import type { ZoneKey } from '../dnssec/zone-key.ts';
import type { User } from '../model/user.ts';
import { toZoneKey, ZONE_KEY_COLUMNS, type ZoneKeyRow } from './signing-reads.ts';

/** A key with the domain that it belongs to, which may be a deleted one. */
export interface StoredZoneKey {
  readonly domainId: number;
  readonly key: ZoneKey;
}

/** A private key, sealed again. */
export interface ResealedKey {
  readonly domainId: number;
  readonly id: string;
  /** The secret with which it was sealed before; another process may have exchanged it meanwhile. */
  readonly formerSecretId: string;
  readonly secretId: string;
  readonly sealed: Uint8Array;
}

/** Returns the new factors of a user. */
export type ExchangeFactors = (user: Pick<User, 'id' | 'factors'>) => string | null;

/**
 * Can be opened while services run on the store: it takes no lifetime lock, and each write is short. Neither the feed nor zone
 * copies have keys, so nobody has to be told.
 */
export interface SealedKeys {
  /** The next keys after `after`, at most `limit`, that another secret than `secretId` has sealed. Foreign keys are left out. */
  find(secretId: string, limit: number, after: StoredZoneKey | undefined): Promise<readonly StoredZoneKey[]>;
  /** Replaces all of them or none; those that another process has exchanged meanwhile are left alone. */
  replace(keys: readonly ResealedKey[]): Promise<void>;
  /**
   * Exchanges the factors of the next users after `after` that have some, at most `limit`, in one step between the batches of
   * services. Returns the id of the last one; undefined: there were no more.
   */
  exchangeFactors(after: string, limit: number, exchange: ExchangeFactors): Promise<string | undefined>;
  close(): Promise<void>;
}

export type StoredZoneKeyRow = [domainId: number, ...key: ZoneKeyRow];

/** A query whose rows are `StoredZoneKeyRow`; its parameters are those of `find`, in order. */
export function sealedKeysQuery([secretId, domainId, id, limit]: readonly string[]): string {
  return `SELECT domain_id, ${ZONE_KEY_COLUMNS} FROM zone_keys
    WHERE secret_id <> ${secretId} AND secret_id <> '' AND (domain_id, id) > (${domainId}, ${id})
    ORDER BY domain_id, id LIMIT ${limit}`;
}

export type FactorsRow = [id: string, factors: string];

/** A query whose rows are `FactorsRow`; its parameters are those of `exchangeFactors`. */
export function factorsQuery([after, limit]: readonly string[]): string {
  return `SELECT id, factors FROM users WHERE factors IS NOT NULL AND id > ${after} ORDER BY id LIMIT ${limit}`;
}

/** Returns the rows that change. */
export function exchangeRows(
  rows: readonly FactorsRow[],
  exchange: ExchangeFactors,
): (readonly [id: string, factors: string | null])[] {
  return rows.flatMap(([id, factors]) => {
    const exchanged = exchange({ id, factors });
    return exchanged === factors ? [] : [[id, exchanged] as const];
  });
}

export function toStoredZoneKey([domainId, ...key]: StoredZoneKeyRow): StoredZoneKey {
  return { domainId, key: toZoneKey(key) };
}
