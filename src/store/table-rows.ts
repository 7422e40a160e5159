// Columns of each table in the order in which both engines select them, and the conversion of rows into model values.
import type { Account, ApiKey, KeyScope } from '../model/account.ts';
import { dueAtMs, formatStanding, parseStanding, type AccountStanding } from '../model/account-standing.ts';
import type { LimitOverrides } from '../model/account-limits.ts';
import type { Denial } from '../dns/proven-types.ts';
import { rsaAlgorithm } from '../dnssec/zone-key.ts';
import type { DeletedDomain, Domain, HashedDomain, ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { formatSigningWork, parseSigningWork } from '../model/signing-work.ts';
import { parseClaim } from '../model/claim.ts';
import { parseReasons } from '../model/withholding.ts';
import type { Counters } from '../writes/batch-writes.ts';
import type { StoredQuota } from '../writes/check-quotas.ts';
import { RSA_SIGNED_ROW_COST, SIGNED_ROW_COST } from '../writes/command-weight.ts';
import { KEYS_AT_ONCE } from '../writes/row-reader.ts';
import type { HistoryChange } from '../writes/history.ts';
import type { KeptOutcome } from '../writes/kept-outcome.ts';
import { readKeyLimits, storeKeyLimits } from '../model/key-limits.ts';
import { shownText } from './stored-data.ts';
import type { FoundRecord, ListedRecord } from './store.ts';
import type { Change } from '../writes/change.ts';
import type { PastChange } from '../writes/rewind-records.ts';
import type { SoaSettings } from '../model/record-changes.ts';

/** Sorts after every text key, because names and ids are printable ASCII. */
export const AFTER_ALL_KEYS = '\u{7f}';

export const ACCOUNT_COLUMNS = 'id, name, email, created_at, standing';
export type AccountRow = [
  id: string,
  name: string,
  email: string,
  createdAt: number,
  standing: string | null,
];

export function toAccount([id, name, email, createdAtSeconds, standing]: AccountRow): Account {
  return { id, name, email, createdAtSeconds, standing: toStanding(standing) };
}

function toStanding(text: string | null): AccountStanding | undefined {
  return text === null ? undefined : parseStanding(text);
}

/** The value of the column `standing`. */
export function standingColumn({ standing }: Account): string | null {
  return standing === undefined ? null : formatStanding(standing);
}

/** The value of the column `due_at`, by which accounts are found that the service has to do something about. */
export function dueAtColumn({ standing }: Account): number | null {
  return standing === undefined ? null : dueAtMs(standing);
}

export const KEY_COLUMNS = 'id, account_id, hash, scope, label, created_at, limits, used_at, user_id';
export type KeyRow = [
  id: string,
  accountId: string,
  hash: string,
  scope: KeyScope,
  label: string,
  createdAt: number,
  limits: string | null,
  usedAt: number | null,
  userId: string | null,
];

export function toKey(row: KeyRow): ApiKey {
  const [id, accountId, hash, scope, label, createdAtSeconds, limits, usedAt, userId] = row;
  return {
    id,
    accountId,
    hash,
    scope,
    label,
    createdAtSeconds,
    limits: limits === null ? undefined : readKeyLimits(limits),
    usedAtSeconds: usedAt ?? undefined,
    userId: userId ?? undefined,
  };
}

/**
 * The end of a query for the keys of one account, as `RowReader.findKeysOfAccount`. A key with limits has its permissions in
 * their JSON text, where nothing else looks like one.
 */
export function someKeysOfAccount(accountId: string, onlyManaging: string): string {
  const isManaging = `scope = 'admin' OR limits LIKE '%"accounts:write"%'`;
  return `account_id = ${accountId} AND (NOT ${onlyManaging} OR ${isManaging}) ORDER BY id LIMIT ${KEYS_AT_ONCE}`;
}

/** A query for the operators among the users of accounts, with their accounts. @param isWanted a condition on `account_id` */
export function operatorsQuery(isWanted: string): string {
  return `SELECT users.id, memberships.account_id FROM memberships JOIN users ON users.id = memberships.user_id
    WHERE memberships.account_id ${isWanted} AND users.is_operator = 1`;
}

/** The value of the column. */
export function limitsColumn({ limits }: ApiKey): string | null {
  return limits === undefined ? null : storeKeyLimits(limits);
}

export const DOMAIN_COLUMNS = `id, account_id, name, created_at, serial, soa_primary, soa_email, record_count, octets,
  denial, renew_at, withdrawn_at, awaits_ds_since, revised_serial, presigned_until,
  signing_work, withheld, withheld_seq, claim`;
export type DomainRow = [
  id: number,
  accountId: string,
  name: ZoneName,
  createdAt: number,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  recordCount: number,
  octets: number,
  denial: Denial | null,
  renewAt: number | null,
  withdrawnAt: number | null,
  awaitsDsSince: number | null,
  revisedSerial: number | null,
  presignedUntil: number | null,
  signingWork: string | null,
  withheld: string | null,
  withheldSeq: number | null,
  claim: string | null,
];

const DOMAIN_LENGTH = 19;

const rsaAlgorithms = Object.values(rsaAlgorithm).join(', ');

/** The cost of each record of a row of `domains`, see `TouchedRows`. Keys of other providers sign nothing. */
export const ROW_COST = `CASE WHEN denial IS NULL AND signing_work IS NULL THEN 1 WHEN EXISTS (SELECT 1 FROM zone_keys
  WHERE domain_id = domains.id AND algorithm IN (${rsaAlgorithms}) AND secret_id <> '')
  THEN ${RSA_SIGNED_ROW_COST} ELSE ${SIGNED_ROW_COST} END`;

/** Columns that follow those of the domain are passed over. */
export function toDomain(row: readonly [...DomainRow, ...unknown[]]): Domain {
  const [id, accountId, name, createdAtSeconds, serial, soaPrimary, soaEmail, recordCount, octets] = row;
  return {
    id,
    accountId,
    name,
    createdAtSeconds,
    serial,
    soaPrimary,
    soaEmail,
    recordCount,
    octets,
    denial: row[9],
    renewAtSeconds: row[10],
    withdrawnAtSeconds: row[11],
    awaitsDsSinceSeconds: row[12],
    revisedSerial: row[13] ?? serial,
    presignedUntilSeconds: row[14],
    signingWork: row[15] === null ? null : parseSigningWork(row[15]),
    withheld: parseReasons(row[16]),
    withheldSeq: row[17],
    claim: parseClaim(row[18]),
  };
}

/** The value of the column: null stands for the serial, so that a write of an earlier version is a revision, too. */
export function revisedSerialColumn({ serial, revisedSerial }: Domain): number | null {
  return revisedSerial === serial ? null : revisedSerial;
}

/** The value of the column `signing_work`. */
export function signingWorkColumn({ signingWork }: Domain): string | null {
  return signingWork === null ? null : formatSigningWork(signingWork);
}

/** With the hash of the records, and the serial that it belongs to. A write that does not know hashes raises only the serial. */
export const HASHED_DOMAIN_COLUMNS = `${DOMAIN_COLUMNS}, content_hash, hashed_serial`;
export type HashedDomainRow = [...domain: DomainRow, contentHash: string | null, hashedSerial: number | null];

export function toHashedDomain(row: HashedDomainRow): HashedDomain {
  const domain = toDomain(row);
  const [contentHash, hashedSerial] = row.slice(DOMAIN_LENGTH) as [string | null, number | null];
  return { contentHash: hashedSerial === domain.serial ? contentHash : null, ...domain };
}

export const LISTED_RECORD_COLUMNS = 'id, name, type, data, priority, ttl';
export type ListedRecordRow = [
  id: string,
  name: string,
  type: number,
  data: string,
  priority: number,
  ttl: number,
];

export function toListedRecord(row: ListedRecordRow): ListedRecord {
  const [id, name, type, data, priority, ttl] = row;
  return { id, name, type, data: shownText(data), priority, ttl };
}

/** For `domains` joined to `records`. */
export const FOUND_RECORD_COLUMNS = 'records.id, records.name, type, data, priority, ttl, domains.name';
/** The fully qualified name, as people search for it. */
export const foundRecordNames = {
  name: "CASE records.name WHEN '' THEN domains.name ELSE records.name || '.' || domains.name END",
  owner: "CASE owner WHEN '' THEN domains.name ELSE owner || '.' || domains.name END",
};
/** A space sorts before every character of a name, so this sorts by domain name, then by record id. */
export const FOUND_RECORD_KEY = "(domains.name || ' ' || records.id)";
export type FoundRecordRow = [...record: ListedRecordRow, domain: ZoneName];

export function toFoundRecord(row: FoundRecordRow): FoundRecord {
  const domain = row[6];
  return { ...toListedRecord(row.slice(0, 6) as unknown as ListedRecordRow), domain };
}

export const RECORD_COLUMNS = 'id, owner, name, type, data, priority, ttl, rdata';
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
  return { id, owner, name, type, data: shownText(data), priority, ttl, rdata };
}

