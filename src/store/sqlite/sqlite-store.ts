// The embedded store: one SQLite file in a folder of its own.
//
//   write ─▶ beforeWrite ─▶ queue ─▶ writer thread: decide, commit a batch, fsync ─▶ afterCommit ─▶ callers
//   dry runs, large writes ─▶ preparing threads: decide on a snapshot ─▶ callers, if there is nothing to write
//                                                └▶ rows in a file ─▶ writer thread: check the basis, copy, fsync
//   short reads ─▶ this thread, a read-only connection
//   long reads ─▶ semaphore of the lane ─▶ log gate ─▶ reader threads of the lane
//   zone views ─▶ log gate ─▶ a connection each
//
// Decides nothing itself. Never waits for the disk on the calling thread except to read.
import type { Account, ApiKey } from '../../model/account.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import type { Clock } from '../../base/clock.ts';
import type { GuardedReading } from '../../base/guarded-time.ts';
import type { GetSignal } from '../../base/fair-semaphore.ts';
import type { DeletedDomain, Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { FoundRecord, ListedRecord, Page, PageRequest, Store } from '../store.ts';
import type { ServedWrites } from '../after-commit.ts';
import type { ZoneView } from '../zone-view.ts';
import type { StoredQuota } from '../../writes/check-quotas.ts';
import type { ChangeFilter, ChangePage } from '../change-filter.ts';
import type { RecordFilter } from '../record-filter.ts';
import { LongReads, type ReadLane } from '../long-reads.ts';
import {
  hasLongRecords,
  isShort,
  MAX_SHORT_CHANGES,
  MAX_SHORT_RECORDS,
  type ListWeight,
} from '../short-reads.ts';
import { noObserver, observeCommand, type StoreObserver } from '../store-observer.ts';
import { DeletionTime } from '../deletion-time.ts';
import { DomainOrder } from '../domain-order.ts';
import { LogGate } from './log-gate.ts';
import { openStoreFiles } from './open-store-files.ts';
import { openDatabase, sqliteErrorCode, type SqliteDatabase } from './sqlite-driver.ts';
import type { LongRead, ReadArguments, ReadResult } from './reader-messages.ts';
import { ReaderThreads } from './reader-threads.ts';
import { answer } from './answer-read.ts';
import { SqliteReads } from './sqlite-reads.ts';
import { createAccountReads } from './sqlite-account-reads.ts';
import { createPeopleReads } from './sqlite-people.ts';
import { createClaimReads } from './sqlite-claim-reads.ts';
import { createNameReads } from './sqlite-name-reads.ts';
import { createSigningReads } from './sqlite-signing-reads.ts';
import { SqliteZoneView } from './sqlite-zone-view.ts';
import { readTrustedMs } from './sqlite-upkeep.ts';
import type { SqliteStoreOptions } from './sqlite-store-options.ts';
import type { StoreLock } from './store-lock.ts';
import type { WriteHealth } from '../write-health.ts';
import { WriterClient } from './writer-client.ts';
import { basisMoved } from '../preparing-turns.ts';
import {
  canWriterDecide,
  isLarge,
  weighCommand,
  type CommandWeight,
  type TouchedRows,
} from '../../writes/command-weight.ts';
import { PreparingThreads, type PreparingLane } from './preparing-threads.ts';
import { EmbeddedNameserver } from './embedded-nameserver.ts';
import { createTouchedRows } from './sqlite-touched-rows.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import type { Change } from '../../writes/change.ts';

/** How often expired data is removed. */
const UPKEEP_INTERVAL_MS = 60_000;

/** After a failed write, upkeep tries whether writes work again: a load balancer takes the service back that soon. */
const WRITE_RETRY_MS = 5_000;

/** Page cache of the reading connection. */
const READER_CACHE_KIB = 32 * 1024;

/** @throws StoreOpenError with one sentence if the store is not writable, in use, newer than this program or damaged */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { folder, clock, observer = noObserver } = options;
  const { path, lock } = openStoreFiles(folder, clock.nowMs());
  let writer: WriterClient | undefined;
  try {
    writer = await WriterClient.start({ ...options, path, observer });
    return new SqliteStore({ path, lock, writer, options });
  } catch (error) {
    await writer?.close();
    lock.release();
    throw error;
  }
}

