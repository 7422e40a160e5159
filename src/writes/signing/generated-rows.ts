import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import { CommittedNeighbours } from './committed-neighbours.ts';
import { compareIds, findPlace, SortedIds } from './sorted-ids.ts';

/** Reads committed generated rows; see `RowReader`. */
export interface GeneratedReader {
  generatedBefore(domainId: number, prefix: string, id: string): DomainRecord | undefined;
  generatedAfter(domainId: number, prefix: string, id: string): DomainRecord | undefined;
  generatedBetween(domainId: number, from: string, to: string, limit: number): readonly DomainRecord[];
}

/** All prefixes have two characters (`generatedPrefix`). */
const PREFIX_LENGTH = 2;

/** Sorts after every id of a generated row. */
const AFTER_ALL_IDS = '~~';

/** A generated row as committed, and as the batch leaves it; null if it does not exist. */
export type GeneratedWrite = readonly [before: DomainRecord | null, after: DomainRecord | null];

/**
 * The generated rows of one domain in a batch (see `generated-row.ts`): committed ones, loaded on first use, with the
 * batch's writes on top. They are written when the batch is finished, so that no write is ever undone.
 */
export class GeneratedRows {
  private readonly domainId: number;
  private readonly rows: GeneratedReader;
  /** Committed rows by id; null for ids that do not exist. */
  private readonly committed = new Map<string, DomainRecord | null>();
  /** Owners whose committed rows were all learned. */
  private readonly loadedOwners = new Set<OwnerKey>();
  /** Rows that the batch has put or dropped, by id. */
  private readonly written = new Map<string, DomainRecord | null>();
  private readonly before: CommittedNeighbours;
  private readonly after: CommittedNeighbours;
  /** All ids if `isComplete`, otherwise those that the batch has put. Made on first use. */
  private ids: SortedIds | undefined;
  /** All committed rows; made if `isComplete`. */
  private committedInOrder: readonly DomainRecord[] | undefined;
  /** As the batch leaves them, made on first use. */
  private byOwner: ReadonlyMap<OwnerKey, readonly DomainRecord[]> | undefined;
  /** Whether `committed` has all rows. */
  private isComplete: boolean;

  /** @param isNew whether the domain has no committed rows */
  constructor(domainId: number, rows: GeneratedReader, isNew: boolean) {
    this.domainId = domainId;
    this.rows = rows;
    this.isComplete = isNew;
    this.before = new CommittedNeighbours(
      (prefix, id) => this.learned(rows.generatedBefore(domainId, prefix, id)),
      (id, other) => id > other,
    );
    this.after = new CommittedNeighbours(
      (prefix, id) => this.learned(rows.generatedAfter(domainId, prefix, id)),
      (id, other) => id < other,
    );
  }

  /** Takes a committed row that was read together with others. */
  learn(row: DomainRecord): void {
    this.committed.set(row.id, row);
    this.byOwner = undefined;
  }

  /** Takes all committed rows from the first to the last of these, in order. */
  learnInOrder(rows: readonly DomainRecord[]): void {
    let former: DomainRecord | undefined;
    for (const row of rows) {
      this.learn(row);
      const prefix = row.id.slice(0, PREFIX_LENGTH);
      if (former?.id.startsWith(prefix) === true) {
        this.after.learn(former.id, row);
        this.before.learn(row.id, former);
      }
      former = row;
    }
  }

  /**
   * Learns the neighbours of places in order, between the first and the last of which there are no committed rows but those
   * that were learned.
   */
  learnPlaces(prefix: string, ids: readonly string[]): void {
    if (this.isComplete || ids.length === 0) return;
    let before = this.learned(this.rows.generatedBefore(this.domainId, prefix, ids[0]));
    for (const id of ids) {
      this.before.learn(id, before);
      before = this.committed.get(id) ?? before;
    }
    let after = this.learned(this.rows.generatedAfter(this.domainId, prefix, ids[ids.length - 1]));
    for (const id of ids.toReversed()) {
      this.after.learn(id, after);
      after = this.committed.get(id) ?? after;
    }
  }

  learnedAll(): void {
    this.isComplete = true;
    this.ids = undefined;
  }

  learnedOwner(owner: OwnerKey): void {
    this.loadedOwners.add(owner);
  }

  get(id: string, owner: OwnerKey): DomainRecord | undefined {
    const written = this.written.get(id);
    return (written === undefined ? this.committedRow(id, owner) : written) ?? undefined;
  }

  /** The row with the greatest id before `id` that begins with `prefix`. */
  rowBefore(prefix: string, id: string): DomainRecord | undefined {
    const mine = this.currentOf(this.sortedIds().before(id), prefix);
    if (this.isComplete) return mine;
    return this.before.nearest(prefix, id, mine, this.written);
  }