export const CHANGE_COLUMNS = `seq, at, kind, domain_id, domain, serial, key_id, soa_primary, soa_email,
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
  const hasHead = kind === 'domainPut' || kind === 'domainRestore';
  const head = hasHead ? { domainId, name: domain, serial, soaPrimary, soaEmail } : null;
  const about = { seq, domainId, domain, serial, atMs, keyId, kind, head };
  return { ...about, record: record[0] === null ? null : toRecord(record) };
}

/** Columns of a change, with those that only the history of a domain shows. */
export const historyColumns = `${CHANGE_COLUMNS}, address, note, soa_before`;
export type HistoryRow = [
  ...change: ChangeRow,
  address: string | null,
  note: string | null,
  soaBefore: string | null,
];

export function toHistoryChange(row: HistoryRow): HistoryChange {
  const change = toChange(row.slice(0, -3) as unknown as ChangeRow);
  const [address, note, soaText] = row.slice(-3) as [string | null, string | null, string | null];
  return { ...change, address, note, soaBefore: toSoaBefore(soaText) };
}

const RECORD_BEFORE = RECORD_COLUMNS.replace('id', 'record_id')
  .split(', ')
  .map((column) => `CASE kind WHEN 'recordDelete' THEN ${column} END`)
  .join(', ');

/** Columns of a change that undoing it needs. */
export const pastChangeColumns = `kind, serial, record_id, soa_before, ${RECORD_BEFORE}`;
export type PastChangeRow = [
  kind: Change['kind'],
  serial: number,
  recordId: string | null,
  soaBefore: string | null,
  ...before: RecordRow | [null, null, null, null, null, null, null, null],
];

export function toPastChange([kind, serial, recordId, soaText, ...before]: PastChangeRow): PastChange {
  const record = before[0] === null ? null : toRecord(before);
  return { kind, serial, recordId, before: record, soaBefore: toSoaBefore(soaText) };
}

function toSoaBefore(text: string | null): SoaSettings | null {
  if (text === null) return null;
  const [soaPrimary, soaEmail] = JSON.parse(text) as [string | null, string | null];
  return { soaPrimary, soaEmail };
}

/** Text that `toSoaBefore` reads. */
export function soaBeforeText({ soaBefore }: HistoryChange): string | null {
  return soaBefore === null ? null : JSON.stringify([soaBefore.soaPrimary, soaBefore.soaEmail]);
}

export const DELETED_DOMAIN_COLUMNS = `domain_id, account_id, name, created_at, serial, soa_primary, soa_email,
  record_count, octets, denial, renew_at, withdrawn_at, awaits_ds_since, revised_serial, presigned_until,
  signing_work, withheld, withheld_seq, claim, content_hash,
  deleted_at`;
export type DeletedDomainRow = [...domain: DomainRow, contentHash: string | null, deletedAtMs: number];

export function toDeletedDomain(row: DeletedDomainRow): DeletedDomain {
  const domain = toDomain(row);
  const [contentHash, deletedAtMs] = row.slice(DOMAIN_LENGTH) as [string | null, number];
  return { ...domain, contentHash, deletedAtMs };
}

export const CHANGE_AUTHOR_COLUMNS = 'last_seq, first_seq, address, note';

export const OUTCOME_COLUMNS = 'key_id, idempotency_key, request_hash, outcome, at, account_id, octets';
export type OutcomeRow = [
  keyId: string,
  key: string,
  hash: string,
  outcome: string,
  atMs: number,
  accountId: string | null,
  octets: number | null,
];

export function toKeptOutcome([keyId, key, hash, outcome, atMs, accountId, octets]: OutcomeRow): KeptOutcome {
  return { keyId, key, hash, outcome, atMs, accountId, octets: octets ?? 0 };
}

/** SQL for the distance from one serial to a later one (RFC 1982): 0 to 2^31 - 1; more if it is not later. */
export function serialStepsSql(from: string, to: string): string {
  return `((${to} - ${from}) & 4294967295)`;
}

export const COUNTER_COLUMNS = 'last_seq, last_domain_id, account_count, key_count, domain_count';
export type CounterRow = [
  lastSeq: number,
  lastDomainId: number,
  accountCount: number,
  keyCount: number,
  domainCount: number,
];

export function toCounters([
  lastSeq,
  lastDomainId,
  accountCount,
  keyCount,
  domainCount,
]: CounterRow): Counters {
  return { lastSeq, lastDomainId, accountCount, keyCount, domainCount };
}

/** For `QUOTA_TABLES`. An account that has never written has no row of usage. */
export const QUOTA_COLUMNS = `accounts.id, domain_count, key_count, coalesce(record_count, 0), coalesce(octets, 0),
  coalesce(history_octets, 0), coalesce(outcome_octets, 0), limits, standing`;
export const QUOTA_TABLES = `accounts
  LEFT JOIN account_usage ON account_usage.account_id = accounts.id
  LEFT JOIN account_limits ON account_limits.account_id = accounts.id`;
export type QuotaRow = [
  accountId: string,
  domains: number,
  keys: number,
  records: number,
  octets: number,
  historyOctets: number,
  outcomeOctets: number,
  limits: string | null,
  standing: string | null,
];

export function toQuota(row: QuotaRow): StoredQuota {
  const [, domains, keys, records, octets, historyOctets, outcomeOctets, limits, standing] = row;
  const overrides = limits === null ? {} : (JSON.parse(limits) as LimitOverrides);
  const usage = { domains, keys, records, octets, historyOctets, outcomeOctets };
  return { usage, overrides, standing: toStanding(standing) };
}