interface StoreParts {
  readonly path: string;
  readonly lock: StoreLock;
  readonly writer: WriterClient;
  readonly options: SqliteStoreOptions;
}

export class SqliteStore implements Store {
  readonly signing: Store['signing'];
  readonly claims: Store['claims'];
  readonly names: Store['names'];
  readonly people: Store['people'];
  readonly trail: Store['trail'];
  readonly accounts: Store['accounts'];
  private readonly path: string;
  private readonly lock: StoreLock;
  private readonly writer: WriterClient;
  private readonly observer: StoreObserver;
  private readonly served: ServedWrites | undefined;
  private readonly nameserver: EmbeddedNameserver;
  private readonly clock: Clock;
  private readonly database: SqliteDatabase;
  private readonly reads: SqliteReads;
  private readonly longReads = new LongReads();
  private readonly logGate: LogGate;
  private readonly readers: Readonly<Record<ReadLane, ReaderThreads>>;
  private readonly preparing: Readonly<Record<PreparingLane, PreparingThreads>>;
  private readonly order = new DomainOrder();
  private readonly touchedRows: (command: Command) => TouchedRows;
  private readonly deletionTime: DeletionTime;
  /** The trusted time that the store keeps. */
  private trustedMs: number | null;
  private readonly upkeepTimer: NodeJS.Timeout;
  private readonly retryTimer: NodeJS.Timeout;
  private closed: Promise<void> | undefined;