  /** The row with the least id after `id` that begins with `prefix`. */
  rowAfter(prefix: string, id: string): DomainRecord | undefined {
    const mine = this.currentOf(this.sortedIds().after(id), prefix);
    if (this.isComplete) return mine;
    return this.after.nearest(prefix, id, mine, this.written);
  }

  /** The committed rows with `from` ≤ id < `to`, in order, at most `limit`. */
  committedBetween(from: string, to: string, limit: number): readonly DomainRecord[] {
    if (!this.isComplete) return this.rows.generatedBetween(this.domainId, from, to, limit);
    this.committedInOrder ??= [...this.committed.values()].filter((row) => row !== null).sort(byId);
    const start = placeIn(this.committedInOrder, from);
    const end = Math.min(placeIn(this.committedInOrder, to), start + limit);
    return this.committedInOrder.slice(start, end);
  }

  /** Learns all committed rows. */
  loadAll(): void {
    if (this.isComplete) return;
    const all = this.rows.generatedBetween(this.domainId, '~', AFTER_ALL_IDS, Number.MAX_SAFE_INTEGER);
    for (const row of all) this.learn(row);
    this.learnedAll();
  }

  /** The rows as the batch leaves them; call it after all were learned. */
  all(): readonly DomainRecord[] {
    const rows: DomainRecord[] = [];
    for (const [id, row] of this.committed) if (row !== null && !this.written.has(id)) rows.push(row);
    for (const row of this.written.values()) if (row !== null) rows.push(row);
    return rows.sort(byId);
  }

  /** The rows of an owner whose committed rows were learned, as the batch leaves them. */
  loadedAt(owner: OwnerKey): readonly DomainRecord[] {
    this.byOwner ??= groupByOwner(this.all());
    return this.byOwner.get(owner) ?? [];
  }

  put(row: DomainRecord): void {
    const former = this.written.get(row.id);
    this.written.set(row.id, row);
    this.byOwner = undefined;
    // Most rows of signatures are put twice.
    if (former !== undefined && former !== null) return;
    this.committedRow(row.id, row.owner);
    this.ids?.add(row.id);
  }

  drop(id: string, owner: OwnerKey): void {
    if (this.get(id, owner) === undefined) return;
    this.written.set(id, null);
    this.byOwner = undefined;
    this.ids?.delete(id);
  }

  /** Every row that the batch has changed. */
  *writes(): Generator<GeneratedWrite> {
    for (const [id, after] of this.written) {
      const before = this.committed.get(id) ?? null;
      if (before !== after && !isSame(before, after)) yield [before, after];
    }
  }

  private committedRow(id: string, owner: OwnerKey): DomainRecord | null {
    const known = this.committed.get(id);
    if (known !== undefined) return known;
    const isUnread = !this.isComplete && !this.loadedOwners.has(owner);
    const row = isUnread ? this.rows.generatedBetween(this.domainId, id, `${id} `, 1).at(0) : undefined;
    this.committed.set(id, row ?? null);
    return row ?? null;
  }

  private sortedIds(): SortedIds {
    if (this.ids !== undefined) return this.ids;
    const ids: string[] = [];
    for (const [id, row] of this.written) if (row !== null) ids.push(id);
    if (this.isComplete) {
      for (const [id, row] of this.committed) if (row !== null && !this.written.has(id)) ids.push(id);
    }
    return (this.ids = new SortedIds(ids));
  }

  private currentOf(id: string | undefined, prefix: string): DomainRecord | undefined {
    if (id?.startsWith(prefix) !== true) return undefined;
    return this.written.get(id) ?? this.committed.get(id) ?? undefined;
  }

  private learned(row: DomainRecord | undefined): DomainRecord | undefined {
    if (row !== undefined) this.learn(row);
    return row;
  }
}

function groupByOwner(rows: readonly DomainRecord[]): Map<OwnerKey, DomainRecord[]> {
  const owners = new Map<OwnerKey, DomainRecord[]>();
  for (const row of rows) {
    const known = owners.get(row.owner);
    if (known === undefined) owners.set(row.owner, [row]);
    else known.push(row);
  }
  return owners;
}

function placeIn(rows: readonly DomainRecord[], id: string): number {
  return findPlace(rows, (row) => row.id < id);
}

function isSame(before: DomainRecord | null, after: DomainRecord | null): boolean {
  if (before === null || after === null || before.ttl !== after.ttl) return false;
  const { rdata } = before;
  return rdata.length === after.rdata.length && rdata.every((octet, at) => octet === after.rdata[at]);
}

function byId(a: DomainRecord, b: DomainRecord): number {
  return compareIds(a.id, b.id);
}
