import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { Command, CommandResult } from '../writes/command.ts';
import type { DeletedDomain, Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { ServedRecord, ZoneHead, ZoneUpdate } from '../model/zone-update.ts';
import type { StoredQuota } from '../writes/check-quotas.ts';
import type { Change } from '../writes/change.ts';
import type { ChangeFilter, ChangePage } from './change-filter.ts';
import type { RecordFilter } from './record-filter.ts';
import type { AccountReads } from './account-reads.ts';
import type { ClaimReads } from './claim-reads.ts';
import type { NameReads } from './name-reads.ts';
import type { PeopleReads } from './people-columns.ts';
import type { SigningReads } from './signing-reads.ts';
import type { TrailReads } from './trail-reads.ts';
import type { ZoneView } from './zone-view.ts';
import type { Page, PageRequest } from './page.ts';

export type { Page, PageRequest } from './page.ts';

export type ListedRecord = Omit<DomainRecord, 'rdata' | 'owner'>;

/** A record with the name of its domain. */
export type FoundRecord = ListedRecord & { readonly domain: ZoneName };

/** The content of a zone at one moment. */
export interface ZoneSnapshot {
  readonly head: ZoneHead;
  /** The account that the domain belongs to; empty if that is not known. */
  readonly accountId: string;
  /** Approximate number of records; used to reserve space, and to load a small zone in one step. */
  readonly recordCount: number;
  /**
   * Sorted by owner in byte order, so the apex comes first; records of one owner in creation order. Must be read to the
   * end, or the iterator must be returned.
   */
  readonly records: Iterable<ServedRecord & { readonly owner: OwnerKey }>;
}

/** The serial of a domain that one nameserver process serves. */
export interface ServedSerial {
  /** Identifies the data folder of the process; survives restarts. */
  readonly id: string;
  /** Display name of the process. */
  readonly nameserver: string;
  /** Null: it does not serve the domain. */
  readonly serial: number | null;
  /** The domain is withheld, and the process knows it; absent: it is to be served, or the process may serve it. */
  readonly isWithheld?: boolean;
  /** When it started to serve that serial; null: unknown or never. */
  readonly takenAtMs: number | null;
  /** Time of its last report. */
  readonly seenAtMs: number;
  /** Its last report is at most `LIVE_SECONDS` old. */
  readonly isLive: boolean;
}

/** The last report of a nameserver process. */
export interface NameserverReport {
  /** Identifies its data folder. */
  readonly id: string;
  readonly name: string;
  /** The last change that it serves. */
  readonly seq: number;
  /** Age of the report, by the clock of the database. */
  readonly ageMs: number;
}

/** Nameserver processes report every few seconds; after this time at least three reports were missed. */
export const LIVE_SECONDS = 10;

/**
 * The single source of truth. Writes are queued, decided and committed in batches; reads see every write that was answered.
 * Errors: `StoreUnavailable` if nothing was committed and the caller may retry, `CommitInDoubt` if it cannot be known
 * whether the write was committed; any other error is a bug.
 *
 * Reads with a `getSignal` may scan many rows. They never delay other reads, run a few at a time, fail with `StoreBusy` at
 * a time limit, and do not start if their signal is aborted while they wait.
 */
export interface Store {
  /**
   * Resolves after the commit is durable and after every `onUpdate` listener has returned. The result of a write to an
   * existing domain holds the serial of the domain, even if the write changed nothing.
   *
   * @param getSignal ends work on a dry run or a large write before it is committed, when its client has gone
   */
  write<C extends Command>(command: C, getSignal?: GetSignal): Promise<CommandResult<C>>;

  readonly signing: SigningReads;

  readonly claims: ClaimReads;

  readonly names: NameReads;

  readonly people: PeopleReads;

  readonly trail: TrailReads;
  readonly accounts: AccountReads;

  findKeyByHash(hash: string): Promise<ApiKey | undefined>;
  findAccount(id: string): Promise<Account | undefined>;
  /** Returns the usage of an account and an administrator's limits for it; undefined if there is no such account. */
  findQuota(id: string): Promise<StoredQuota | undefined>;
  listAccounts(page: PageRequest): Promise<Page<Account>>;
  /** Lists the keys of one account, or of all accounts if null, in creation order. */
  listKeys(accountId: string | null, page: PageRequest): Promise<Page<ApiKey>>;

  /** Returns undefined also if the domain belongs to another account. */
  findDomain(accountId: string, name: ZoneName): Promise<Domain | undefined>;
  /** Sorted by name; the key is a domain name. @param search as in `RecordFilter` */
  listDomains(
    accountId: string,
    page: PageRequest,
    search?: string,
    getSignal?: GetSignal,
  ): Promise<Page<Domain>>;
  /** Domains whose content is still kept, latest deletion first; the key is `deletedAtMs`, a dot and the former id. */
  listDeletedDomains(
    accountId: string,
    page: PageRequest,
    getSignal?: GetSignal,
  ): Promise<Page<DeletedDomain>>;
  /**
   * Finds a domain that the account deleted and that can be restored.
   *
   * @param id its former id; undefined: the one of that name that was deleted last
   */
  findDeletedDomain(accountId: string, name: ZoneName, id?: number): Promise<DeletedDomain | undefined>;

  findRecord(domainId: number, recordId: string): Promise<DomainRecord | undefined>;
  /** In creation order; the key is a record id. */
  listRecords(
    domain: Domain,
    page: PageRequest,
    filter?: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<ListedRecord>>;
  /** Searches all domains of an account; sorted by domain name, then creation. The key is domain name, space, record id. */
  searchRecords(
    accountId: string,
    page: PageRequest,
    filter: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<FoundRecord>>;
  /**
   * Newest first, as far back as the history is kept; the key is a decimal `seq`. With a filter, a page looks at `CHANGE_PAGE_ENTRIES`
   * at most: it may have fewer entries than it could, or none, and others follow. `total` then counts those among the latest so many.
   */
  listChanges(
    domain: Domain,
    page: PageRequest,
    filter?: ChangeFilter,
    getSignal?: GetSignal,
  ): Promise<ChangePage>;

  /** The serial of the oldest change that is kept; undefined if none is. The history reaches back to it. */
  findHistoryStart(domain: Domain): Promise<number | undefined>;

  /** Opens a snapshot of a domain, which the caller must close; undefined as for `findDomain`. */
  openZoneView(accountId: string, name: ZoneName): Promise<ZoneView | undefined>;

  /** The serial that each nameserver process serves, sorted by name and id. The embedded store knows only this process. */
  servedSerials(domain: Domain): Promise<readonly ServedSerial[]>;
  /** All nameserver processes, live or not, by name and id. The embedded store knows only this process, while it serves. */
  nameserverReports(): Promise<readonly NameserverReport[]>;

  /**
   * Returns at most `limit` feed entries after `seq`. Old entries are removed: a follower whose first entry is not
   * `seq + 1` has to restart from a snapshot.
   */
  changesAfter(seq: number, limit: number): Promise<readonly Change[]>;
  /** The last `seq` of the feed; 0 if the feed is empty. */
  lastSeq(): Promise<number>;

  close(): Promise<void>;
}

/**
 * Zones as the publisher reads them: synchronously, from a local copy (the embedded store reads its own file). A failing or
 * busy writer never delays these reads.
 */
export interface ZoneSource {
  /** The listener is called for every committed batch, in feed order, before its writers are answered. Must not throw. */
  onUpdate(listener: (updates: readonly ZoneUpdate[]) => void): void;
  /** Returns undefined if the domain is not hosted. */
  readZone(name: ZoneName): ZoneSnapshot | undefined;
  /** The account that a domain belongs to; empty if that is not known. */
  accountOf(name: ZoneName): string;
  hostedCount(): number;
  /** Returns at most `limit` names of hosted domains after `after`, in order. */
  hostedNames(after: string, limit: number): readonly ZoneName[];
}

/** The store cannot be opened; the message is one sentence for the operator. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
}
