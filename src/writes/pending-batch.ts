// The deciding code's view of one batch, for every engine: committed rows, read when first asked for and then kept, with
// the batch's writes on top; at the end the rows to write, the feed's entries and the updates for followers of zones.
//
//   begin(author) → decide(command, view) → keep() or undo()     for each command
//   finish() → BatchWrites                                       once
//
// Never talks to a database and never reads a clock.
import { assert } from '../base/assert.ts';
import { visitInSteps, type Steps } from '../base/steps.ts';
import type { Account, ApiKey } from '../model/account.ts';
import type { BatchView } from './batch-view.ts';
import type { Author, CommandSuccess } from './command.ts';
import type { DeletedDomain, Domain, ZoneName } from '../model/domain.ts';
import type { OwnerRecords } from './owner-records.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { RecordsChanged, SoaSettings } from '../model/record-changes.ts';
import type { LaterChanges } from './rewind-records.ts';
import type { BatchWrites, Counters, RecordWrite, RetiredSerial } from './batch-writes.ts';
import { foldChanges, type HistoryChange } from './history.ts';
import { keepOutcome, type KeptOutcome } from './kept-outcome.ts';
import { PendingAccounts } from './pending-accounts.ts';
import { PendingDomain } from './pending-domain.ts';
import type { RowReader } from './row-reader.ts';
import { laterSerial, nextSerial, serialLead } from '../dns/serial.ts';
import { UndoLog } from './undo-log.ts';
import { IDEMPOTENCY_HOURS } from '../model/write-limits.ts';

/** A deleted domain's serial is kept a day longer than needed, so that a clock set back that far does no harm. */
const RETIRED_SERIAL_MARGIN_SECONDS = 86_400;

export class PendingBatch implements BatchView {
  private readonly rows: RowReader;
  private readonly counters: Counters;
  private readonly undoLog = new UndoLog();
  private readonly accounts: PendingAccounts;
  private author: Author | null = null;
  private lastDomainId: number;
  /** By name, the domain that now stands there; null: none. */
  private readonly domains = new Map<ZoneName, PendingDomain | null>();
  /** Every domain that was looked at, also deleted ones, in the order of looking. */
  private readonly seenDomains = new Map<number, PendingDomain>();
  private readonly retiredSerials = new Map<ZoneName, RetiredSerial>();
  private readonly deletedDomains: DeletedDomain[] = [];
  private readonly restoredDomainIds: number[] = [];
  private readonly changes: HistoryChange[] = [];
  /** Of the commands that were kept. */
  private keptChanges = 0;
  /** Of the command that is being decided, the first in `changes`. */
  private firstChange = 0;
  /** By API key and idempotency key. */
  private readonly keptOutcomes = new Map<string, KeptOutcome>();

  constructor(rows: RowReader, counters: Counters) {
    this.rows = rows;
    this.counters = counters;
    this.lastDomainId = counters.lastDomainId;
    this.accounts = new PendingAccounts(rows, this.undoLog);
  }

  /** Before each command; null where nobody is there yet. */
  begin(author: Author | null): void {
    this.author = author;
    this.firstChange = this.changes.length;
  }

  /** The command succeeded: what it wrote stays. */
  keep(): void {
    this.undoLog.forget();
    this.keptChanges = this.changes.length;
  }

  /** The command was refused or failed: the view is again as it was before it. */
  undo(): void {
    this.undoLog.takeBack();
    this.changes.length = this.keptChanges;
  }

  /** What the author's request was answered when it was made before; undefined also when that is too long ago. */
  findKeptOutcome({ keyId, idempotency, atMs }: Author): KeptOutcome | undefined {
    if (idempotency === undefined) return undefined;
    const kept =
      this.keptOutcomes.get(outcomePlace(keyId, idempotency.key)) ??
      this.rows.findKeptOutcome(keyId, idempotency.key);
    return kept !== undefined && kept.atMs > atMs - IDEMPOTENCY_MS ? kept : undefined;
  }

