// Reads of signed domains, for both engines: their keys, and whose signatures are to be renewed.
import { formatRollover, parseRollover } from '../dnssec/rollover.ts';
import { ALL_USES, type KeyOrigin, type ZoneKey } from '../dnssec/zone-key.ts';
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
  /** Domains of all accounts with a rollover or a withdrawal in progress, by id from `afterId` on. Deleted ones are left out. */
  domainsInRollover(limit: number, afterId: number): Promise<readonly RolloverDomain[]>;
  /** Counts them up to `limit`. */
  countDueForRenewal(nowSeconds: number, limit: number): Promise<number>;
}

/** A domain one of whose keys has a note of a rollover. */
export interface RolloverDomain {
  readonly id: number;
  readonly name: ZoneName;
}

/** A domain whose signatures are to be renewed. */
export interface DueDomain {
  readonly id: number;
  readonly name: ZoneName;
  /** Since when. */
  readonly renewAtSeconds: number;
}

export const ZONE_KEY_COLUMNS =
  'id, algorithm, flags, tag, dnskey, sealed, secret_id, created_at, uses, origin, rollover';
export type ZoneKeyRow = [
  id: string,
  algorithm: ZoneKey['algorithm'],
  flags: ZoneKey['flags'],
  tag: number,
  dnskey: Uint8Array,
  sealed: Uint8Array,
  secretId: string,
  createdAt: number,
  uses: number | null,
  origin: KeyOrigin | null,
  rollover: string | null,
];

export function toZoneKey(row: ZoneKeyRow): ZoneKey {
  const [id, algorithm, flags, tag, dnskey, sealed, secretId, createdAtSeconds, uses, origin, rollover] = row;
  return {
    id,
    algorithm,
    flags,
    tag,
    dnskey,
    sealed,
    secretId,
    createdAtSeconds,
    // Keys of earlier versions stand alone.
    uses: uses ?? ALL_USES,
    origin: origin ?? 'made',
    rollover: rollover === null ? null : parseRollover(rollover),
  };
}

/** The value of the column `rollover`. */
export function rolloverColumn({ rollover }: ZoneKey): string | null {
  return rollover === null ? null : formatRollover(rollover);
}

export type RolloverDomainRow = [id: number, name: ZoneName];

/** A query whose rows are `RolloverDomainRow`. */
export function rolloverDomains(afterId: string, limit: string): string {
  return `SELECT DISTINCT domains.id, domains.name FROM zone_keys JOIN domains ON domains.id = zone_keys.domain_id
    WHERE rollover IS NOT NULL AND domain_id > ${afterId} ORDER BY domains.id LIMIT ${limit}`;
}

export function toRolloverDomain([id, name]: RolloverDomainRow): RolloverDomain {
  return { id, name };
}

export const DUE_DOMAIN_COLUMNS = 'id, name, renew_at';
export type DueDomainRow = [id: number, name: ZoneName, renewAt: number];

export function toDueDomain([id, name, renewAtSeconds]: DueDomainRow): DueDomain {
  return { id, name, renewAtSeconds };
}

/** Sorts before all domains. */
export const beforeAllDue: Pick<DueDomain, 'id' | 'renewAtSeconds'> = { id: 0, renewAtSeconds: 0 };
