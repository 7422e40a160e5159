// Reads the records of one name without their data, for both engines.
import { rrType } from '../dns/codes.ts';
import type { Domain } from '../model/domain.ts';
import type { OwnerKey } from '../model/record.ts';
import { isCustomersRecord } from './customers-rows.ts';

/** All use an index and read few octets of a row. They reject with StoreUnavailable. */
export interface NameReads {
  /** In creation order. @param limit if the name has more records, it is not said which of them are read */
  recordsAt(domain: Pick<Domain, 'id'>, owner: OwnerKey, limit: number): Promise<readonly TypedRecord[]>;
}

export interface TypedRecord {
  readonly id: string;
  readonly type: number;
  /** Of CNAME, DNAME and NS records; null: not read. */
  readonly rdata: Uint8Array | null;
}

export type TypedRecordRow = [id: string, type: number, rdata: Uint8Array | null];

/**
 * A query whose rows are `TypedRecordRow`, in any order: sorting would read all records of the name first.
 *
 * @param table `records`, with the index if the engine has to be told
 */
export function nameQuery(table: string, domainId: string, owner: string, limit: string): string {
  const withTarget = [rrType.CNAME, rrType.DNAME, rrType.NS].join(', ');
  return `SELECT id, type, CASE WHEN type IN (${withTarget}) THEN rdata END FROM ${table}
    WHERE domain_id = ${domainId} AND owner = ${owner} AND ${isCustomersRecord()} LIMIT ${limit}`;
}

export function toTypedRecords(rows: readonly TypedRecordRow[]): readonly TypedRecord[] {
  const records = rows.map(([id, type, rdata]): TypedRecord => ({ id, type, rdata }));
  return records.sort((a, b) => (a.id < b.id ? -1 : 1));
}