  /** For whoever repeats the author's request. */
  keepOutcome(author: Author, result: CommandSuccess): void {
    const kept = keepOutcome(author, result);
    if (kept === undefined) return;
    const place = outcomePlace(kept.keyId, kept.key);
    const before = this.keptOutcomes.get(place);
    this.keptOutcomes.set(place, kept);
    this.undoLog.add(() =>
      before === undefined ? this.keptOutcomes.delete(place) : this.keptOutcomes.set(place, before),
    );
  }

  /** Of a result that this batch keeps. */
  amendOutcome(author: Author, result: CommandSuccess): void {
    const { keyId, idempotency } = author;
    if (idempotency === undefined || !this.keptOutcomes.has(outcomePlace(keyId, idempotency.key))) return;
    this.keepOutcome(author, result);
  }

  /** Whether the command that was decided last has left anything in the feed. */
  hasWritten(): boolean {
    return this.changes.length > this.firstChange;
  }

  /** What the command that is being decided has made of records and SOA fields so far. */
  difference(): Omit<RecordsChanged, 'unchanged'> {
    const changes = this.changes.slice(this.firstChange);
    const gone = changes.filter(({ kind }) => kind === 'domainDelete');
    const deleted = gone.flatMap(({ domainId }) => this.seenDomains.get(domainId)?.allRecords() ?? []);
    const folded = foldChanges(changes);
    return { ...folded, deleted: [...folded.deleted, ...deleted] };
  }

  findAccount(id: string): Account | undefined {
    return this.accounts.findAccount(id);
  }

  findKey(id: string): ApiKey | undefined {
    return this.accounts.findKey(id);
  }

  accountCount(): number {
    return this.counters.accountCount + this.accounts.createdCount();
  }

  putAccount(account: Account): void {
    this.accounts.putAccount(account);
  }

  putKey(key: ApiKey): void {
    this.accounts.putKey(key);
  }

  deleteKey(id: string): void {
    this.accounts.deleteKey(id);
  }

  findDomain(name: ZoneName): Domain | undefined {
    return this.pendingByName(name)?.current;
  }

  insertDomain(domain: Pick<Domain, 'accountId' | 'name' | 'createdAtSeconds'>): Domain {
    const { accountId, name, createdAtSeconds } = domain;
    assert(this.pendingByName(name) === null, `no domain ${name} yet`);
    const retired = this.retiredSerials.get(name)?.serial ?? this.rows.findRetiredSerial(name);
    const fromClock = createdAtSeconds >>> 0;
    const serial = retired === undefined ? fromClock : laterSerial(fromClock, nextSerial(retired));
    const id = ++this.lastDomainId;
    const none = { soaPrimary: null, soaEmail: null, recordCount: 0 };
    const created: Domain = { id, accountId, name, createdAtSeconds, serial, ...none };
    const pending = new PendingDomain(created, false, this.rows, this.undoLog);
    this.seenDomains.set(id, pending);
    this.setDomain(name, pending);
    this.undoLog.add(() => {
      this.seenDomains.delete(id);
      this.lastDomainId = id - 1;
    });
    this.accounts.count(accountId, 1, 0);
    this.noteHead(pending);
    return created;
  }

  updateDomain(domain: Domain, fields: Partial<Pick<Domain, 'soaPrimary' | 'soaEmail'>>): Domain {
    const pending = this.pending(domain);
    const { soaPrimary, soaEmail } = pending.current;
    pending.raiseSerial();
    pending.change(fields);
    this.noteHead(pending, { soaPrimary, soaEmail });
    return pending.current;
  }

  deleteDomain(domain: Domain): void {
    const pending = this.pending(domain);
    pending.raiseSerial();
    pending.delete();
    this.setDomain(domain.name, null);
    this.accounts.count(pending.current.accountId, -1, 0);
    this.retireSerial(pending.current);
    this.note(pending, 'domainDelete', null);
    const length = this.deletedDomains.push({ ...pending.current, deletedAtMs: this.getAuthor().atMs });
    this.undoLog.add(() => (this.deletedDomains.length = length - 1));
  }

