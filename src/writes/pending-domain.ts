import { assert } from '../base/assert.ts';
import { HashSum } from '../base/hash-sum.ts';
import type { Denial } from '../dns/proven-types.ts';
import type { Domain, HashedDomain } from '../model/domain.ts';
import { groupByOwner, OwnerRecords } from './owner-records.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { addRecord, subtractRecord } from '../model/zone-hash.ts';
import { isGeneratedId } from '../model/generated-row.ts';
import type { SigningWork } from '../model/signing-work.ts';
import type { Claim } from '../model/claim.ts';
import type { WithholdReasons } from '../model/withholding.ts';
import { PendingKeys } from './pending-keys.ts';
import { GeneratedRows, type GeneratedWrite } from './signing/generated-rows.ts';
import type { RowReader } from './row-reader.ts';
import type { FoundOwner } from './signing/signable-domain.ts';
import { nextSerial } from '../dns/serial.ts';
import type { UndoLog } from './undo-log.ts';

/**
 * The place of a domain when the batch began. The records of a deleted domain are in the store as those of a hosted one are.
 */
export type DomainOrigin = 'created' | 'hosted' | 'deleted';

/**
 * One domain in a batch: its committed row and records, loaded on first use, with the batch's writes on top. The undo log
 * can undo every write.
 */
export class PendingDomain {
  readonly origin: DomainOrigin;
  /** The row of a domain that was hosted when the batch began. */
  readonly committed: HashedDomain | null;
  private domain: Domain;
  /** The sum of its records' hashes; undefined if that of the committed ones is not known. Never changed in place. */
  private contentSum: HashSum | undefined;
  private deleted: boolean;
  private serialRaised: boolean;
  private isWithheldOtherwise = false;
  private readonly owners = new Map<OwnerKey, OwnerRecords>();
  /** Whether `owners` contains all committed records. */
  private complete = false;
  /** Committed records by id; null for ids that do not exist. */
  private readonly committedRecords = new Map<string, DomainRecord | null>();
  /** Records written by this batch, by id; null for deleted ones. */
  private readonly written = new Map<string, DomainRecord | null>();
  readonly keys: PendingKeys;
  /** Made on first use: most domains are not signed. */
  private generatedRows: GeneratedRows | undefined;
  private renewed: Map<OwnerKey, ReadonlySet<number>> | undefined;
  private presigned: readonly DomainRecord[] | undefined;
  private droppedRows: Map<string, OwnerKey> | undefined;
  /** As the stored generated rows are. */
  readonly storedDenial: Denial | null;
  readonly storedWork: SigningWork | null;
  private readonly rows: RowReader;
  private readonly undoLog: UndoLog;

  constructor(row: HashedDomain, origin: DomainOrigin, rows: RowReader, undoLog: UndoLog) {
    const { contentHash, ...domain } = row;
    this.origin = origin;
    this.committed = origin === 'hosted' ? row : null;
    this.deleted = origin === 'deleted';
    this.domain = domain;
    this.contentSum = contentHash === null ? undefined : HashSum.parse(contentHash);
    this.serialRaised = origin === 'created';
    this.keys = new PendingKeys(domain.id, rows, undoLog, origin === 'created');
    this.storedDenial = origin === 'created' ? null : domain.denial;
    this.storedWork = origin === 'created' ? null : domain.signingWork;
    this.rows = rows;
    this.undoLog = undoLog;
  }

  get current(): Domain {
    return this.domain;
  }

  get generated(): GeneratedRows {
    this.generatedRows ??= new GeneratedRows(this.domain.id, this.rows, this.origin === 'created');
    return this.generatedRows;
  }

  /** Types whose signatures are made again, by owner. */
  get renewals(): ReadonlyMap<OwnerKey, ReadonlySet<number>> {
    this.renewed ??= new Map();
    return this.renewed;
  }

  /** The rows that take the place of all generated ones: another signer has made what they hold. */
  get presignedRows(): readonly DomainRecord[] | undefined {
    return this.presigned;
  }

  setPresignedRows(rows: readonly DomainRecord[] | undefined): void {
    const before = this.presigned;
    this.presigned = rows;
    this.undoLog.add(() => (this.presigned = before));
  }

  /** Whether the stored generated rows are to be brought in line. */
  needsSigning(): boolean {
    return this.serialRaised && !this.deleted && this.hasGenerated();
  }

  /** Generated rows that are removed: their owners by their ids. */
  get dropped(): ReadonlyMap<string, OwnerKey> {
    this.droppedRows ??= new Map();
    return this.droppedRows;
  }

  /**
   * Whether none of the stored generated rows fits: signing was switched on or off, or other keys sign the zone. False if
   * they are brought in line in slices.
   */
  isSignedOtherwise(): boolean {
    if (this.storedWork !== null || this.domain.signingWork !== null) return false;
    return this.storedDenial !== this.domain.denial || this.keys.areZoneSignersChanged();
  }

