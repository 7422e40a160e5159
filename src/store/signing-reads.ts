// Reads of signed domains, for both engines: their keys, and whose signatures are to be renewed.
import { formatRollover, parseRollover } from '../dnssec/rollover.ts';
import { ALL_USES, type KeyOrigin, type ZoneKey } from '../dnssec/zone-key.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { parseSigningWork, type SigningWork } from '../model/signing-work.ts';

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
  /**
   * Domains of all accounts that wait for their first DS record and are served, those that wait since the latest time first;
   * those after `after`, if it is given.
   */
  domainsAwaitingDs(
    limit: number,
    after?: Pick<AwaitingDomain, 'id' | 'sinceSeconds'>,
  ): Promise<readonly AwaitingDomain[]>;
  /** Finds a domain of any account. */
  findAnyDomain(name: ZoneName): Promise<Domain | undefined>;
  /** Domains of all accounts whose signatures are made or removed in slices, by id from `afterId` on. Deleted ones are left out. */
  domainsInSigning(limit: number, afterId: number): Promise<readonly WorkedDomain[]>;
  /** Reads the TTLs of the next `limit` rows of a domain after `afterId`, generated ones included. */
  longestTtl(domain: Pick<Domain, 'id'>, limit: number, afterId: string): Promise<LongestTtl>;
  /** Counts them up to `limit`. */
  countDueForRenewal(nowSeconds: number, limit: number): Promise<number>;
}

/** A domain one of whose keys has a note of a rollover. */
export interface RolloverDomain {
  readonly id: number;
  readonly accountId: string;
  readonly name: ZoneName;
}

export interface AwaitingDomain extends RolloverDomain {
  /** See `Domain.awaitsDsSinceSeconds`. */
  readonly sinceSeconds: number;
}

/** A domain with a note of `SigningWork`. */
export interface WorkedDomain extends RolloverDomain {
  readonly work: SigningWork;
}

export interface LongestTtl {
  /** Seconds; 0 if there are no rows. */
  readonly seconds: number;
  /** The id of the last row that was read; null after the last one. */
  readonly lastId: string | null;
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

export type RolloverDomainRow = [id: number, accountId: string, name: ZoneName];

/** A query whose rows are `RolloverDomainRow`. */
export function rolloverDomains(afterId: string, limit: string): string {
  return `SELECT DISTINCT domains.id, domains.account_id, domains.name FROM zone_keys JOIN domains ON domains.id = zone_keys.domain_id
    WHERE rollover IS NOT NULL AND domain_id > ${afterId} ORDER BY domains.id LIMIT ${limit}`;
}

export function toRolloverDomain([id, accountId, name]: RolloverDomainRow): RolloverDomain {
  return { id, accountId, name };
}

export type AwaitingDomainRow = [...domain: RolloverDomainRow, since: number];

/** A query whose rows are `AwaitingDomainRow`. @param since and @param id those of the domain before */
export function awaitingDomains(since: string, id: string, limit: string): string {
  return `SELECT id, account_id, name, awaits_ds_since FROM domains
    WHERE awaits_ds_since IS NOT NULL AND withheld IS NULL AND (awaits_ds_since, id) < (${since}, ${id})
    ORDER BY awaits_ds_since DESC, id DESC LIMIT ${limit}`;
}

export function toAwaitingDomain([id, accountId, name, sinceSeconds]: AwaitingDomainRow): AwaitingDomain {
  return { id, accountId, name, sinceSeconds };
}

/** Sorts after all domains: both are larger than any time and id. */
export const afterAllAwaiting: Pick<AwaitingDomain, 'id' | 'sinceSeconds'> = {
  id: Number.MAX_SAFE_INTEGER,
  sinceSeconds: Number.MAX_SAFE_INTEGER,
};

export type WorkedDomainRow = [...domain: RolloverDomainRow, work: string];

/** A query whose rows are `WorkedDomainRow`. */
export function workedDomains(afterId: string, limit: string): string {
  return `SELECT id, account_id, name, signing_work FROM domains
    WHERE signing_work IS NOT NULL AND id > ${afterId} ORDER BY id LIMIT ${limit}`;
}

export function toWorkedDomain([id, accountId, name, work]: WorkedDomainRow): WorkedDomain {
  return { id, accountId, name, work: parseSigningWork(work) };
}

export type LongestTtlRow = [seconds: number | null, lastId: string | null, rows: number];

/** A query whose row is a `LongestTtlRow`. */
export function longestTtlQuery(domainId: string, afterId: string, limit: string): string {
  return `SELECT max(ttl), max(id), count(*) FROM (
    SELECT ttl, id FROM records WHERE domain_id = ${domainId} AND id > ${afterId} ORDER BY id LIMIT ${limit}) AS rows`;
}

export function toLongestTtl([seconds, lastId, rows]: LongestTtlRow, limit: number): LongestTtl {
  return { seconds: seconds ?? 0, lastId: rows < limit ? null : lastId };
}

export const DUE_DOMAIN_COLUMNS = 'id, name, renew_at';
export type DueDomainRow = [id: number, name: ZoneName, renewAt: number];

export function toDueDomain([id, name, renewAtSeconds]: DueDomainRow): DueDomain {
  return { id, name, renewAtSeconds };
}

/** Sorts before all domains. */
export const beforeAllDue: Pick<DueDomain, 'id' | 'renewAtSeconds'> = { id: 0, renewAtSeconds: 0 };