  findDeletedDomain(name: ZoneName, accountId: string, id?: number): DeletedDomain | undefined {
    const mine = this.deletedDomains.findLast(
      (deleted) =>
        deleted.name === name && (id === undefined || deleted.id === id) && this.isKept(deleted, accountId),
    );
    if (mine !== undefined) return mine;
    const found =
      id === undefined ? this.rows.findLastDeleted(name, accountId) : this.rows.findDeletedDomain(id);
    return found?.name === name && this.isKept(found, accountId) ? found : undefined;
  }

  *restoreDomain(deleted: DeletedDomain, createdAtSeconds: number): Steps<Domain> {
    const { accountId, name, soaPrimary, soaEmail } = deleted;
    const created = this.insertDomain({ accountId, name, createdAtSeconds });
    if (soaPrimary !== null || soaEmail !== null) this.updateDomain(created, { soaPrimary, soaEmail });
    const mine = this.seenDomains.get(deleted.id);
    const records = mine === undefined ? this.rows.recordsOf(deleted.id) : mine.allRecords();
    yield* visitInSteps(records, (record) => this.putRecord(created, record));
    const length = this.restoredDomainIds.push(deleted.id);
    this.undoLog.add(() => (this.restoredDomainIds.length = length - 1));
    return this.pending(created).current;
  }

  changesLater(domain: Domain, serial: number): LaterChanges {
    const { committed, current } = this.pending(domain);
    if (serialLead(current.serial, serial) < 0) return { changes: [], reachesBack: false };
    const kept = committed === null ? nothingLater : this.rows.changesLater(domain.id, serial);
    const isNow = committed?.serial === serial;
    const mine = this.changes.filter(({ domainId }) => domainId === domain.id);
    return {
      changes: [...kept.changes, ...mine.filter((change) => serialLead(change.serial, serial) > 0)],
      reachesBack: kept.reachesBack || isNow || mine.some((change) => change.serial === serial),
    };
  }

  findRecord(domain: Domain, recordId: string): DomainRecord | undefined {
    return this.pending(domain).findRecord(recordId);
  }

  recordsAt(domain: Domain, owner: OwnerKey): OwnerRecords {
    return this.pending(domain).recordsAt(owner);
  }

  recordsOf(domain: Domain): readonly DomainRecord[] {
    return this.pending(domain).allRecords();
  }

  /** A record that replaces one must have been found in this batch before; any other id is taken for a new one. */
  putRecord(domain: Domain, record: DomainRecord): void {
    const pending = this.pending(domain);
    pending.recordsAt(record.owner);
    const before = pending.knownRecord(record.id);
    pending.raiseSerial();
    if (before !== undefined) {
      this.note(pending, 'recordDelete', before);
      if (before.owner !== record.owner) pending.drop(before);
    } else {
      pending.change({ recordCount: pending.current.recordCount + 1 });
    }
    pending.put(record, before);
    this.note(pending, 'recordPut', record);
  }

  deleteRecord(domain: Domain, record: DomainRecord): void {
    const pending = this.pending(domain);
    const before = pending.findRecord(record.id);
    if (before === undefined) return;
    pending.raiseSerial();
    pending.change({ recordCount: pending.current.recordCount - 1 });
    pending.drop(before);
    this.note(pending, 'recordDelete', before);
  }

  /** What to commit. Call it after the last `keep` or `undo`; the view is of no use afterwards. */
  finish(): BatchWrites {
    const touched = Array.from(this.seenDomains.values()).filter((pending) => pending.isTouched);
    const left = touched.filter((pending) => !pending.isDeleted);
    const accounts = this.accounts.writes();
    return {
      ...accounts,
      counters: this.countersAfter(accounts),
      deletedDomains: this.deletedDomains,
      restoredDomainIds: this.restoredDomainIds,
      createdDomains: left.filter((p) => p.committed === null).map((p) => p.current),
      changedDomains: left.filter((p) => p.committed !== null).map((p) => p.current),
      retiredSerials: [...this.retiredSerials.values()],
      // Also of deleted domains: they may be restored, with what this batch wrote to them before.
      ...recordWrites(touched),
      changes: this.changes,
      keptOutcomes: [...this.keptOutcomes.values()],
      updates: touched.map((pending) => pending.update()).filter((update) => update !== undefined),
    };
  }

