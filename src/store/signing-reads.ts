// Reads of signed domains, for both engines: their keys, and whose signatures are to be renewed.
import type { ZoneKey } from '../dnssec/zone-key.ts';
import type { Domain, ZoneName } from '../model/domain.ts';

/** All use an index and read few rows. They reject with StoreUnavailable. */
export interface SigningReads {
  /** In creation order; empty for a domain that is not signed. */
  zoneKeys(domain: Pick<Domain, 'id'>): Promise<readonly ZoneKey[]>;
  /**
   * Domains of all accounts whose signatures are to be renewed, the most overdue first, and at the end those that were signed
   * while the clock was ahead (see `latestRenewalSeconds`); those after `after`, if it is given.
   */
  domainsDueForRenewal(nowSeconds: number, limit: number, after?: DueDomain): Promise<readonly DueDomain[]>;
  /** Counts them up to `limit`. */
  countDueForRenewal(nowSeconds: number, limit: number): Promise<number>;
}

/** A domain whose signatures are to be renewed. */
export interface DueDomain {
  readonly id: number;
  readonly name: ZoneName;
  /** Since when. */
  readonly renewAtSeconds: number;
}

export const ZONE_KEY_COLUMNS = 'id, algorithm, flags, tag, dnskey, sealed, secret_id, created_at';
export type ZoneKeyRow = [
  id: string,
  algorithm: ZoneKey['algorithm'],
  flags: ZoneKey['flags'],
  tag: number,
  dnskey: Uint8Array,
  sealed: Uint8Array,
  secretId: string,
  createdAt: number,
];

export function toZoneKey(row: ZoneKeyRow): ZoneKey {
  const [id, algorithm, flags, tag, dnskey, sealed, secretId, createdAtSeconds] = row;
  return { id, algorithm, flags, tag, dnskey, sealed, secretId, createdAtSeconds };
}

export const DUE_DOMAIN_COLUMNS = 'id, name, renew_at';
export type DueDomainRow = [id: number, name: ZoneName, renewAt: number];

export function toDueDomain([id, name, renewAtSeconds]: DueDomainRow): DueDomain {
  return { id, name, renewAtSeconds };
}

/** Sorts before all domains. */
export const beforeAllDue: Pick<DueDomain, 'id' | 'renewAtSeconds'> = { id: 0, renewAtSeconds: 0 };
