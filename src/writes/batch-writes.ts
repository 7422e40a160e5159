import type { ZoneKey } from '../dnssec/zone-key.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { AccountUsage, LimitOverrides } from '../model/account-limits.ts';
import type { DeletedDomain, HashedDomain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { TrailEntry } from '../model/trail-entry.ts';
import type { FeedEntry } from './history.ts';
import type { KeptOutcome } from './kept-outcome.ts';
import type { PeopleWrites } from './people-rows.ts';

/** The row that every batch locks first: the last numbers that were assigned, and the totals of whole lists. */
export interface Counters {
  readonly lastSeq: number;
  readonly lastDomainId: number;
  readonly accountCount: number;
  readonly keyCount: number;
  readonly domainCount: number;
}

/** The changes of rows that a batch makes; an engine writes them in one transaction. */
export interface BatchWrites {
  /** Null if they did not change. */
  readonly counters: Counters | null;
  readonly createdAccounts: readonly Account[];
  readonly changedAccounts: readonly Account[];
  /** Nothing is left of them: no keys, domains and people. Written last. */
  readonly deletedAccountIds: readonly string[];
  readonly usageSteps: readonly AccountUsageStep[];
  readonly changedLimits: readonly ChangedLimits[];
  readonly changedNameservers: readonly ChangedNameservers[];
  readonly createdKeys: readonly ApiKey[];
  readonly changedKeys: readonly ApiKey[];
  readonly deletedKeyIds: readonly string[];
  readonly people: PeopleWrites;
  /** In the order of their commands. */
  readonly trail: readonly TrailEntry[];
  /**
   * Domains that are no longer among the deleted ones, which is written first. Their rows are in `createdDomains`, or in
   * `deletedDomains` if the batch has deleted them again.
   */
  readonly restoredDomainIds: readonly number[];
  /** Written before `createdDomains`, since a name may be in both. The records are purged when the history expires. */
  readonly deletedDomains: readonly DeletedDomain[];
  /** Created and restored ones. */
  readonly createdDomains: readonly HashedDomain[];
  readonly changedDomains: readonly HashedDomain[];
  /** The rows of changed and deleted domains as they were before. */
  readonly formerDomains: readonly HashedDomain[];
  readonly createdZoneKeys: readonly ZoneKeyWrite[];
  readonly deletedZoneKeys: readonly DeletedZoneKey[];
  readonly retiredSerials: readonly RetiredSerial[];
  readonly createdRecords: readonly RecordWrite[];
  readonly changedRecords: readonly RecordWrite[];
  readonly deletedRecords: readonly RecordWrite[];
  /** In feed order. */
  readonly changes: readonly FeedEntry[];
  /** Each for several of the changes, which have neither address nor note themselves. */
  readonly changeAuthors: readonly ChangeAuthor[];
  readonly keptOutcomes: readonly KeptOutcome[];
}

/** The address and note of a write with several changes, stored once. */
export interface ChangeAuthor {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly address: string | null;
  readonly note: string | null;
}

export interface AccountUsageStep {
  readonly accountId: string;
  readonly step: AccountUsage;
}

/** Octets that are added to the trail of an account. */
export interface TrailUsageStep {
  readonly accountId: string;
  readonly action: string;
  readonly octets: number;
}

export interface ChangedLimits {
  readonly accountId: string;
  readonly overrides: LimitOverrides;
}

export interface ChangedNameservers {
  readonly accountId: string;
  /** Sorted. */
  readonly names: readonly string[];
}

export interface RetiredSerial {
  readonly name: ZoneName;
  readonly serial: number;
  /** The time at which the clock has passed the serial: later first serials, taken from the clock, are higher anyway. */
  readonly neededUntilSeconds: number;
}

export interface ZoneKeyWrite {
  readonly domainId: number;
  readonly key: ZoneKey;
}

export interface DeletedZoneKey {
  readonly domainId: number;
  readonly id: string;
}

export interface RecordWrite {
  readonly domainId: number;
  readonly record: DomainRecord;
}
