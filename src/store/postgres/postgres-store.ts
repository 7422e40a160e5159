// The store on PostgreSQL, shared by any number of processes. Each decides and commits the batches of its own callers while
// it holds the lock of the feed.
//
//   write ─▶ beforeWrite ─▶ CommitQueue ─▶ PostgresWriter: lock, decide, COMMIT ─▶ afterCommit ─▶ callers, in order
//   large writes ─▶ LargeWrites: on a thread, decide on a snapshot ─▶ lock, check the basis, copy rows, COMMIT ─▶ afterCommit ─▶ callers
//   short reads ─▶ a few connections
//   long reads ─▶ semaphore ─▶ two connections
//
// The store stays open while the database is unreachable; calls then reject with StoreUnavailable. It decides nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, MonotonicClock } from '../../base/clock.ts';
import type { GuardedReading } from '../../base/guarded-time.ts';
import type { Log } from '../../base/log.ts';
import type { GetSignal } from '../../base/fair-semaphore.ts';
import type { Account, ApiKey } from '../../model/account.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import type { DeletedDomain, Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { Quotas, StoredQuota } from '../../writes/check-quotas.ts';
import type { ChangePage } from '../change-filter.ts';
import type { RecordFilter } from '../record-filter.ts';
import { noObserver, observeCommand, type StoreObserver } from '../store-observer.ts';
import type { Page, PageRequest } from '../page.ts';
import type { FoundRecord, ListedRecord, NameserverReport, Store, ServedSerial } from '../store.ts';
import { StoreOpenError } from '../store.ts';
import type { ZoneView } from '../zone-view.ts';
import { DeletionTime } from '../deletion-time.ts';
import { migratePostgres } from './migrate.ts';
import { readNameserverReports } from './nameserver-reports.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { messageOf, toStoreError } from './postgres-errors.ts';
import { createAccountReads } from './postgres-account-reads.ts';
import { createPeopleReads } from './postgres-people.ts';
import { createClaimReads } from './postgres-claim-reads.ts';
import { createNameReads } from './postgres-name-reads.ts';
import { createSigningReads } from './postgres-signing-reads.ts';
import { guardTrailReads } from './postgres-trail.ts';
import { PostgresReads } from './postgres-reads.ts';
import { runUpkeep, type PlanUpkeep } from './postgres-upkeep.ts';
import { readClockOffset, readStandbyWait } from './database-state.ts';
import type { WriteHealth } from '../write-health.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { PostgresWrites } from './postgres-writes.ts';
import { PostgresZoneView } from './postgres-zone-view.ts';
import { ViewConnections } from './view-connections.ts';
import type { ReadLane } from '../long-reads.ts';
import { longReads, ReadConnections, shortReads } from './read-connections.ts';
import type { SigningSettings } from '../signing-settings.ts';
import { readServedSerials } from './served-serials.ts';
import { LoginRefused, StoreUnavailable } from '../../writes/store-errors.ts';
import type { Change } from '../../writes/change.ts';
import type { ServedWrites } from '../after-commit.ts';

export interface PostgresStoreOptions {
  readonly address: PostgresAddress;
  readonly clock: Clock;
  /** Checks the clock of the database; absent: that of this process. */
  readonly monotonic?: MonotonicClock;
  /** Replaces the clock of the database, by which upkeep deletes, in tests. */
  readonly upkeepClock?: Clock;
  readonly log: Log;
  /** Days that feed entries are kept. */
  readonly historyDays: number;
  /** Days that entries of the trail are kept. */
  readonly trailDays?: number;
  /** If absent, writes are answered when they are committed. */
  readonly served?: ServedWrites;
  readonly observer?: StoreObserver;
  /** The limits of accounts and of the service; the defaults if absent. */
  readonly quotas?: Quotas | undefined;
  /** Opens and makes keys of signed domains; absent: no domain can be signed. */
  readonly dnssec?: SigningSettings | undefined;
  /** Says what is wrong with the clock, so that nothing can be signed; absent: it is always right. */
  readonly findClockFault?: () => string | undefined;
  /** Memory for large work; sizes the heap of the thread for large writes. */
  readonly workMemoryBytes?: number | undefined;
}

