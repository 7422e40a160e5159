// The content of one awaited zone, on its way from a snapshot of the database to readers of the copy:
//
//   snapshot at R ─ slices ─▶ records under a new id, unseen ─┐
//   feed ─ its changes meanwhile ─▶ kept, those after R ──────┴─▶ the copy is at R or later: shown
//
// Runs beside the follower, on the same thread: between two slices, the changes of other zones are applied.
import { assert } from '../base/assert.ts';
import { HashSum } from '../base/hash-sum.ts';
import { addRecord } from '../model/zone-hash.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { FeedChange, FeedSnapshot, SnapshotHead } from '../store/postgres/feed-reader.ts';
import { applyUnseen, CopyMismatch } from './apply-changes.ts';
import type { AwaitedZone } from './awaited-zones.ts';
import type { CopiedRecord, CopiedZone } from './copied-zones.ts';
import type { CopyWriter } from './copy-writer.ts';

/** Records in a slice: some 10 ms, by which a change of another zone may be later. */
const FETCHED_AT_ONCE = 1000;

/** Kept changes that are applied together: some 15 ms. */
const APPLIED_AT_ONCE = 1000;

/** Octets of RDATA in a slice, by the average of the slice before; they take about as long. */
const OCTETS_AT_ONCE = 1024 * 1024;

/** The first slice, of which no average is known: 6 MiB of the longest records. */
const FIRST_SLICE = 100;

/** Slices of a zone that is read quickly: 1,100 records, unless they are long. */
const QUICK_SLICES = 2;

/** Octets that a record counts for besides its RDATA. */
const RECORD_OCTETS = 100;

/**
 * Changes of the zone that are kept while it is fetched, some 10 MB: as many five of the largest batches that are not
 * skipped. With more, the zone is shown without them and fetched again.
 */
export const MAX_KEPT_CHANGES = 20_000;

/** Octets of RDATA in them. */
const MAX_KEPT_OCTETS = 16 * 1024 * 1024;

export class ZoneFetch {
  readonly zone: AwaitedZone;
  private readonly copy: CopyWriter;
  /** The seq of the snapshot, once it is read. */
  private snapshotSeq: number | undefined;
  /** The zone as far as it is read; its records are written under its id. */
  private unseen: CopiedZone | undefined;
  private isWhole = false;
  private kept: FeedChange[] = [];
  private keptOctets = 0;
  /** Some of the kept changes are applied: the others follow before the zone is shown. */
  private hasApplied = false;
  /** Later changes are not kept: the zone is shown without them, and still awaited. */
  private isBehind = false;
  /** Whether the zone was withheld since the snapshot, also by changes that were not kept; undefined: as it was then. */
  private isWithheld: boolean | undefined;

  constructor(copy: CopyWriter, zone: AwaitedZone) {
    this.copy = copy;
    this.zone = zone;
  }

  /** Keeps the changes of the zone among those that were held back from the copy, of whole batches. */
  keep(heldBack: readonly FeedChange[]): void {
    const { snapshotSeq = 0, zone } = this;
    if (this.hasApplied && this.wantedSeq > snapshotSeq) this.isBehind = true;
    const own = heldBack.filter(({ domainId, seq }) => domainId === zone.sourceId && seq > snapshotSeq);
    for (const { kind } of own) {
      if (kind === 'domainWithhold' || kind === 'domainRelease') this.isWithheld = kind === 'domainWithhold';
    }
    if (this.isBehind) return;
    const octets = own.reduce((sum, { record }) => sum + (record?.rdata.length ?? 0), 0);
    this.keptOctets += octets;
    this.isBehind = this.kept.length + own.length > MAX_KEPT_CHANGES || this.keptOctets > MAX_KEPT_OCTETS;
    if (!this.isBehind) this.kept.push(...own);
    else if (!this.hasApplied) this.kept = [];
  }

  /** Whether the zone still waits for what this brings. */
  isWanted(): boolean {
    const { copy, zone, unseen } = this;
    if (copy.awaited.find(zone.name)?.sourceId !== zone.sourceId) return false;
    if (unseen !== undefined) return copy.awaited.isFetching(zone, unseen.head.domainId);
    // In the snapshot the domain was deleted, and it has been restored since.
    return !this.isWhole || this.wantedSeq <= (this.snapshotSeq ?? 0);
  }

