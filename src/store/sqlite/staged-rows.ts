// The rows of a prepared write on their way to the writer: a file of their own beside the store. A preparing thread writes
// it, and the writer copies it into the store inside one transaction, without a row passing through its thread (some 3 µs a
// row, where binding values one by one takes more than 10 µs).
//
// Nothing refers to the file but the write in progress. A file that a killed process left is removed when the store is
// opened (`removeStagedFiles`); what it held was never acknowledged.
import { visitInSteps, type Steps } from '../../base/steps.ts';
import { assert } from '../../base/assert.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { RecordWrite } from '../../writes/batch-writes.ts';
import type { FeedEntry } from '../../writes/history.ts';
import type { ManyRows } from '../../writes/prepared-write.ts';
import * as rows from '../table-rows.ts';
import { makeFile } from './open-store-files.ts';
import { openDatabase, type SqliteDatabase } from './sqlite-driver.ts';
import { removeStagedFile } from './staged-files.ts';
import { createOutcomeWriter, recordColumns } from './write-rows.ts';

/** About 5 ms. */
const STAGED_PER_STEP = 500;

/** The columns of a change that those before and after it mostly have alike. */
const sharedColumns = [
  'domain_id',
  'at',
  'domain',
  'serial',
  'key_id',
  'soa_primary',
  'soa_email',
  'address',
  'note',
  'soa_before',
  'account_id',
];

/** Whether a record that a change puts is written to `records`, too: not if a later change replaces or deletes it. */
const stored = { NO: 0, CREATED: 1, CHANGED: 2 } as const;
type Stored = (typeof stored)[keyof typeof stored];

/**
 * A change and the record that it puts are one row; what consecutive changes have alike stands once. The ids of deleted
 * records are a key, so that the writer need not sort them.
 */
const TABLES = `
  CREATE TABLE shared (shared_id INTEGER PRIMARY KEY, ${sharedColumns.join(', ')});
  CREATE TABLE entries (shared_id, stored, seq, kind, octets, record_id, owner, name, type, data, priority, ttl, rdata);
  CREATE TABLE deleted_records (domain_id, id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE idempotency (${rows.OUTCOME_COLUMNS});
`;

/** Replaces the file. It need not survive a crash, so that nothing waits for the disk. */
export function* stageRows(path: string, writes: ManyRows): Steps<void> {
  removeStagedFile(path);
  makeFile(path);
  const database = openDatabase(path);
  try {
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${TABLES} BEGIN`);
    yield* insertAll(database, writes);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

function* insertAll(database: SqliteDatabase, writes: ManyRows): Steps<void> {
  const deleteRecord = database.prepare('INSERT INTO deleted_records VALUES (?, ?)');
  yield* visitInSteps(
    writes.deletedRecords,
    ({ domainId, record }) => deleteRecord.run(domainId, record.id),
    STAGED_PER_STEP,
  );
  const written = new Map<DomainRecord, Stored>();
  const domainId = writes.changes.at(0)?.domainId;
  const note = (records: readonly RecordWrite[], how: Stored): void => {
    for (const write of records) {
      assert(write.domainId === domainId, 'all records of a prepared write are of one domain');
      written.set(write.record, how);
    }
  };
  note(writes.createdRecords, stored.CREATED);
  note(writes.changedRecords, stored.CHANGED);
  const putEntry = createEntryWriter(database);
  const putChange = (change: FeedEntry): void => {
    const { kind, record } = change;
    const how = kind === 'recordPut' && record !== null ? written.get(record) : undefined;
    if (record !== null && how !== undefined) written.delete(record);
    putEntry(change, how ?? stored.NO);
  };
  yield* visitInSteps(writes.changes, putChange, STAGED_PER_STEP);
  assert(written.size === 0, 'each record that is written is that of a change');
  writes.keptOutcomes.forEach(createOutcomeWriter(database));
}

function createEntryWriter(database: SqliteDatabase): (change: FeedEntry, how: Stored) => void {
  const insertShared = database.prepare(
    `INSERT INTO shared VALUES (?, ${sharedColumns.map(() => '?').join(', ')})`,
  );
  const insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  let sharedId = 0;
  let former: FeedEntry | undefined;
  return (change, how) => {
    if (former === undefined || !isSharing(change, former)) {
      const { domainId, atMs, domain, serial, keyId, head, address, note, accountId } = change;
      const about = [domainId, atMs, domain, serial, keyId, head?.soaPrimary ?? null, head?.soaEmail ?? null];
      insertShared.run(++sharedId, ...about, address, note, rows.soaBeforeText(change), accountId);
    }
    former = change;
    const { seq, kind, octets, record } = change;
    insert.run(sharedId, how, seq, kind, octets, ...recordColumns(record));
  };
}

/** Whether all shared columns are alike; a change of SOA fields shares nothing. */
function isSharing(change: FeedEntry, former: FeedEntry): boolean {
  return (
    change.domainId === former.domainId &&
    change.serial === former.serial &&
    change.domain === former.domain &&
    change.atMs === former.atMs &&
    change.keyId === former.keyId &&
    change.accountId === former.accountId &&
    change.address === former.address &&
    change.note === former.note &&
    change.head === null &&
    former.head === null
  );
}

const [, ...laterRecordColumns] = rows.RECORD_COLUMNS.split(', ');
const recordAssignments = laterRecordColumns.map((column) => `${column} = new.${column}`).join(', ');

const laterColumns = `${rows.historyColumns.replace(/^seq, /, '')}, account_id, octets`;

/** That of all records. */
const DOMAIN_ID = '(SELECT domain_id FROM staged.shared WHERE shared_id = 1)';

/** Attaches the file of a prepared write for `work`. No transaction may be open. */
export function withStagedRows<T>(database: SqliteDatabase, path: string, work: () => T): T {
  database.prepare('ATTACH DATABASE ? AS staged').run(path);
  try {
    return work();
  } finally {
    database.exec('DETACH DATABASE staged');
  }
}

/**
 * Copies the attached rows into the store, inside the transaction of the caller.
 *
 * @param seqStep is added to the numbers of the changes
 */
export function copyStagedRows(database: SqliteDatabase, seqStep: number): void {
  database.exec(`
    DELETE FROM main.records WHERE domain_id = (SELECT domain_id FROM staged.deleted_records LIMIT 1)
      AND id IN (SELECT id FROM staged.deleted_records);
    UPDATE main.records SET ${recordAssignments} FROM staged.entries AS new
      WHERE new.stored = ${stored.CHANGED} AND records.domain_id = ${DOMAIN_ID} AND records.id = new.record_id;
    INSERT INTO main.records (domain_id, ${rows.RECORD_COLUMNS})
      SELECT ${DOMAIN_ID}, record_id, ${laterRecordColumns.join(', ')} FROM staged.entries
      WHERE stored = ${stored.CREATED} ORDER BY rowid`);
  // A cross join is carried out in the order in which it is written.
  database
    .prepare(
      `INSERT INTO main.changes (seq, ${laterColumns}) SELECT seq + ?, ${laterColumns}
        FROM staged.entries CROSS JOIN staged.shared USING (shared_id) ORDER BY entries.rowid`,
    )
    .run(seqStep);
  database.exec(`
    INSERT OR REPLACE INTO main.idempotency (${rows.OUTCOME_COLUMNS})
    SELECT ${rows.OUTCOME_COLUMNS} FROM staged.idempotency`);
}
