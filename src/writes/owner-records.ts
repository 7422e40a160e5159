import type { DomainRecord, OwnerKey, SentRecord } from '../model/record.ts';
import { IndexedRecords } from './indexed-records.ts';
import { isSameContent } from '../model/same-content.ts';
import { isSameText } from '../model/same-text.ts';
import { placeOf } from './records-by-shown-data.ts';

/** From this number on, a linear search costs more than an index; hardly any owner has so many records. */
const MANY_RECORDS = 16;

/**
 * The records of one owner, in creation order. Finding one by content, id or shown data, adding and removing one, and
 * measuring a type never iterate over all of them: a whole zone may have a single owner. Does not check placement.
 */
export class OwnerRecords {
  /** In creation order; empty once they are in `many`. */
  private few: DomainRecord[];
  /** Created on first use: for few records it would only cost memory. */
  private many: IndexedRecords | undefined;
  private readonly taken: ReadonlySet<string>;

  /**
   * @param records in creation order; this object takes ownership
   * @param taken ids that `findSame` skips if another record is shown in the same way; the caller may add to them
   */
  constructor(records: DomainRecord[] = [], taken: ReadonlySet<string> = none) {
    this.few = records;
    this.taken = taken;
  }

  /** Changes with later writes: read it at once. */
  get all(): readonly DomainRecord[] {
    return this.many?.all ?? this.few;
  }

  /**
   * Finds the existing record that is the same as the one sent (contract rules 25, 26, 39). Of several that are shown in
   * the same way, it is the first that is not taken, preferably with the same TTL and priority.
   */
  findSame(sent: SentRecord): DomainRecord | undefined {
    const many = this.findMany();
    if (sent.asShown !== undefined) return many === undefined ? this.findShown(sent) : many.findShown(sent);
    if (many !== undefined) return many.findContent(sent);
    return this.few.find((other) => isSameContent(other, sent));
  }

  /**
   * Finds a TXT record with the same text in other character-strings that is not taken, preferably with the same TTL and
   * priority.
   */
  findFreeText(sent: SentRecord): DomainRecord | undefined {
    const many = this.findMany();
    if (many !== undefined) return many.findFreeText(sent);
    const free = this.few.filter((record) => !this.taken.has(record.id) && isSameText(record, sent));
    return findEqualTerms(free, sent) ?? free.at(0);
  }

  /** The number of records of a type, and the octets of their RDATA. */
  measure(type: number): { readonly records: number; readonly octets: number } {
    const many = this.findMany();
    if (many !== undefined) return many.measure(type);
    const measure = { records: 0, octets: 0 };
    for (const record of this.few) {
      if (record.type !== type) continue;
      measure.records++;
      measure.octets += record.rdata.length;
    }
    return measure;
  }

  /** In no particular order; there may be very many. */
  types(): Iterable<number> {
    const many = this.findMany();
    if (many !== undefined) return many.types();
    const types: number[] = [];
    for (const { type } of this.few) if (!types.includes(type)) types.push(type);
    return types;
  }

  /** Finds any record of a type. @param except the id of a record to skip */
  findOfType(type: number, except?: string): DomainRecord | undefined {
    const many = this.findMany();
    if (many !== undefined) return many.findOfType(type, except);
    return this.few.find((record) => record.type === type && record.id !== except);
  }

  /** Adds a record, or replaces the one with its id. */
  put(record: DomainRecord): void {
    const many = this.findMany();
    if (many !== undefined) {
      many.put(record);
      return;
    }
    const at = placeOf(record, this.few);
    this.few.splice(at, this.few.at(at)?.id === record.id ? 1 : 0, record);
  }

  /** Does nothing if the record does not exist. */
  remove({ id }: Pick<DomainRecord, 'id'>): void {
    const many = this.findMany();
    if (many !== undefined) {
      many.remove(id);
      return;
    }
    const at = placeOf({ id }, this.few);
    if (this.few.at(at)?.id === id) this.few.splice(at, 1);
  }

  private findShown(sent: SentRecord): DomainRecord | undefined {
    const alike = this.few.filter(({ type, data }) => type === sent.type && data === sent.data);
    const free = alike.filter(({ id }) => !this.taken.has(id));
    const candidates = free.length > 0 ? free : alike;
    return findEqualTerms(candidates, sent) ?? candidates.at(0);
  }

  private findMany(): IndexedRecords | undefined {
    if (this.many === undefined && this.few.length >= MANY_RECORDS) {
      this.many = new IndexedRecords(this.few, this.taken);
      this.few = [];
    }
    return this.many;
  }
}

function findEqualTerms(records: readonly DomainRecord[], sent: SentRecord): DomainRecord | undefined {
  return records.find(({ ttl, priority }) => ttl === sent.ttl && priority === sent.priority);
}

/** Groups records by owner, in their order. */
export function groupByOwner(records: Iterable<DomainRecord>): Map<OwnerKey, DomainRecord[]> {
  const owners = new Map<OwnerKey, DomainRecord[]>();
  for (const record of records) {
    const known = owners.get(record.owner);
    if (known === undefined) owners.set(record.owner, [record]);
    else known.push(record);
  }
  return owners;
}

const none: ReadonlySet<string> = new Set();