  /**
   * Writes all records of the zone, unseen. Returns false if the zone is no longer awaited, or should be read quickly and has
   * more than `QUICK_SLICES`; what was written is purged then.
   */
  async read(snapshot: FeedSnapshot, isQuick: boolean, isClosing: () => boolean): Promise<boolean> {
    const { zone } = this;
    const source = (await snapshot.domainsNamed([zone.name])).at(0);
    if (isClosing() || !this.isWanted()) return false;
    this.snapshotSeq = snapshot.position?.seq ?? 0;
    // Another domain has the name, or none: the feed will say so before the copy is there.
    if (source?.domainId === zone.sourceId) {
      this.begin(source);
      let most = isQuick ? QUICK_SLICES : Infinity;
      for await (const { records, isLast } of slices(snapshot, zone.sourceId)) {
        if (isClosing() || !this.isWanted() || (--most === 0 && !isLast)) return false;
        this.put(records);
        await new Promise(setImmediate);
      }
    }
    this.isWhole = true;
    return true;
  }

  /** Whether `show` has anything to do now. */
  isDue(): boolean {
    const { position } = this.copy;
    return this.isWhole && position !== null && position.seq >= (this.snapshotSeq ?? Infinity);
  }

  /**
   * Applies some of the kept changes; after the last of them, shows the zone and returns the update. Call it when it is due and
   * wanted. The fetch is of no use any more if it throws.
   *
   * @throws CopyMismatch if the database has no such domain, or the kept changes do not fit it
   */
  show(): ZoneUpdate | undefined {
    const { copy, unseen, snapshotSeq = 0, zone } = this;
    if (unseen === undefined) throw new CopyMismatch(`${zone.name} is awaited, and not in the database`);
    if (!this.hasApplied && this.wantedSeq > snapshotSeq) this.kept = [];
    const due = this.kept.filter(({ seq }) => seq > snapshotSeq);
    const now = due.slice(0, APPLIED_AT_ONCE);
    this.kept = due.slice(now.length);
    this.hasApplied = true;
    return copy.inTransaction(() => {
      this.unseen = applyUnseen(copy.zones, unseen, now);
      return this.kept.length === 0 ? this.switchTo(this.unseen) : undefined;
    });
  }

  private switchTo(fetched: CopiedZone): ZoneUpdate {
    const { zone, snapshotSeq = 0 } = this;
    const unseen = { ...fetched, isWithheld: this.isWithheld ?? fetched.isWithheld };
    const { zones, awaited } = this.copy;
    const former = zones.find(zone.name);
    if (former !== undefined) zones.hide(former.head.domainId);
    zones.show(unseen);
    awaited.endFetch(zone.name);
    if (!this.isBehind && this.wantedSeq <= snapshotSeq) awaited.remove(zone.name);
    const { head, isWithheld } = unseen;
    return isWithheld
      ? { kind: 'deleted', domainId: head.domainId, name: zone.name }
      : { kind: 'replaced', head };
  }

  private get wantedSeq(): number {
    return this.copy.awaited.find(this.zone.name)?.seq ?? 0;
  }

  private begin({ name, serial, soaPrimary, soaEmail, accountId, isWithheld }: SnapshotHead): void {
    const { copy, zone } = this;
    const domainId = copy.zones.newId();
    copy.inTransaction(() => copy.awaited.startFetch(zone.name, domainId));
    const head = { domainId, name, serial, soaPrimary, soaEmail };
    const { sourceId } = zone;
    this.unseen = { head, sourceId, accountId, recordCount: 0, content: new HashSum(), isWithheld };
  }

  private put(records: readonly CopiedRecord[]): void {
    const { copy, unseen } = this;
    assert(unseen?.content !== undefined, 'a fetch has begun');
    const { head, content, recordCount } = unseen;
    copy.inTransaction(() => records.forEach((record) => copy.zones.putRecord(head.domainId, record)));
    for (const record of records) addRecord(content, record);
    this.unseen = { ...unseen, recordCount: recordCount + records.length };
  }
}

interface Slice {
  readonly records: readonly CopiedRecord[];
  readonly isLast: boolean;
}

/** Reads the records of a domain, as many at once as take about the same time. */
async function* slices(snapshot: FeedSnapshot, domainId: number): AsyncGenerator<Slice> {
  let limit = FIRST_SLICE;
  for (let recordId = '', isLast = false; !isLast;) {
    const rows = await snapshot.recordsOf([domainId], { domainId, recordId }, limit);
    isLast = rows.length < limit;
    recordId = rows.at(-1)?.record.id ?? recordId;
    const octets = rows.reduce((sum, { record }) => sum + record.rdata.length + RECORD_OCTETS, 1);
    limit = Math.max(1, Math.min(FETCHED_AT_ONCE, Math.floor((OCTETS_AT_ONCE * rows.length) / octets)));
    yield { records: rows.map(({ record }) => record), isLast };
  }
}
