// The rows of a prepared write on their way into the tables: temporary tables of the session, which nobody else sees. They
// are filled before the feed is locked; under the lock the database copies them without a row passing through this process.
// They empty themselves at the end of the transaction.
import type { ManyRows } from '../../writes/prepared-write.ts';
import { historyColumns, OUTCOME_COLUMNS, RECORD_COLUMNS } from '../table-rows.ts';
import { RECORD_ARRAYS, rowTexts } from './batch-statements.ts';
import type { Statement } from './postgres-connection.ts';
import { sliceStatements } from './split-batch.ts';

const tables: Readonly<Record<string, string>> = {
  staged_records: 'LIKE records',
  staged_changed_records: 'LIKE records',
  staged_deleted_records: 'domain_id BIGINT, id TEXT COLLATE "C"',
  staged_changes: 'LIKE changes',
  staged_outcomes: 'LIKE idempotency',
};

/** Each session has tables of its own. */
export const createStagingTables: readonly Statement[] = Object.entries(tables).map(([name, columns]) => ({
  text: `CREATE TEMPORARY TABLE IF NOT EXISTS ${name} (${columns}) ON COMMIT DELETE ROWS`,
}));

/** Fills the staging tables; to be sent one after the other. */
export function stageStatements(writes: ManyRows): Iterable<Statement> {
  return sliceStatements(writes, stagedTexts);
}

const stagedTexts = {
  deleteRecords: `INSERT INTO staged_deleted_records SELECT * FROM unnest($1::bigint[], $2::text[])`,
  updateRecords: `INSERT INTO staged_changed_records (domain_id, ${RECORD_COLUMNS}) SELECT * FROM ${RECORD_ARRAYS}`,
  insertRecords: rowTexts.insertRecords.replace('INTO records', 'INTO staged_records'),
  insertChanges: rowTexts.insertChanges.replace('INTO changes', 'INTO staged_changes'),
  putOutcomes: rowTexts.putOutcomes
    .replace('INTO idempotency', 'INTO staged_outcomes')
    .replace(/ON CONFLICT.*$/s, ''),
};

const recordAssignments = RECORD_COLUMNS.split(', ')
  .filter((column) => column !== 'id')
  .map((column) => `${column} = new.${column}`)
  .join(', ');

const laterColumns = `${historyColumns.replace(/^seq, /, '')}, account_id, octets`;

/** The planner has to know how many rows there are. */
export const analyseStagedRows: Statement = {
  text: 'ANALYZE staged_records, staged_changed_records, staged_deleted_records, staged_changes',
};

/** In the order of their key. */
export const INSERT_RECORDS = `
  INSERT INTO records (domain_id, ${RECORD_COLUMNS})
  SELECT domain_id, ${RECORD_COLUMNS} FROM staged_records ORDER BY domain_id, id`;

/**
 * Copies all staged rows but the new records.
 *
 * @param seqStep is added to the numbers of the changes
 */
export function copyStatements(seqStep: number): Statement[] {
  return [
    { text: DELETE_RECORDS },
    { text: UPDATE_RECORDS },
    {
      text: `INSERT INTO changes (seq, ${laterColumns}) SELECT seq + $1::bigint, ${laterColumns} FROM staged_changes`,
      values: [seqStep],
    },
    { text: PUT_OUTCOMES },
  ];
}

const DELETE_RECORDS = `
  DELETE FROM records USING staged_deleted_records AS old
  WHERE records.domain_id = old.domain_id AND records.id = old.id`;
const UPDATE_RECORDS = `
  UPDATE records SET ${recordAssignments} FROM staged_changed_records AS new
  WHERE records.domain_id = new.domain_id AND records.id = new.id`;
const PUT_OUTCOMES = rowTexts.putOutcomes.replace(
  /SELECT \* FROM unnest\(.*?\)\n/s,
  `SELECT ${OUTCOME_COLUMNS} FROM staged_outcomes\n`,
);