  /** Signatures of an owner that are made again; the types are those that they cover. */
  renew(owner: OwnerKey, types: ReadonlySet<number>): void {
    const renewed = (this.renewed ??= new Map<OwnerKey, ReadonlySet<number>>());
    const before = renewed.get(owner);
    this.undoLog.setEntry(renewed, owner, before === undefined ? types : new Set([...before, ...types]));
  }

  /** Notes a generated row that is removed with the batch. */
  dropLater(id: string, owner: OwnerKey): void {
    this.undoLog.setEntry((this.droppedRows ??= new Map<string, OwnerKey>()), id, owner);
  }

  /** The owners of committed records after a place in the order of their text, at most `limit`. */
  ownersAfter(place: string, limit: number): readonly FoundOwner[] {
    return this.rows.ownersAfter(this.domain.id, place, limit);
  }

  /** The row that the batch leaves. */
  get row(): HashedDomain {
    // The spread comes last: V8 takes microseconds for properties that follow it.
    return { contentHash: this.contentSum?.toString() ?? null, ...this.domain };
  }

  get isDeleted(): boolean {
    return this.deleted;
  }

  get isTouched(): boolean {
    return this.serialRaised || this.isWithheldOtherwise;
  }

  /** Finds a record of the customer; generated rows count as unknown. */
  findRecord(id: string): DomainRecord | undefined {
    if (isGeneratedId(id)) return undefined;
    const written = this.written.get(id);
    if (written !== undefined) return written ?? undefined;
    let committed = this.committedRecords.get(id);
    if (committed === undefined) {
      committed = this.isLoaded ? null : (this.rows.findRecord(this.domain.id, id) ?? null);
      this.committedRecords.set(id, committed);
    }
    return committed ?? undefined;
  }

  recordsAt(owner: OwnerKey): OwnerRecords {
    const known = this.owners.get(owner);
    if (known !== undefined) return known;
    const committed = this.isLoaded ? [] : this.learn(this.rows.recordsAt(this.domain.id, owner));
    if (this.hasGenerated()) this.generated.learnedOwner(owner);
    // A record written before its owner was loaded would be missed; `put` and `drop` always load the owner first.
    const records = new OwnerRecords(committed.sort(byId));
    this.owners.set(owner, records);
    return records;
  }

  /** Reads the records of owners together that `recordsAt` is about to return one by one. */
  readOwners(owners: readonly OwnerKey[]): void {
    const unread = this.isLoaded ? [] : owners.filter((owner) => !this.owners.has(owner));
    if (unread.length === 0) return;
    const read = groupByOwner(this.learn(this.rows.recordsAtOwners(this.domain.id, unread)));
    for (const owner of unread) {
      if (this.hasGenerated()) this.generated.learnedOwner(owner);
      this.owners.set(owner, new OwnerRecords((read.get(owner) ?? []).sort(byId)));
    }
  }

  /** The rows of an owner that the batch leaves: records in creation order, then generated rows. */
  servedAt(owner: OwnerKey): readonly DomainRecord[] {
    const records = this.recordsAt(owner).all;
    const generated = this.domain.denial === null ? [] : this.generated.loadedAt(owner);
    return generated.length === 0 ? records : [...records, ...generated];
  }

  /** In creation order. */
  allRecords(): readonly DomainRecord[] {
    if (!this.isLoaded) this.readAll();
    this.complete = true;
    return Array.from(this.owners.values(), ({ all }) => all)
      .flat()
      .sort(byId);
  }

  /** Changes serial, SOA fields or record count. */
  change(fields: Partial<Domain>): void {
    const before = this.domain;
    this.domain = { ...before, ...fields };
    this.undoLog.add(() => (this.domain = before));
  }

  /** Counts a record that is written, replaced or removed in the hash. */
  rehash(record: DomainRecord | undefined, before: DomainRecord | undefined): void {
    const sum = this.contentSum;
    if (sum === undefined) return;
    this.undoLog.add(() => (this.contentSum = sum));
    this.contentSum = sum.copy();
    if (before !== undefined) subtractRecord(this.contentSum, before);
    if (record !== undefined) addRecord(this.contentSum, record);
  }

  /** Counts the generated rows in the hash: once, when all are made. */
  rehashGenerated(): void {
    const sum = this.contentSum?.copy();
    if (sum === undefined) return;
    for (const [before, after] of this.generatedWrites()) {
      if (before !== null) subtractRecord(sum, before);
      if (after !== null) addRecord(sum, after);
    }
    this.contentSum = sum;
  }

  /**
   * Takes the sum of the records as they are for the hash; returns true if it was another one, because stored records are
   * damaged.
   */
  adoptSum(sum: HashSum): boolean {
    const before = this.contentSum;
    if (before === undefined) return false;
    const all = sum.copy();
    for (const row of this.generated.all()) addRecord(all, row);
    if (before.toString() === all.toString()) return false;
    this.undoLog.add(() => (this.contentSum = before));
    this.contentSum = all;
    return true;
  }