  private countersAfter(accounts: ReturnType<PendingAccounts['writes']>): Counters | null {
    const before = this.counters;
    const after: Counters = {
      lastSeq: before.lastSeq + this.changes.length,
      lastDomainId: this.lastDomainId,
      accountCount: before.accountCount + accounts.createdAccounts.length,
      keyCount: before.keyCount + accounts.createdKeys.length - accounts.deletedKeyIds.length,
    };
    const same =
      after.lastSeq === before.lastSeq &&
      after.accountCount === before.accountCount &&
      after.keyCount === before.keyCount;
    return same ? null : after;
  }

  private pendingByName(name: ZoneName): PendingDomain | null {
    const known = this.domains.get(name);
    if (known !== undefined) return known;
    const row = this.rows.findDomain(name);
    const pending = row === undefined ? null : new PendingDomain(row, true, this.rows, this.undoLog);
    this.domains.set(name, pending);
    if (pending !== null) this.seenDomains.set(pending.current.id, pending);
    return pending;
  }

  private pending(domain: Domain): PendingDomain {
    const pending = this.seenDomains.get(domain.id);
    assert(pending !== undefined && !pending.isDeleted, `domain ${domain.name} was found in this batch`);
    return pending;
  }

  private isKept(deleted: DeletedDomain, accountId: string): boolean {
    return deleted.accountId === accountId && !this.restoredDomainIds.includes(deleted.id);
  }

  private setDomain(name: ZoneName, pending: PendingDomain | null): void {
    const before = this.domains.get(name);
    this.domains.set(name, pending);
    this.undoLog.add(() =>
      before === undefined ? this.domains.delete(name) : this.domains.set(name, before),
    );
  }

  /** Nothing to keep once the clock has passed the serial: a first serial is the time of creation. */
  private retireSerial({ name, serial }: Domain): void {
    const before = this.retiredSerials.get(name);
    const nowSeconds = Math.floor(this.getAuthor().atMs / 1000);
    const neededUntilSeconds =
      nowSeconds + Math.max(0, serialLead(serial, nowSeconds)) + RETIRED_SERIAL_MARGIN_SECONDS;
    this.retiredSerials.set(name, { name, serial, neededUntilSeconds });
    this.undoLog.add(() =>
      before === undefined ? this.retiredSerials.delete(name) : this.retiredSerials.set(name, before),
    );
  }

  private noteHead(pending: PendingDomain, soaBefore: SoaSettings | null = null): void {
    this.note(pending, 'domainPut', null, soaBefore);
  }

  private note(
    pending: PendingDomain,
    kind: HistoryChange['kind'],
    record: DomainRecord | null,
    soaBefore: SoaSettings | null = null,
  ): void {
    const { keyId, atMs, address = null, note = null } = this.getAuthor();
    const { id: domainId, name: domain, serial } = pending.current;
    const head = kind === 'domainPut' ? pending.head() : null;
    const seq = this.counters.lastSeq + 1 + this.changes.length;
    const about = { domainId, domain, serial, atMs, keyId, address, note };
    this.changes.push({ seq, ...about, kind, record, head, soaBefore });
  }

  private getAuthor(): Author {
    assert(this.author !== null, 'a command that writes domains or records has an author');
    return this.author;
  }
}

const IDEMPOTENCY_MS = IDEMPOTENCY_HOURS * 3_600_000;

/** Neither holds a space. */
function outcomePlace(keyId: string, idempotencyKey: string): string {
  return `${keyId} ${idempotencyKey}`;
}

const nothingLater: LaterChanges = { changes: [], reachesBack: false };

function recordWrites(
  domains: readonly PendingDomain[],
): Pick<BatchWrites, 'createdRecords' | 'changedRecords' | 'deletedRecords'> {
  const createdRecords: RecordWrite[] = [];
  const changedRecords: RecordWrite[] = [];
  const deletedRecords: RecordWrite[] = [];
  for (const pending of domains) {
    const domainId = pending.current.id;
    for (const [before, after] of pending.recordWrites()) {
      if (after !== null)
        (before === null ? createdRecords : changedRecords).push({ domainId, record: after });
      else if (before !== null) deletedRecords.push({ domainId, record: before });
    }
  }
  return { createdRecords, changedRecords, deletedRecords };
}