  constructor({ path, lock, writer, options }: StoreParts) {
    this.path = path;
    this.lock = lock;
    this.writer = writer;
    this.observer = options.observer ?? noObserver;
    this.served = options.served;
    this.clock = options.clock;
    this.database = openDatabase(path, { readOnly: true });
    this.database.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}`);
    this.reads = new SqliteReads(this.database);
    const { served, reads, clock } = this;
    this.nameserver = new EmbeddedNameserver({ name: options.nameserver, served, reads, clock });
    this.signing = createSigningReads(this.database);
    this.claims = createClaimReads(this.database);
    this.names = createNameReads(this.database);
    this.people = createPeopleReads(this.database);
    this.trail = this.createTrailReads();
    this.accounts = createAccountReads(this.database);
    this.logGate = new LogGate(path, () => writer.shortenLog(), options.logLimits);
    const openLane = (lane: ReadLane) => new ReaderThreads(path, options.log, this.logGate, lane);
    this.readers = { quick: openLane('quick'), slow: openLane('slow') };
    const { quotas, dnssec, workMemoryBytes } = options;
    const preparing = {
      data: { path, quotas, dnssec, workMemoryBytes },
      clock: options.clock,
      findClockFault: options.findClockFault,
      log: options.log,
      gate: this.logGate,
      writer,
    };
    const openPreparing = (lane: PreparingLane) => new PreparingThreads(preparing, lane);
    this.preparing = { small: openPreparing('small'), large: openPreparing('large') };
    this.touchedRows = createTouchedRows(this.database);
    this.deletionTime = new DeletionTime(options);
    this.trustedMs = readTrustedMs(this.database);
    void this.tidy();
    this.upkeepTimer = setInterval(() => void this.tidy(), UPKEEP_INTERVAL_MS).unref();
    this.retryTimer = setInterval(() => {
      if (this.health.failure !== undefined) void this.tidy();
    }, WRITE_RETRY_MS).unref();
  }

  /** The state of the clock by which upkeep deletes; undefined before the first run. */
  deletionReading(): GuardedReading | undefined {
    return this.deletionTime.reading;
  }

  /** Whether writes are committed; upkeep proves it once a minute. */
  get health(): WriteHealth {
    return this.writer.health;
  }

  /** Runs upkeep; resolves when it has ended. Never rejects. */
  tidy(): Promise<void> {
    const wallMs = this.clock.nowMs();
    const plan = this.deletionTime.plan(wallMs, this.trustedMs);
    this.trustedMs = plan.trustedMs ?? this.trustedMs;
    return this.writer.runUpkeep(plan, wallMs);
  }

  write<C extends Command>(command: C, getSignal?: GetSignal): Promise<CommandResult<C>> {
    const result = this.admit(command, getSignal) as Promise<CommandResult<C>>;
    return observeCommand(this.observer, command, result);
  }

  private decide(command: Command, getSignal: GetSignal | undefined): Promise<CommandResult<Command>> {
    const weight = this.weigh(command);
    const isHeavy = isLarge(weight);
    const isPrepared = isHeavy || command.dryRun !== undefined;
    return this.order.run(command, isHeavy && command.dryRun === undefined, () => {
      if (this.closed !== undefined) return Promise.reject(new StoreUnavailable('the store is closed'));
      if (!isPrepared) return this.writer.write(command, weight);
      return this.prepareFirst(command, weight, this.preparing[isHeavy ? 'large' : 'small'], getSignal);
    });
  }

  private async prepareFirst(
    command: Command,
    weight: CommandWeight,
    threads: PreparingThreads,
    getSignal: GetSignal | undefined,
  ): Promise<CommandResult<Command>> {
    const result = await threads.run(command, getSignal);
    if (result !== undefined) return result;
    if (!canWriterDecide(weight)) throw basisMoved();
    return await this.writer.write(command, weight);
  }

  /** If the rows cannot be counted now, the command counts as what it carries. */
  private weigh(command: Command): CommandWeight {
    try {
      return weighCommand(command, this.touchedRows(command));
    } catch (error) {
      if (sqliteErrorCode(error) === undefined && this.closed === undefined) throw error;
      return weighCommand(command);
    }
  }

  /** Number of commands that wait for their commit. */
  queuedCommands(): number {
    return this.writer.queueLength;
  }

  findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    return answer(() => this.reads.findKeyByHash(hash));
  }

  findAccount(id: string): Promise<Account | undefined> {
    return answer(() => this.reads.findAccount(id));
  }

  findQuota(id: string): Promise<StoredQuota | undefined> {
    return answer(() => this.reads.findQuota(id));
  }

  listAccounts(page: PageRequest): Promise<Page<Account>> {
    return answer(() => this.reads.listAccounts(page));
  }

  listKeys(accountId: string | null, page: PageRequest): Promise<Page<ApiKey>> {
    return answer(() => this.reads.listKeys(accountId, page));
  }

  findDomain(accountId: string, name: ZoneName): Promise<Domain | undefined> {
    return answer(() => this.reads.findDomain(accountId, name));
  }

  listDomains(
    accountId: string,
    page: PageRequest,
    search?: string,
    getSignal?: GetSignal,
  ): Promise<Page<Domain>> {
    if (search === undefined) return answer(() => this.reads.listDomains(accountId, page));
    return this.readLong(accountId, getSignal, 'listDomains', accountId, page, search);
  }

  listDeletedDomains(
    accountId: string,
    page: PageRequest,
    getSignal?: GetSignal,
  ): Promise<Page<DeletedDomain>> {
    const isFew = this.isShort(() => this.reads.weighDeletedDomains(accountId), MAX_SHORT_CHANGES);
    if (isFew) return answer(() => this.reads.listDeletedDomains(accountId, page));
    return this.readLong(accountId, getSignal, 'listDeletedDomains', accountId, page);
  }

  findDeletedDomain(accountId: string, name: ZoneName, id?: number): Promise<DeletedDomain | undefined> {
    return answer(() => this.reads.findDeletedDomain(accountId, name, id));
  }

  findRecord(domainId: number, recordId: string): Promise<DomainRecord | undefined> {
    return answer(() => this.reads.findRecord(domainId, recordId));
  }

  listRecords(
    domain: Domain,
    page: PageRequest,
    filter?: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<ListedRecord>> {
    const isFew = (): boolean =>
      this.isShort(() => this.reads.weighRecords(domain.id, filter?.owner), MAX_SHORT_RECORDS);
    if (filter === undefined ? !hasLongRecords(domain) : isFew())
      return answer(() => this.reads.listRecords(domain, page, filter));
    return this.readLong(domain.accountId, getSignal, 'listRecords', domain, page, filter);
  }

  searchRecords(
    accountId: string,
    page: PageRequest,
    filter: RecordFilter,
    getSignal?: GetSignal,
  ): Promise<Page<FoundRecord>> {
    return this.readLong(accountId, getSignal, 'searchRecords', accountId, page, filter);
  }

  listChanges(
    domain: Domain,
    page: PageRequest,
    filter?: ChangeFilter,
    getSignal?: GetSignal,
  ): Promise<ChangePage> {
    if (this.isShort(() => this.reads.weighChanges(domain.id), MAX_SHORT_CHANGES))
      return answer(() => this.reads.listChanges(domain, page, filter));
    return this.readLong(domain.accountId, getSignal, 'listChanges', domain, page, filter);
  }

  async openZoneView(accountId: string, name: ZoneName): Promise<ZoneView | undefined> {
    const leave = await this.logGate.enter();
    return await answer(() => SqliteZoneView.open(this.path, accountId, name, leave));
  }

  findHistoryStart({ id }: Domain): Promise<number | undefined> {
    return answer(() => this.reads.findHistoryStart(id));
  }

  servedSerials(domain: Domain): ReturnType<Store['servedSerials']> {
    return answer(() => this.nameserver.readSerials(domain));
  }

  nameserverReports(): ReturnType<Store['nameserverReports']> {
    return answer(() => this.nameserver.readReports());
  }

  changesAfter(seq: number, limit: number): Promise<readonly Change[]> {
    return answer(() => this.reads.changesAfter(seq, limit));
  }

  lastSeq(): Promise<number> {
    return answer(() => this.reads.lastSeq());
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  private admit(command: Command, getSignal?: GetSignal): Promise<CommandResult<Command>> {
    const wait = this.served?.beforeWrite();
    return wait === undefined
      ? this.decide(command, getSignal)
      : wait.then(() => this.decide(command, getSignal));
  }

  /** A store that cannot be read fails in the read itself. */
  private isShort(weigh: () => ListWeight, maxRows: number): boolean {
    try {
      return isShort(weigh(), maxRows);
    } catch (error) {
      if (sqliteErrorCode(error) === undefined) throw error;
      return false;
    }
  }

  private readLong<K extends LongRead>(
    accountId: string,
    getSignal: GetSignal | undefined,
    read: K,
    ...args: ReadArguments<K>
  ): Promise<ReadResult<K>> {
    return this.longReads.run(accountId, getSignal, (lane) =>
      this.readers[lane].read(getSignal?.(), read, ...args),
    );
  }

  private createTrailReads(): Store['trail'] {
    return {
      list: (readerId, filter, page, getSignal) =>
        this.isShort(() => this.reads.weighTrail(filter), MAX_SHORT_CHANGES)
          ? answer(() => this.reads.listTrail(filter, page))
          : this.readLong(readerId, getSignal, 'listTrail', filter, page),
      slice: (readerId, filter, from, getSignal) =>
        this.readLong(readerId, getSignal, 'sliceTrail', filter, from),
      octets: (accountId) => answer(() => this.reads.trailOctets(accountId)),
    };
  }

  private async closeAll(): Promise<void> {
    clearInterval(this.upkeepTimer);
    clearInterval(this.retryTimer);
    await Promise.all([this.preparing.small.close(), this.preparing.large.close()]);
    await this.writer.close();
    await Promise.all([this.readers.quick.close(), this.readers.slow.close()]);
    this.database.close();
    this.lock.release();
  }
}
