import type { DomainRecord, OwnerKey, SentRecord } from '../model/record.ts';
import { ManyRecords } from './many-records.ts';
import { isSameContent } from '../model/same-content.ts';
import { placeOf } from './shown-records.ts';

/** From here on, looking at all records costs more than an index; hardly any owner has so many. */
const MANY_RECORDS = 16;

/**
 * What stands at one owner, in creation order. However many records of however many types there are, one is found by its
 * content, its id or the way it is shown, put and removed, and a type measured, without a look at all of them: whole
 * zones may have one owner. Changes are the caller's to check.
 */
export class OwnerRecords {
  /** In creation order; empty once they are in `many`. */
  private few: DomainRecord[];
  /** Made when it is first of use: for few it would be nothing but garbage. */
  private many: ManyRecords | undefined;
  private readonly taken: ReadonlySet<string>;

  /**
   * @param records in creation order; taken over
   * @param taken ids that `findSame` passes over where another record shows alike; the caller may add to them
   */
  constructor(records: DomainRecord[] = [], taken: ReadonlySet<string> = NONE) {
    this.few = records;
    this.taken = taken;
  }

  /** To be read at once: it changes with what stands. */
  get all(): readonly DomainRecord[] {
    return this.many?.all ?? this.few;
  }

  /**
   * The record that is sent, as far as there is one (contract rules 25, 26, 39). Of several that show alike the first
   * that is not taken yet, best with the same TTL and priority.
   */
  findSame(sent: SentRecord): DomainRecord | undefined {
    const many = this.findMany();
    if (sent.asShown !== undefined) return many === undefined ? this.findShown(sent) : many.findShown(sent);
    if (many !== undefined) return many.findContent(sent);
    return this.few.find((other) => isSameContent(other, sent));
  }

  /** Octets of all RDATA of a type, and how many records that is. */
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

  /** In no order; there may be very many. */
  types(): Iterable<number> {
    return this.findMany()?.types() ?? new Set(this.few.map(({ type }) => type));
  }

  /** Any one of a type. @param except id of one that is not meant */
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

  /** Nothing happens where there is no such record. */
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
    const isEqual = ({ ttl, priority }: DomainRecord): boolean =>
      ttl === sent.ttl && priority === sent.priority;
    return candidates.find(isEqual) ?? candidates.at(0);
  }

  private findMany(): ManyRecords | undefined {
    if (this.many === undefined && this.few.length >= MANY_RECORDS) {
      this.many = new ManyRecords(this.few, this.taken);
      this.few = [];
    }
    return this.many;
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

const NONE: ReadonlySet<string> = new Set();
