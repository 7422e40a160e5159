import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { Command, CommandResult } from '../writes/command.ts';
import type { DeletedDomain, Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { ServedRecord, ZoneHead, ZoneUpdate } from '../model/zone-update.ts';
import type { Change } from '../writes/change.ts';
import type { HistoryEntry } from '../writes/history-entry.ts';
import type { RecordFilter } from './record-filter.ts';
import type { ZoneView } from './zone-view.ts';

/** A page asked for: rows after or before a key, in the list's order. */
export interface PageRequest {
  readonly direction: 'after' | 'before';
  /** The key to start from (not itself included); null: from the list's beginning, backwards from its end. */
  readonly key: string | null;
  readonly limit: number;
}

export interface Page<T> {
  /** Always in the list's own order, also when asked for backwards. */
  readonly rows: readonly T[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** Exact, of the whole list. */
  readonly total: number;
}

export type ListedRecord = Omit<DomainRecord, 'rdata' | 'owner'>;

/** With the domain that it stands in. */
export type FoundRecord = ListedRecord & { readonly domain: ZoneName };

/** A zone's whole served content at one moment. */
export interface ZoneSnapshot {
  readonly head: ZoneHead;
  /** About how many records there are: room is made for so many, and a zone of few is loaded in one go. */
  readonly recordCount: number;
  /**
   * Owner by owner in byte order, so the apex first; at one owner in creation order. To be read to the end, or its
   * iterator returned.
   */
  readonly records: Iterable<ServedRecord & { readonly owner: OwnerKey }>;
}

/** What one nameserver process serves of a domain. */
export interface ZoneServing {
  /** Of the process's data folder: stays the same over restarts. */
  readonly id: string;
  /** The process's name, for people. */
  readonly nameserver: string;
  /** Null: it has none of the domain yet. */
  readonly serial: number | null;
  /** When it took that serial; null: longer ago than is remembered, or never. */
  readonly takenAtMs: number | null;
  /** When it last said what it serves. */
  readonly seenAtMs: number;
  /** It said so within `LIVE_SECONDS`. */
  readonly isLive: boolean;
}

/** Three reports missed and more: a nameserver process says every few seconds what it serves. */
export const LIVE_SECONDS = 10;

/**
 * The only truth. Writes are queued, decided and committed in batches; reads see all that was answered.
 * Thrown errors: `StoreUnavailable` when nothing was committed and the caller may try again, `CommitInDoubt` when nobody
 * knows; all else is our bug.
 *
 * Reads with a `getSignal` may look at many rows: they keep no other read waiting, are done a few at a time, end with
 * `StoreBusy` at a limit of time, and are not begun when nobody wants their answer any more.
 */
export interface Store {
  /**
   * Resolves after the commit is durable and after every `onUpdate` listener has returned. What writes to a domain that
   * is still there says the domain's serial, also where a repeat changed nothing.
   */
  write<C extends Command>(command: C): Promise<CommandResult<C>>;

  findKeyByHash(hash: string): Promise<ApiKey | undefined>;
  findAccount(id: string): Promise<Account | undefined>;
  listAccounts(page: PageRequest): Promise<Page<Account>>;
  /** Creation order; keys of one account, or of all with null. */
  listKeys(accountId: string | null, page: PageRequest): Promise<Page<ApiKey>>;

  /** Undefined also when another account holds it. */
  findDomain(accountId: string, name: ZoneName): Promise<Domain | undefined>;
  /** By name; the key is a domain name. @param search as `RecordFilter` has it */
  listDomains(
    accountId: string,
    page: PageRequest,
    search?: string,
    getSignal?: GetSignal,
  ): Promise<Page<Domain>>;
  /** Those whose content is still kept, the one deleted last first; the key is `deletedAtMs`, a point, and the former id. */
  listDeletedDomains(
    accountId: string,
    page: PageRequest,
    getSignal?: GetSignal,
  ): Promise<Page<DeletedDomain>>;
  findRecord(domainId: number, recordId: string): Promise<DomainRecord | undefined>;
  /** By creation; the key is a record id. */
  listRecords(
    domain: Domain,
    page: PageRequest,
    filter?: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<ListedRecord>>;
  /** Of all domains of the account, by domain name and creation; the key is domain name, space, record id. */
  searchRecords(
    accountId: string,
    page: PageRequest,
    filter: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<FoundRecord>>;
  /** Newest first, as far back as the history is kept; the key is a `seq` in digits. */
  listChanges(domain: Domain, page: PageRequest, getSignal?: GetSignal): Promise<Page<HistoryEntry>>;

  /** A domain with all its records at one moment; undefined as with `findDomain`. The caller closes it. */
  openZoneView(accountId: string, name: ZoneName): Promise<ZoneView | undefined>;

  /** Of each nameserver process what it serves of the domain, by name and id; the embedded store knows this process alone. */
  zoneServing(domain: Domain): Promise<readonly ZoneServing[]>;

  /**
   * Feed rows after `seq`, at most `limit`. Entries older than the history kept are gone: a follower whose first row
   * is not `seq + 1` has to start anew from the rows.
   */
  changesAfter(seq: number, limit: number): Promise<readonly Change[]>;
  /** The feed's last seq, 0 when empty. */
  lastSeq(): Promise<number>;

  close(): Promise<void>;
}

/**
 * What the publisher reads: synchronous, from a local copy (the embedded store is its own). A broken or busy
 * writer never delays it.
 */
export interface ZoneSource {
  /** Called with every committed batch, in feed order, before the batch's writers are answered. Must not throw. */
  onUpdate(listener: (updates: readonly ZoneUpdate[]) => void): void;
  /** Undefined when no such domain is hosted. */
  readZone(name: ZoneName): ZoneSnapshot | undefined;
  hostedCount(): number;
  /** Names of all hosted domains, after `name` in order, at most `limit`. */
  hostedNames(after: string, limit: number): readonly ZoneName[];
}

/** The store cannot be opened; the message is one sentence for the operator. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
}