  /** Raises the serial once for each batch, at the first write; its revision is then that serial. */
  raiseSerial(): void {
    this.raiseServedSerial();
    const { serial, revisedSerial } = this.domain;
    if (revisedSerial !== serial) this.change({ revisedSerial: serial });
  }

  /** Raises the serial once for each batch, but not the revision. */
  raiseServedSerial(): void {
    if (this.serialRaised) return;
    this.serialRaised = true;
    this.undoLog.add(() => (this.serialRaised = false));
    this.change({ serial: nextSerial(this.domain.serial) });
  }

  /** Sets the serial that another signer has signed; the batch must not have raised it. */
  takeSerial(serial: number): void {
    assert(!this.serialRaised || this.origin === 'created', 'a batch gives a domain one serial');
    const wasRaised = this.serialRaised;
    this.serialRaised = true;
    this.undoLog.add(() => (this.serialRaised = wasRaised));
    this.change({ serial, revisedSerial: serial });
  }

  delete(): void {
    assert(!this.deleted, 'a domain is deleted once');
    this.deleted = true;
    this.undoLog.add(() => (this.deleted = false));
  }

  /** Its content stays as it is, and so does its serial. @param seq the entry of the feed that says so; null: there is none */
  withhold(withheld: WithholdReasons, seq: number | null): void {
    const wasOtherwise = this.isWithheldOtherwise;
    this.isWithheldOtherwise = true;
    this.undoLog.add(() => (this.isWithheldOtherwise = wasOtherwise));
    this.change({ withheld, withheldSeq: seq ?? this.domain.withheldSeq });
  }

  /** Call it before `withhold`. */
  claim(claim: Claim | null): void {
    this.change({ claim });
  }

  /** @param serial higher than any that the domain had */
  restore(serial: number): void {
    assert(this.deleted, 'a domain is restored after it was deleted');
    const wasRaised = this.serialRaised;
    this.deleted = false;
    this.serialRaised = true;
    this.undoLog.add(() => {
      this.deleted = true;
      this.serialRaised = wasRaised;
    });
    this.change({ serial, revisedSerial: serial });
  }

  /** @param before the record that it replaces */
  put(record: DomainRecord, before?: DomainRecord): void {
    const { owner } = record;
    const records = this.recordsAt(owner);
    const replaced = before?.owner === owner ? before : undefined;
    records.put(record);
    this.undoLog.add(() => {
      if (replaced === undefined) records.remove(record);
      else records.put(replaced);
    });
    this.undoLog.setEntry(this.written, record.id, record);
  }

  drop(record: DomainRecord): void {
    const { owner } = record;
    const records = this.recordsAt(owner);
    records.remove(record);
    this.undoLog.add(() => records.put(record));
    this.undoLog.setEntry(this.written, record.id, null);
  }

  /** The current record with that id, without reading from the store; undefined also if it was never loaded. */
  knownRecord(id: string): DomainRecord | undefined {
    const written = this.written.get(id);
    return (written === undefined ? this.committedRecords.get(id) : written) ?? undefined;
  }

  /** Whether no record is to be read from the store. */
  private get isLoaded(): boolean {
    return this.origin === 'created' || this.complete;
  }

  /** Loads all records; owners that were loaded before keep the batch's writes. */
  private readAll(): void {
    const read = this.learn(this.rows.recordsOf(this.domain.id));
    this.generated.learnedAll();
    for (const [owner, records] of groupByOwner(read)) {
      if (!this.owners.has(owner)) this.owners.set(owner, new OwnerRecords(records.sort(byId)));
    }
  }

  /** Keeps rows that were read; returns the customer's records among them. */
  private learn(rows: readonly DomainRecord[]): DomainRecord[] {
    const records: DomainRecord[] = [];
    for (const row of rows) {
      if (isGeneratedId(row.id)) {
        this.generated.learn(row);
        continue;
      }
      records.push(row);
      if (!this.committedRecords.has(row.id)) this.committedRecords.set(row.id, row);
    }
    return records;
  }

  /** Every record written, as committed and as the batch leaves it; null if it does not exist. */
  *recordWrites(): Generator<readonly [before: DomainRecord | null, after: DomainRecord | null]> {
    for (const [id, after] of this.written) yield [this.committedRecords.get(id) ?? null, after];
  }

  /** Every generated row written, likewise. */
  generatedWrites(): Iterable<GeneratedWrite> {
    return this.generatedRows?.writes() ?? [];
  }

  /** Whether there are generated rows, in the store or as the batch leaves the domain. */
  private hasGenerated(): boolean {
    if ((this.storedDenial ?? this.domain.denial) !== null) return true;
    return this.storedWork !== null || this.domain.signingWork !== null;
  }
}

/** Ids are UUIDv7, so that their order is the order of creation. */
function byId(a: DomainRecord, b: DomainRecord): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
