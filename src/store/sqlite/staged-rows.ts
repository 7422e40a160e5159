// The rows of a prepared write on their way to the writer: a file of their own beside the store. A preparing thread writes
// it, and the writer copies it into the store inside one transaction, without a row passing through its thread (some 3 µs a
// row, where binding values one by one takes more than 10 µs).
//
// Nothing refers to the file but the write in progress. A file that a killed process left is removed when the store is
// opened (`removeStagedFiles`); what it held was never acknowledged.
import { visitInSteps, type Steps } from '../../base/steps.ts';
import type { ManyRows } from '../../writes/prepared-write.ts';
import * as rows from '../table-rows.ts';
import { makeFile } from './open-store-files.ts';
import { openDatabase, type SqliteDatabase } from './sqlite-driver.ts';
import { removeStagedFile } from './staged-files.ts';
import { createChangeWriter, createOutcomeWriter, createRecordInsert } from './write-rows.ts';

/** About 5 ms. */
const STAGED_PER_STEP = 500;

/** The ids of deleted records are a key, so that the writer need not sort them. */
const TABLES = `
  CREATE TABLE records (domain_id, ${rows.RECORD_COLUMNS});
  CREATE TABLE changed_records (domain_id, ${rows.RECORD_COLUMNS});
  CREATE TABLE deleted_records (domain_id, id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE changes (${rows.historyColumns}, account_id, octets);
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
  const putChange = createChangeWriter(database);
  yield* visitInSteps(
    writes.deletedRecords,
    ({ domainId, record }) => deleteRecord.run(domainId, record.id),
    STAGED_PER_STEP,
  );
  const insertChanged = createRecordInsert(database, 'changed_records');
  yield* visitInSteps(writes.changedRecords, insertChanged, STAGED_PER_STEP);
  yield* visitInSteps(writes.createdRecords, createRecordInsert(database, 'records'), STAGED_PER_STEP);
  yield* visitInSteps(writes.changes, putChange, STAGED_PER_STEP);
  writes.keptOutcomes.forEach(createOutcomeWriter(database));
}

const recordAssignments = rows.RECORD_COLUMNS.split(', ')
  .filter((column) => column !== 'id')
  .map((column) => `${column} = new.${column}`)
  .join(', ');

const laterColumns = `${rows.historyColumns.replace(/^seq, /, '')}, account_id, octets`;

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
 * Copies the attached rows into the store, inside the transaction of the caller. All records are of one domain.
 *
 * @param seqStep is added to the numbers of the changes
 */
export function copyStagedRows(database: SqliteDatabase, seqStep: number): void {
  database.exec(`
    DELETE FROM main.records WHERE domain_id = (SELECT domain_id FROM staged.deleted_records LIMIT 1)
      AND id IN (SELECT id FROM staged.deleted_records);
    UPDATE main.records SET ${recordAssignments} FROM staged.changed_records AS new
      WHERE records.domain_id = new.domain_id AND records.id = new.id;
    INSERT INTO main.records (domain_id, ${rows.RECORD_COLUMNS}) SELECT * FROM staged.records ORDER BY rowid`);
  database
    .prepare(
      `INSERT INTO main.changes (seq, ${laterColumns}) SELECT seq + ?, ${laterColumns} FROM staged.changes ORDER BY rowid`,
    )
    .run(seqStep);
  database.exec(`
    INSERT OR REPLACE INTO main.idempotency (${rows.OUTCOME_COLUMNS})
    SELECT ${rows.OUTCOME_COLUMNS} FROM staged.idempotency`);
}