/** Pause between two attempts to reach the database for the first time. */
const OPEN_RETRY_MS = 1000;

/** How often expired data is removed. */
const UPKEEP_INTERVAL_MS = 60_000;

/**
 * Resolves even if the database is unreachable; attempts to reach it then continue in the background.
 *
 * @throws StoreOpenError with one sentence if retrying cannot help: the tables are newer or belong to another program, or
 *   the server is too old
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { address, clock, log } = options;
  const store = new PostgresStore(options);
  try {
    await migratePostgres(address, clock.nowMs());
    store.begin();
  } catch (error) {
    if (error instanceof StoreOpenError) {
      await store.close();
      throw error;
    }
    store.noteRefusal(error);
    log.warn({ err: error }, 'the database is unreachable');
    void store.beginLater();
  }
  return store;
}

export class PostgresStore implements Store {
  readonly signing: Store['signing'];
  readonly claims: Store['claims'];
  readonly names: Store['names'];
  readonly people: Store['people'];
  readonly trail: Store['trail'];
  readonly accounts: Store['accounts'];
  private readonly options: PostgresStoreOptions;
  private readonly observer: StoreObserver;
  private readonly writer: PostgresWriter;
  private readonly writes: PostgresWrites;
  private readonly connections: ReadConnections;
  private readonly longReads: Readonly<Record<ReadLane, ReadConnections>>;
  private readonly reads: PostgresReads;
  private readonly views: ViewConnections;
  private readonly deletionTime: DeletionTime;
  private readonly ready: Promise<void>;
  private setReady: () => void = () => undefined;
  private state: 'away' | 'open' | 'closing' = 'away';
  private upkeep: Promise<void> | undefined;
  private upkeepTimer: NodeJS.Timeout | undefined;
  private closed: Promise<void> | undefined;
  private openRefusal: string | undefined;

  constructor(options: PostgresStoreOptions) {
    const { address, clock, findClockFault, log, served, quotas, dnssec, workMemoryBytes } = options;
    this.options = options;
    this.deletionTime = new DeletionTime(options);
    this.observer = options.observer ?? noObserver;
    const writing = { address, clock, findClockFault, log, observer: this.observer, quotas, dnssec };
    this.writer = new PostgresWriter(writing);
    this.connections = new ReadConnections(address, shortReads);
    this.writes = new PostgresWrites(this.writer, this.connections, { ...writing, workMemoryBytes, served });
    const openLane = (lane: ReadLane) => new ReadConnections(address, longReads(lane));
    this.longReads = { quick: openLane('quick'), slow: openLane('slow') };
    this.views = new ViewConnections(address);
    this.reads = new PostgresReads(this.connections, this.longReads);
    this.signing = createSigningReads(this.connections, (read) => this.read(read));
    this.claims = createClaimReads(this.connections, (read) => this.read(read));
    this.names = createNameReads(this.connections, (read) => this.read(read));
    this.people = createPeopleReads(this.connections, (read) => this.read(read));
    this.trail = guardTrailReads(this.reads.trail, (read) => this.read(read));
    this.accounts = createAccountReads(this.connections, (read) => this.read(read));
    this.ready = new Promise((resolve) => (this.setReady = resolve));
  }

  /** True once the database has been reached and its tables are up to date; it may be unreachable again. */
  isReady(): boolean {
    return this.state !== 'away';
  }

  /** Resolves when `isReady()`, or when the store is closed before. */
  whenReady(): Promise<void> {
    return this.ready;
  }

  /** Number of commands that wait for their commit. */
  queuedCommands(): number {
    return this.writes.length;
  }

  write<C extends Command>(command: C, getSignal?: GetSignal): Promise<CommandResult<C>> {
    const result = this.admit(command, getSignal) as Promise<CommandResult<C>>;
    return observeCommand(this.observer, command, result);
  }

  /** Number of reads that are not answered yet. */
  pendingReads(): number {
    return (
      this.connections.pendingCount + this.longReads.quick.pendingCount + this.longReads.slow.pendingCount
    );
  }

  /** The state of the clock by which upkeep deletes; undefined before the first run. */
  deletionReading(): GuardedReading | undefined {
    return this.deletionTime.reading;
  }

  /** Whether writes are committed; upkeep proves it once a minute. */
  get health(): WriteHealth {
    return this.writer.health;
  }

  /** Why the database refuses the log-in, as long as it has not been reached; undefined: for another reason. */
  get refusedLogin(): string | undefined {
    return this.openRefusal;
  }

  /**
   * Asks for the clock of the database; returns how far that of this process is ahead.
   *
   * @throws StoreUnavailable
   */
  clockOffsetMs(): Promise<number> {
    return this.read(() => readClockOffset(this.connections, this.options.clock));
  }

  /**
   * True if a commit of this database user waits for a synchronous standby.
   *
   * @throws StoreUnavailable
   */
  isWaitingForStandby(): Promise<boolean> {
    return this.read(() => readStandbyWait(this.connections));
  }

  /** @throws StoreUnavailable */
  nameserverReports(): Promise<readonly NameserverReport[]> {
    return this.read(() => readNameserverReports(this.connections));
  }

  findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    return this.read(() => this.reads.findKeyByHash(hash));
  }

  findAccount(id: string): Promise<Account | undefined> {
    return this.read(() => this.reads.findAccount(id));
  }

  findQuota(id: string): Promise<StoredQuota | undefined> {
    return this.read(() => this.reads.findQuota(id));
  }

  listAccounts(page: PageRequest): Promise<Page<Account>> {
    return this.read(() => this.reads.listAccounts(page));
  }

  listKeys(accountId: string | null, page: PageRequest): Promise<Page<ApiKey>> {
    return this.read(() => this.reads.listKeys(accountId, page));
  }

  findDomain(accountId: string, name: ZoneName): Promise<Domain | undefined> {
    return this.read(() => this.reads.findDomain(accountId, name));
  }

  listDomains(
    accountId: string,
    page: PageRequest,
    search?: string,
    getSignal?: GetSignal,
  ): Promise<Page<Domain>> {
    return this.read(() => this.reads.listDomains(accountId, page, search, getSignal));
  }

  listDeletedDomains(
    accountId: string,
    page: PageRequest,
    getSignal?: GetSignal,
  ): Promise<Page<DeletedDomain>> {
    return this.read(() => this.reads.listDeletedDomains(accountId, page, getSignal));
  }

  findDeletedDomain(accountId: string, name: ZoneName, id?: number): Promise<DeletedDomain | undefined> {
    return this.read(() => this.reads.findDeletedDomain(accountId, name, id));
  }

  findRecord(domainId: number, recordId: string): Promise<DomainRecord | undefined> {
    return this.read(() => this.reads.findRecord(domainId, recordId));
  }

  listRecords(
    domain: Domain,
    page: PageRequest,
    filter?: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<ListedRecord>> {
    return this.read(() => this.reads.listRecords(domain, page, filter, getSignal));
  }

  searchRecords(
    accountId: string,
    page: PageRequest,
    filter: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<FoundRecord>> {
    return this.read(() => this.reads.searchRecords(accountId, page, filter, getSignal));
  }

  listChanges(...args: Parameters<Store['listChanges']>): Promise<ChangePage> {
    return this.read(() => this.reads.listChanges(...args));
  }

  openZoneView(accountId: string, name: ZoneName): Promise<ZoneView | undefined> {
    return this.read(() => PostgresZoneView.open(this.views, accountId, name));
  }

  findHistoryStart({ id }: Domain): Promise<number | undefined> {
    return this.read(() => this.reads.findHistoryStart(id));
  }

  servedSerials(domain: Domain): Promise<readonly ServedSerial[]> {
    return this.read(() => readServedSerials(this.connections, domain));
  }

  changesAfter(seq: number, limit: number): Promise<readonly Change[]> {
    return this.read(() => this.reads.changesAfter(seq, limit));
  }

  lastSeq(): Promise<number> {
    return this.read(() => this.reads.lastSeq());
  }

  /** Answers all queued commands, then closes the connections. */
  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  /** Called when the tables are up to date. */
  begin(): void {
    if (this.state !== 'away') return;
    this.state = 'open';
    this.openRefusal = undefined;
    this.setReady();
    void this.connections.open();
    this.upkeepTimer = setInterval(() => void this.tidy(), UPKEEP_INTERVAL_MS).unref();
    void this.tidy();
  }

  /** Runs upkeep; after a failure it waits for the next interval. Resolves when the current run has ended. */
  tidy(): Promise<void> {
    const { address, log, upkeepClock, quotas } = this.options;
    if (this.state !== 'open') return Promise.resolve();
    const plan: PlanUpkeep = (wallMs, keptMs) => this.deletionTime.plan(wallMs, keptMs);
    const isStopped = () => this.state !== 'open';
    this.upkeep ??= runUpkeep(address, plan, isStopped, upkeepClock, quotas?.limits)
      .then(
        () => this.health.worked(),
        (error: unknown) => {
          const reason = messageOf(toStoreError(error));
          if (reason !== this.health.failure) log.warn({ reason }, 'upkeep failed');
          this.health.failed(reason);
        },
      )
      .finally(() => (this.upkeep = undefined));
    return this.upkeep;
  }

  /** Retries until the database is reached. */
  async beginLater(): Promise<void> {
    const { address, clock, log } = this.options;
    while (this.state === 'away') {
      await sleep(OPEN_RETRY_MS, undefined, { ref: false });
      try {
        await migratePostgres(address, clock.nowMs());
        this.begin();
        log.info({}, 'the database has been reached');
      } catch (error) {
        this.noteRefusal(error);
        if (error instanceof StoreOpenError) log.error({ err: error }, 'the database cannot be used');
        else log.debug({ err: error }, 'the database is still unreachable');
      }
    }
  }

  /** Remembers a refused log-in until the database has been reached. */
  noteRefusal(error: unknown): void {
    this.openRefusal = error instanceof LoginRefused ? error.message : undefined;
  }

  private admit(command: Command, getSignal: GetSignal | undefined): Promise<CommandResult<Command>> {
    if (this.state !== 'open') return Promise.reject(this.refusal());
    const wait = this.options.served?.beforeWrite();
    return wait === undefined
      ? this.decide(command, getSignal)
      : wait.then(() => this.decide(command, getSignal));
  }

  private decide(command: Command, getSignal: GetSignal | undefined): Promise<CommandResult<Command>> {
    return this.state === 'open' ? this.writes.decide(command, getSignal) : Promise.reject(this.refusal());
  }

  private read<T>(read: () => Promise<T>): Promise<T> {
    return this.state === 'open' ? read() : Promise.reject(this.refusal());
  }

  private refusal(): StoreUnavailable {
    return new StoreUnavailable(
      this.state === 'away' ? 'the database has not been reached yet' : 'the store is closing or closed',
    );
  }

  private async closeAll(): Promise<void> {
    this.state = 'closing';
    this.setReady();
    clearInterval(this.upkeepTimer);
    await this.writes.finish();
    await this.upkeep;
    const readers = [this.connections, this.longReads.quick, this.longReads.slow, this.views];
    await Promise.all([this.writer.close(), ...readers.map((connections) => connections.close())]);
  }
}
