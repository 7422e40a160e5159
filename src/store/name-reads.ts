// Reads the records of one name, and what has changed in a domain, without data, for both engines.
import { rrType } from '../dns/codes.ts';
import type { Domain } from '../model/domain.ts';
import type { OwnerKey } from '../model/record.ts';
import type { ChangeKind } from '../writes/change.ts';
import { isCustomersRecord } from './customers-rows.ts';

/** All use an index and read few octets of a row. They reject with StoreUnavailable. */
export interface NameReads {
  /** In creation order. @param limit if the name has more records, it is not said which of them are read */
  recordsAt(domain: Pick<Domain, 'id'>, owner: OwnerKey, limit: number): Promise<readonly TypedRecord[]>;
  /** Latest first; with those of signatures. @param before a `seq`; those from it on are left out */
  changesBefore(domain: Pick<Domain, 'id'>, before: number, limit: number): Promise<readonly TypedChange[]>;
}

/** A change of the feed, without data. */
export interface TypedChange {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: ChangeKind;
  readonly serial: number;
  /** The record that was put or deleted, as far as its change has it; null: it is about the domain. */
  readonly record: (TypedRecord & { readonly owner: OwnerKey }) | null;
}

export interface TypedRecord {
  readonly id: string;
  readonly type: number;
  /** Of CNAME, DNAME and NS records; null: not read. */
  readonly rdata: Uint8Array | null;
}

export type TypedRecordRow = [id: string, type: number, rdata: Uint8Array | null];

export type TypedChangeRow = [
  ...change: [seq: number, atMs: number, kind: ChangeKind, serial: number],
  ...record: [id: string | null, owner: OwnerKey | null, type: number | null, rdata: Uint8Array | null],
];

const WITH_TARGET = [rrType.CNAME, rrType.DNAME, rrType.NS].join(', ');

/** A query whose rows are `TypedChangeRow`. @param table `changes`, with the index if the engine has to be told */
export function changesBeforeQuery(table: string, domainId: string, before: string, limit: string): string {
  return `SELECT seq, at, kind, serial, record_id, owner, type, CASE WHEN type IN (${WITH_TARGET}) THEN rdata END
    FROM ${table} WHERE domain_id = ${domainId} AND seq < ${before} ORDER BY seq DESC LIMIT ${limit}`;
}

export function toTypedChange([
  seq,
  atMs,
  kind,
  serial,
  id,
  owner,
  type,
  rdata,
]: TypedChangeRow): TypedChange {
  const record = id === null || owner === null || type === null ? null : { id, owner, type, rdata };
  return { seq, atMs, kind, serial, record };
}

/**
 * A query whose rows are `TypedRecordRow`, in any order: sorting would read all records of the name first.
 *
 * @param table `records`, with the index if the engine has to be told
 */
export function nameQuery(table: string, domainId: string, owner: string, limit: string): string {
  return `SELECT id, type, CASE WHEN type IN (${WITH_TARGET}) THEN rdata END FROM ${table}
    WHERE domain_id = ${domainId} AND owner = ${owner} AND ${isCustomersRecord()} LIMIT ${limit}`;
}

export function toTypedRecords(rows: readonly TypedRecordRow[]): readonly TypedRecord[] {
  const records = rows.map(([id, type, rdata]): TypedRecord => ({ id, type, rdata }));
  return records.sort((a, b) => (a.id < b.id ? -1 : 1));
}
