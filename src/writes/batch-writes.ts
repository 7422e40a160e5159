import type { Account, ApiKey } from '../model/account.ts';
import type { DeletedDomain, Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { HistoryChange } from './history.ts';
import type { KeptOutcome } from './kept-outcome.ts';

/** The one row that every batch locks first: what must be handed out without gaps, and totals of whole lists. */
export interface Counters {
  readonly lastSeq: number;
  readonly lastDomainId: number;
  readonly accountCount: number;
  readonly keyCount: number;
}

/** The least that brings the committed rows to where a batch leaves them; an engine writes it in one transaction. */
export interface BatchWrites {
  /** Null when nothing in it moved. */
  readonly counters: Counters | null;
  readonly createdAccounts: readonly Account[];
  readonly changedAccounts: readonly Account[];
  readonly accountCounts: readonly AccountCountStep[];
  readonly createdKeys: readonly ApiKey[];
  readonly changedKeys: readonly ApiKey[];
  readonly deletedKeyIds: readonly string[];
  /** To be written before `createdDomains`: a name may be in both. Their records are purged when the history ends. */
  readonly deletedDomains: readonly DeletedDomain[];
  /** Deleted before, and living on under another id: what they had is purged now. */
  readonly restoredDomainIds: readonly number[];
  readonly createdDomains: readonly Domain[];
  readonly changedDomains: readonly Domain[];
  readonly retiredSerials: readonly RetiredSerial[];
  readonly createdRecords: readonly RecordWrite[];
  readonly changedRecords: readonly RecordWrite[];
  readonly deletedRecords: readonly RecordWrite[];
  /** In feed order, with their seq. */
  readonly changes: readonly HistoryChange[];
  readonly keptOutcomes: readonly KeptOutcome[];
  /** What followers of zones are told once this is committed. */
  readonly updates: readonly ZoneUpdate[];
}

export interface AccountCountStep {
  readonly accountId: string;
  readonly domains: number;
  readonly keys: number;
}

export interface RetiredSerial {
  readonly name: ZoneName;
  readonly serial: number;
  /** When the clock has passed the serial, so that a first serial taken from the clock is later by itself. */
  readonly neededUntilSeconds: number;
}

export interface RecordWrite {
  readonly domainId: number;
  readonly record: DomainRecord;
}
