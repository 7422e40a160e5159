// Columns of each table in the order they are selected, the same on every engine, and rows turned into the model's values.
import type { Account, ApiKey, KeyScope } from '../model/account.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { Counters } from './batch-writes.ts';
import { shownData } from './stored-data.ts';
import type { Change } from './store.ts';

export const accountColumns = 'id, name, email, created_at';
export type AccountRow = [id: string, name: string, email: string, createdAt: number];

export function toAccount([id, name, email, createdAtSeconds]: AccountRow): Account {
  return { id, name, email, createdAtSeconds };
}

export const keyColumns = 'id, account_id, hash, scope, label, created_at';
export type KeyRow = [
  id: string,
  accountId: string,
  hash: string,
  scope: KeyScope,
  label: string,
  createdAt: number,
];

export function toKey([id, accountId, hash, scope, label, createdAtSeconds]: KeyRow): ApiKey {
  return { id, accountId, hash, scope, label, createdAtSeconds };
}

export const domainColumns = 'id, account_id, name, created_at, serial, soa_primary, soa_email, record_count';
export type DomainRow = [
  id: number,
  accountId: string,
  name: ZoneName,
  createdAt: number,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  recordCount: number,
];

export function toDomain(row: DomainRow): Domain {
  const [id, accountId, name, createdAtSeconds, serial, soaPrimary, soaEmail, recordCount] = row;
  return { id, accountId, name, createdAtSeconds, serial, soaPrimary, soaEmail, recordCount };
}

export const listedRecordColumns = "id, name, type, data, priority, ttl, CASE data WHEN '' THEN rdata END";
export type ListedRecordRow = [
  id: string,
  name: string,
  type: number,
  data: string,
  priority: number,
  ttl: number,
  rdataOfEmpty: Uint8Array | null,
];

export function toListedRecord(row: ListedRecordRow): Omit<DomainRecord, 'rdata' | 'owner'> {
  const [id, name, type, data, priority, ttl, rdata] = row;
  return { id, name, type, data: shownData(type, data, rdata), priority, ttl };
}

export const recordColumns = 'id, owner, name, type, data, priority, ttl, rdata';
export type RecordRow = [
  id: string,
  owner: OwnerKey,
  name: string,
  type: number,
  data: string,
  priority: number,
  ttl: number,
  rdata: Uint8Array,
];

export function toRecord([id, owner, name, type, data, priority, ttl, rdata]: RecordRow): DomainRecord {
  return { id, owner, name, type, data: shownData(type, data, rdata), priority, ttl, rdata };
}

export const changeColumns = `seq, at, kind, domain_id, domain, serial, key_id, soa_primary, soa_email,
  record_id, owner, name, type, data, priority, ttl, rdata`;
export type ChangeRow = [
  seq: number,
  atMs: number,
  kind: Change['kind'],
  domainId: number,
  domain: ZoneName,
  serial: number,
  keyId: string,
  soaPrimary: string | null,
  soaEmail: string | null,
  ...record: RecordRow | [null, null, null, null, null, null, null, null],
];

export function toChange(row: ChangeRow): Change {
  const [seq, atMs, kind, domainId, domain, serial, keyId, soaPrimary, soaEmail, ...record] = row;
  const head = kind === 'domainPut' ? { domainId, name: domain, serial, soaPrimary, soaEmail } : null;
  const about = { seq, domainId, domain, serial, atMs, keyId, kind, head };
  return { ...about, record: record[0] === null ? null : toRecord(record) };
}

export const counterColumns = 'last_seq, last_domain_id, account_count, key_count';
export type CounterRow = [lastSeq: number, lastDomainId: number, accountCount: number, keyCount: number];

export function toCounters([lastSeq, lastDomainId, accountCount, keyCount]: CounterRow): Counters {
  return { lastSeq, lastDomainId, accountCount, keyCount };
}
