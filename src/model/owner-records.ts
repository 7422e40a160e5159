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
  measure(type: number): Readonly<Measure> {
    if (this.records.length === 0) return NOTHING;
    const known = this.indexOfMany();
    if (known !== undefined) return known.measures.get(type) ?? NOTHING;
    const measure = { ...NOTHING };
    for (const record of this.records) if (record.type === type) count(measure, record, 1);
    return measure;
  }

  /** Adds a record, or replaces the one with its id. */
  put(record: DomainRecord): void {
    const at = this.placeOf(record.id);
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
    const at = this.placeOf(id);
    const before = this.records.at(at);
    if (before?.id !== id) return;
    this.records.splice(at, 1);
    this.index?.remove(before);
  }

  private findShown(sent: SentRecord, taken: ReadonlySet<string>): DomainRecord | undefined {
    const alike = this.records.filter(({ type, data }) => type === sent.type && data === sent.data);
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

  /** Where the record with that id stands or would stand: ids are UUIDv7, in creation order. */
  private placeOf(id: string): number {
    let low = 0;
    let high = this.records.length;
    if (high === 0 || this.records[high - 1].id < id) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.records[middle].id < id) low = middle + 1;
      else high = middle;
    }
    return low;
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

interface Measure {
  records: number;
  octets: number;
}

class OwnerIndex {
  readonly byContent = new Map<string, DomainRecord>();
  readonly measures = new Map<number, Measure>();

  constructor(records: readonly DomainRecord[]) {
    for (const record of records) this.add(record);
  }

  add(record: DomainRecord): void {
    this.byContent.set(contentKey(record), record);
    const measure = this.measures.get(record.type) ?? { ...NOTHING };
    this.measures.set(record.type, measure);
    count(measure, record, 1);
  }

  remove(record: DomainRecord): void {
    const key = contentKey(record);
    if (this.byContent.get(key)?.id === record.id) this.byContent.delete(key);
    const measure = this.measures.get(record.type);
    if (measure !== undefined) count(measure, record, -1);
  }
}

function count(measure: Measure, { rdata }: DomainRecord, sign: 1 | -1): void {
  measure.records += sign;
  measure.octets += sign * rdata.length;
}

const NOTHING: Readonly<Measure> = { records: 0, octets: 0 };
const NONE: ReadonlySet<string> = new Set();
