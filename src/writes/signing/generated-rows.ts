import type { DomainRecord, OwnerKey } from '../../model/record.ts';

/** Reads committed generated rows; see `RowReader`. */
export interface GeneratedReader {
  generatedBefore(domainId: number, prefix: string, id: string): DomainRecord | undefined;
  generatedAfter(domainId: number, prefix: string, id: string): DomainRecord | undefined;
  generatedBetween(domainId: number, from: string, to: string, limit: number): readonly DomainRecord[];
}

/** Sorts after every id of a generated row. */
const AFTER_ALL_IDS = '~~';

/** A generated row as committed, and as the batch leaves it; null if it does not exist. */
type GeneratedWrite = readonly [before: DomainRecord | null, after: DomainRecord | null];

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
  /** The neighbours that were read, by prefix and id. */
  private readonly before = new Map<string, DomainRecord | undefined>();
  private readonly after = new Map<string, DomainRecord | undefined>();
  /** Ids in order: all of them if `isComplete`, otherwise those that the batch has put. Made again after `put` or `drop`. */
  private inOrder: readonly string[] | undefined;
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
  }

  /** Takes a committed row that was read together with others. */
  learn(row: DomainRecord): void {
    this.committed.set(row.id, row);
    this.byOwner = undefined;
  }

  learnedAll(): void {
    this.isComplete = true;
    this.inOrder = undefined;
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
    const mine = this.currentAt(this.placeOf(id) - 1, prefix);
    if (this.isComplete) return mine;
    for (let row = this.readBefore(prefix, id); row !== undefined; row = this.readBefore(prefix, row.id)) {
      if (mine !== undefined && mine.id >= row.id) return mine;
      const written = this.written.get(row.id);
      if (written !== null) return written ?? row;
    }
    return mine;
  }

  /** The row with the least id after `id` that begins with `prefix`. */
  rowAfter(prefix: string, id: string): DomainRecord | undefined {
    const place = this.placeOf(id);
    const mine = this.currentAt(this.ids().at(place) === id ? place + 1 : place, prefix);
    if (this.isComplete) return mine;
    for (let row = this.readAfter(prefix, id); row !== undefined; row = this.readAfter(prefix, row.id)) {
      if (mine !== undefined && mine.id <= row.id) return mine;
      const written = this.written.get(row.id);
      if (written !== null) return written ?? row;
    }
    return mine;
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
    this.committedRow(row.id, row.owner);
    const isKnown = this.get(row.id, row.owner) !== undefined;
    const wasMine = this.isComplete ? isKnown : (this.written.get(row.id) ?? null) !== null;
    this.written.set(row.id, row);
    this.byOwner = undefined;
    if (!wasMine) this.inOrder = undefined;
  }

  drop(id: string, owner: OwnerKey): void {
    if (this.get(id, owner) === undefined) return;
    this.written.set(id, null);
    this.byOwner = undefined;
    this.inOrder = undefined;
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

  private readBefore(prefix: string, id: string): DomainRecord | undefined {
    const place = `${prefix} ${id}`;
    if (!this.before.has(place)) {
      const row = this.rows.generatedBefore(this.domainId, prefix, id);
      this.before.set(place, row);
      if (row !== undefined) this.learn(row);
    }
    return this.before.get(place);
  }

  private readAfter(prefix: string, id: string): DomainRecord | undefined {
    const place = `${prefix} ${id}`;
    if (!this.after.has(place)) {
      const row = this.rows.generatedAfter(this.domainId, prefix, id);
      this.after.set(place, row);
      if (row !== undefined) this.learn(row);
    }
    return this.after.get(place);
  }

  private ids(): readonly string[] {
    if (this.inOrder !== undefined) return this.inOrder;
    const ids: string[] = [];
    for (const [id, row] of this.written) if (row !== null) ids.push(id);
    if (this.isComplete) {
      for (const [id, row] of this.committed) if (row !== null && !this.written.has(id)) ids.push(id);
    }
    return (this.inOrder = ids.sort(compareIds));
  }

  /** The place of the first id that is not before `id`. */
  private placeOf(id: string): number {
    return findPlace(this.ids(), (other) => other < id);
  }

  private currentAt(place: number, prefix: string): DomainRecord | undefined {
    if (place < 0) return undefined;
    const id = this.ids().at(place);
    if (id?.startsWith(prefix) !== true) return undefined;
    return this.written.get(id) ?? this.committed.get(id) ?? undefined;
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

/** The number of items that are before the wanted place; all of them come first. */
function findPlace<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  for (let high = items.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (isBefore(items[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSame(before: DomainRecord | null, after: DomainRecord | null): boolean {
  if (before === null || after === null || before.ttl !== after.ttl) return false;
  const { rdata } = before;
  return rdata.length === after.rdata.length && rdata.every((octet, at) => octet === after.rdata[at]);
}

function byId(a: DomainRecord, b: DomainRecord): number {
  return compareIds(a.id, b.id);
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
