import type { DomainRecord, OwnerKey, SentRecord } from './record.ts';
import { contentKey, isSameContent } from './same-content.ts';

/** From here on, looking at all records costs more than an index; hardly any owner has so many. */
const MANY_RECORDS = 16;

/**
 * What stands at one owner, in creation order. However many records of however many types there are, a record is found by
 * its content or its id, and a type measured, without a look at all of them: whole zones may have one owner. Changes
 * are the caller's to check.
 */
export class OwnerRecords {
  private readonly records: DomainRecord[];
  /** Made when it is first of use. */
  private index: OwnerIndex | undefined;

  /** @param records in creation order; taken over */
  constructor(records: DomainRecord[] = []) {
    this.records = records;
  }

  /** To be read at once: it changes with what stands. */
  get all(): readonly DomainRecord[] {
    return this.records;
  }

  /**
   * The record that is sent, as far as there is one (contract rules 25, 26, 39). Of several that show alike the first
   * that is not taken yet, best with the same TTL and priority.
   *
   * @param taken ids
   */
  findSame(sent: SentRecord, taken: ReadonlySet<string> = NONE): DomainRecord | undefined {
    if (sent.asShown !== undefined) return this.findShown(sent, taken);
    const index = this.indexOfMany();
    if (index === undefined) return this.records.find((other) => isSameContent(other, sent));
    return index.byContent.get(contentKey(sent));
  }

  /** Octets of all RDATA of a type, and how many records that is. */
  measure(type: number): { readonly records: number; readonly octets: number } {
    const index = this.indexOfMany();
    if (index !== undefined) {
      const found = index.types.get(type);
      return found === undefined ? NOTHING : { records: found.records.size, octets: found.octets };
    }
    const measure = { records: 0, octets: 0 };
    for (const record of this.records) {
      if (record.type !== type) continue;
      measure.records++;
      measure.octets += record.rdata.length;
    }
    return measure;
  }

  /** In no order; there may be very many. */
  types(): Iterable<number> {
    return this.indexOfMany()?.types.keys() ?? new Set(this.records.map(({ type }) => type));
  }

  /** Any one of a type. @param except id of one that is not meant */
  findOfType(type: number, except?: string): DomainRecord | undefined {
    const index = this.indexOfMany();
    if (index === undefined)
      return this.records.find((record) => record.type === type && record.id !== except);
    for (const record of index.types.get(type)?.records.values() ?? [])
      if (record.id !== except) return record;
    return undefined;
  }

  /** Adds a record, or replaces the one with its id. */
  put(record: DomainRecord): void {
    const at = placeIn(this.records, record.id);
    if (at === this.records.length) this.records.push(record);
    else if (this.records[at].id !== record.id) this.records.splice(at, 0, record);
    else {
      this.index?.remove(this.records[at]);
      this.records[at] = record;
    }
    this.index?.add(record);
  }

  /** Nothing happens where there is no such record. */
  remove({ id }: Pick<DomainRecord, 'id'>): void {
    const at = placeIn(this.records, id);
    const before = this.records.at(at);
    if (before?.id !== id) return;
    this.records.splice(at, 1);
    this.index?.remove(before);
  }

  private findShown(sent: SentRecord, taken: ReadonlySet<string>): DomainRecord | undefined {
    const isAlike = ({ type, data }: DomainRecord): boolean => type === sent.type && data === sent.data;
    const alike = this.indexOfMany()?.shownAs(sent) ?? this.records.filter(isAlike);
    const free = alike.filter(({ id }) => !taken.has(id));
    const candidates = free.length > 0 ? free : alike;
    const isEqual = ({ ttl, priority }: DomainRecord): boolean =>
      ttl === sent.ttl && priority === sent.priority;
    return candidates.find(isEqual) ?? candidates.at(0);
  }

  private indexOfMany(): OwnerIndex | undefined {
    if (this.index === undefined && this.records.length >= MANY_RECORDS) {
      this.index = new OwnerIndex(this.records);
    }
    return this.index;
  }
}

/** Records by owner, in the order in which they come. */
export function groupByOwner(records: Iterable<DomainRecord>): Map<OwnerKey, DomainRecord[]> {
  const owners = new Map<OwnerKey, DomainRecord[]>();
  for (const record of records) {
    const standing = owners.get(record.owner);
    if (standing === undefined) owners.set(record.owner, [record]);
    else standing.push(record);
  }
  return owners;
}

/** All records of a type. */
interface OfType {
  readonly records: Map<string, DomainRecord>;
  octets: number;
}

class OwnerIndex {
  readonly byContent = new Map<string, DomainRecord>();
  /** Only those that stand. */
  readonly types = new Map<number, OfType>();
  /** In creation order; made when it is first asked for: hardly any record is sent as it was shown. */
  private shown: Map<string, DomainRecord[]> | undefined;

  constructor(records: readonly DomainRecord[]) {
    for (const record of records) this.add(record);
  }

  shownAs(sent: SentRecord): readonly DomainRecord[] {
    if (this.shown === undefined) {
      this.shown = new Map();
      for (const { records } of this.types.values())
        for (const record of records.values()) addShown(this.shown, record);
    }
    return this.shown.get(shownKey(sent)) ?? [];
  }

  add(record: DomainRecord): void {
    this.byContent.set(contentKey(record), record);
    const found = this.types.get(record.type) ?? { records: new Map(), octets: 0 };
    this.types.set(record.type, found);
    found.records.set(record.id, record);
    found.octets += record.rdata.length;
    if (this.shown !== undefined) addShown(this.shown, record);
  }

  remove(record: DomainRecord): void {
    const key = contentKey(record);
    if (this.byContent.get(key)?.id === record.id) this.byContent.delete(key);
    const found = this.types.get(record.type);
    if (found?.records.delete(record.id) === true) found.octets -= record.rdata.length;
    if (found?.records.size === 0) this.types.delete(record.type);
    const alike = this.shown?.get(shownKey(record));
    alike?.splice(placeIn(alike, record.id), 1);
  }
}

function addShown(shown: Map<string, DomainRecord[]>, record: DomainRecord): void {
  const key = shownKey(record);
  const alike = shown.get(key);
  if (alike === undefined) shown.set(key, [record]);
  else alike.splice(placeIn(alike, record.id), 0, record);
}

function shownKey({ type, data }: DomainRecord): string {
  return `${type} ${data}`;
}

/** Where the record with that id stands or would stand: ids are UUIDv7, in creation order. */
function placeIn(records: readonly DomainRecord[], id: string): number {
  let low = 0;
  let high = records.length;
  if (high === 0 || records[high - 1].id < id) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NOTHING = { records: 0, octets: 0 };
const NONE: ReadonlySet<string> = new Set();
