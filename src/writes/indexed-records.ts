import type { DomainRecord, SentRecord } from '../model/record.ts';
import { contentKey } from '../model/same-content.ts';
import { textKey } from '../model/same-text.ts';
import { RecordsByShownData } from './records-by-shown-data.ts';

/**
 * The records of an owner that has many. Indexes are built lazily and then maintained; nothing else iterates over all
 * records, except for sorting them when all are read.
 */
export class IndexedRecords {
  private readonly byId = new Map<string, DomainRecord>();
  private readonly taken: ReadonlySet<string>;
  /** The largest id so far. */
  private lastId = '';
  /** Whether `byId` is in creation order. */
  private isInOrder = true;
  private inOrder: readonly DomainRecord[] | undefined;
  private contents: Map<string, DomainRecord> | undefined;
  private byType: TypedRecords | undefined;
  private shown: RecordsByShownData | undefined;
  private texts: RecordsByShownData | undefined;

  /** @param taken see `OwnerRecords` */
  constructor(records: Iterable<DomainRecord>, taken: ReadonlySet<string>) {
    this.taken = taken;
    for (const record of records) this.put(record);
  }

  /** In creation order. */
  get all(): readonly DomainRecord[] {
    if (this.inOrder === undefined) {
      const records = Array.from(this.byId.values());
      this.inOrder = this.isInOrder ? records : records.sort(byCreation);
    }
    return this.inOrder;
  }

  findContent(sent: SentRecord): DomainRecord | undefined {
    this.contents ??= new Map(Array.from(this.byId.values(), (record) => [contentKey(record), record]));
    return this.contents.get(contentKey(sent));
  }

  findShown(sent: SentRecord): DomainRecord | undefined {
    this.shown ??= new RecordsByShownData(this.all, this.taken);
    return this.shown.find(sent);
  }

  /** @param sent of type TXT */
  findFreeText(sent: SentRecord): DomainRecord | undefined {
    this.texts ??= new RecordsByShownData(this.all, this.taken, textKey);
    return this.texts.findFree(sent);
  }

  measure(type: number): { readonly records: number; readonly octets: number } {
    const found = this.typed().get(type);
    return found === undefined ? noRecords : { records: found.records.size, octets: found.octets };
  }

  types(): Iterable<number> {
    return this.typed().types();
  }

  findOfType(type: number, except: string | undefined): DomainRecord | undefined {
    for (const record of this.typed().get(type)?.records.values() ?? [])
      if (record.id !== except) return record;
    return undefined;
  }

  put(record: DomainRecord): void {
    const before = this.byId.get(record.id);
    if (before !== undefined) this.forget(before);
    else if (record.id < this.lastId) this.isInOrder = false;
    else this.lastId = record.id;
    this.byId.set(record.id, record);
    this.inOrder = undefined;
    this.contents?.set(contentKey(record), record);
    this.byType?.add(record);
    this.shown?.add(record);
    this.texts?.add(record);
  }

  remove(id: string): void {
    const before = this.byId.get(id);
    if (before === undefined) return;
    this.byId.delete(id);
    this.inOrder = undefined;
    this.forget(before);
  }

  private forget(record: DomainRecord): void {
    if (this.contents !== undefined) {
      const key = contentKey(record);
      if (this.contents.get(key)?.id === record.id) this.contents.delete(key);
    }
    this.byType?.remove(record);
    this.shown?.remove(record);
    this.texts?.remove(record);
  }

  private typed(): TypedRecords {
    this.byType ??= new TypedRecords(this.byId.values());
    return this.byType;
  }
}

interface OfType {
  readonly records: Map<string, DomainRecord>;
  octets: number;
}

class TypedRecords {
  /** Only types with records. */
  private readonly byType = new Map<number, OfType>();

  constructor(records: Iterable<DomainRecord>) {
    for (const record of records) this.add(record);
  }

  get(type: number): OfType | undefined {
    return this.byType.get(type);
  }

  types(): Iterable<number> {
    return this.byType.keys();
  }

  add(record: DomainRecord): void {
    const found = this.byType.get(record.type) ?? { records: new Map<string, DomainRecord>(), octets: 0 };
    this.byType.set(record.type, found);
    found.records.set(record.id, record);
    found.octets += record.rdata.length;
  }

  remove({ id, type, rdata }: DomainRecord): void {
    const found = this.byType.get(type);
    if (found?.records.delete(id) === true) found.octets -= rdata.length;
    if (found?.records.size === 0) this.byType.delete(type);
  }
}

/** Ids are UUIDv7. */
function byCreation(a: DomainRecord, b: DomainRecord): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

const noRecords = { records: 0, octets: 0 };
