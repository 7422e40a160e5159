import type { DomainRecord, SentRecord } from '../model/record.ts';

/**
 * Records by their shown data, or by another key that several may share. Thousands of different records may be shown in
 * the same way (octets that are not UTF-8), and a request may send hundreds of thousands that mean them (contract rule
 * 25). Finding the next free one never reads a record twice.
 */
export class RecordsByShownData {
  private readonly groups = new Map<string, Alike>();
  private readonly taken: ReadonlySet<string>;
  private readonly keyOf: (record: DomainRecord) => string;

  /** @param taken see `OwnerRecords` */
  constructor(
    records: Iterable<DomainRecord>,
    taken: ReadonlySet<string>,
    keyOf: (record: DomainRecord) => string = shownKey,
  ) {
    this.taken = taken;
    this.keyOf = keyOf;
    for (const record of records) this.add(record);
  }

  /** Finds the first that is not taken, else the first; preferably with the same TTL and priority. */
  find(sent: SentRecord): DomainRecord | undefined {
    const alike = this.groups.get(this.keyOf(sent));
    return this.findFree(sent) ?? alike?.byTerms.get(termsKey(sent))?.first() ?? alike?.all.first();
  }

  /** Finds the first that is not taken, preferably with the same TTL and priority. */
  findFree(sent: SentRecord): DomainRecord | undefined {
    const alike = this.groups.get(this.keyOf(sent));
    const equal = alike?.byTerms.get(termsKey(sent));
    return equal?.findFree(this.taken) ?? alike?.all.findFree(this.taken);
  }

  add(record: DomainRecord): void {
    const key = this.keyOf(record);
    const alike = this.groups.get(key) ?? { all: new Row(), byTerms: new Map<string, Row>() };
    const terms = termsKey(record);
    const equal = alike.byTerms.get(terms) ?? new Row();
    alike.all.add(record);
    equal.add(record);
    alike.byTerms.set(terms, equal);
    this.groups.set(key, alike);
  }

  remove(record: DomainRecord): void {
    const alike = this.groups.get(this.keyOf(record));
    alike?.all.remove(record);
    alike?.byTerms.get(termsKey(record))?.remove(record);
  }
}

/** All records that are shown in the same way, and those of them with the same TTL and priority. */
interface Alike {
  readonly all: Row;
  readonly byTerms: Map<string, Row>;
}

/** In creation order. All are of one RRset, so that there are at most a few thousand: an insertion takes a microsecond. */
class Row {
  private readonly records: DomainRecord[] = [];
  /** All records before this position are taken, and stay so. */
  private freeFrom = 0;

  first(): DomainRecord | undefined {
    return this.records.at(0);
  }

  findFree(taken: ReadonlySet<string>): DomainRecord | undefined {
    while (this.freeFrom < this.records.length && taken.has(this.records[this.freeFrom].id)) this.freeFrom++;
    return this.records.at(this.freeFrom);
  }

  add(record: DomainRecord): void {
    const at = placeOf(record, this.records);
    this.records.splice(at, 0, record);
    this.freeFrom = Math.min(this.freeFrom, at);
  }

  remove(record: DomainRecord): void {
    const at = placeOf(record, this.records);
    if (this.records.at(at)?.id !== record.id) return;
    this.records.splice(at, 1);
    if (at < this.freeFrom) this.freeFrom--;
  }
}

/** The position of the record with that id, or where it would be inserted. Ids are UUIDv7, in creation order. */
export function placeOf({ id }: Pick<DomainRecord, 'id'>, records: readonly DomainRecord[]): number {
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

function shownKey({ type, data }: DomainRecord): string {
  return `${type} ${data}`;
}

function termsKey({ ttl, priority }: DomainRecord): string {
  return `${ttl} ${priority}`;
}
