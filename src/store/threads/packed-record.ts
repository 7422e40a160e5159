// Records and zone updates as JSON values. RDATA is Latin-1 text: structured cloning of objects costs twice as much, and
// cloning a small view of a pooled buffer copies the whole pool.
import type { Steps } from '../../base/steps.ts';
import type { DomainRecord, OwnerKey } from '../../model/record.ts';
import type { OwnerContent, ServedRecord, ZoneHead, ZoneUpdate } from '../../model/zone-update.ts';
import { octetsOfRecord } from '../../writes/record-octets.ts';
import { packList, unpackList, type PackedList, type PieceSender } from './packed-list.ts';

export type Packed<T> = Omit<T, 'rdata'> & { readonly rdata: string };

export function pack<T extends { readonly rdata: Uint8Array }>(record: T): Packed<T> {
  const { buffer, byteOffset, byteLength } = record.rdata;
  return { ...record, rdata: Buffer.from(buffer, byteOffset, byteLength).toString('latin1') };
}

export function unpack<T extends { readonly rdata: Uint8Array }>(packed: Packed<T>): T {
  const rdata = new Uint8Array(packed.rdata.length);
  for (let index = 0; index < rdata.length; index++) rdata[index] = packed.rdata.charCodeAt(index);
  return { ...packed, rdata } as unknown as T;
}

export type PackedUpdate =
  | Exclude<ZoneUpdate, { readonly kind: 'changed' }>
  | {
      readonly kind: 'changed';
      readonly head: ZoneHead;
      readonly created: boolean;
      readonly owners: PackedList<PackedOwner>;
    };

/** A record, or an owner without records. An owner's records follow one another. */
type PackedOwner = readonly [owner: OwnerKey, record: Packed<ServedRecord> | null];

/** Owners are split into records, because one owner may have most of a zone. */
export function* packUpdate(update: ZoneUpdate, pieces: PieceSender): Steps<PackedUpdate> {
  if (update.kind !== 'changed') return update;
  const rows = update.owners.flatMap(({ owner, records }): OwnerRow[] =>
    records.length === 0 ? [{ owner, record: null }] : records.map((record) => ({ owner, record })),
  );
  return { ...update, owners: yield* packList(rows, packOwner, octetsOfOwner, pieces) };
}

interface OwnerRow {
  readonly owner: OwnerKey;
  readonly record: ServedRecord | null;
}

function packOwner({ owner, record }: OwnerRow): PackedOwner {
  return [owner, record === null ? null : pack(record)];
}

function octetsOfOwner({ owner, record }: OwnerRow): number {
  return owner.length + (record?.rdata.length ?? 0);
}

export function* unpackUpdate(packed: PackedUpdate, pieces: string[]): Steps<ZoneUpdate> {
  if (packed.kind !== 'changed') return packed;
  const rows = yield* unpackList(packed.owners, (row: PackedOwner) => row, pieces);
  const owners: (OwnerContent & { readonly records: ServedRecord[] })[] = [];
  for (const [owner, record] of rows) {
    const last = owners.at(-1);
    const records = record === null ? [] : [unpack<ServedRecord>(record)];
    if (last?.owner === owner) last.records.push(...records);
    else owners.push({ owner, records });
  }
  return { ...packed, owners };
}

export function octetsOfUpdated({ before, after }: { before: DomainRecord; after: DomainRecord }): number {
  return octetsOfRecord(before) + octetsOfRecord(after);
}
