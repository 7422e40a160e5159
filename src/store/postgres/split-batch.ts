// Splits the rows of a batch into statements of a bounded size.
import type { BatchWrites, RecordWrite } from '../../writes/batch-writes.ts';
import type { HistoryChange } from '../../writes/history.ts';
import type { KeptOutcome } from '../../writes/kept-outcome.ts';
import { noManyRows, type ManyRows } from '../../writes/prepared-write.ts';
import { octetsOfRecord } from '../../writes/record-octets.ts';
import {
  changeStatements,
  outcomeStatements,
  recordStatements,
  rowTexts,
  type RowTexts,
} from './batch-statements.ts';
import type { Statement } from './postgres-connection.ts';

/**
 * Maximum number of rows in a statement. Encoding it takes some 10 ms of this thread, and executing it as long on the
 * server, which therefore never sees the transaction as idle for long.
 */
const MAX_STATEMENT_ROWS = 1000;

/**
 * Octets of rows in a statement, which is one message and whose columns are one text each. Some 10 ms, as above; the row
 * that reaches the limit is the last one, and a single row may be longer.
 */
const MAX_STATEMENT_OCTETS = 1024 * 1024;

export interface SplitBatch {
  /** To be sent one after the other; each is built when it is sent. Their rows depend on no others. */
  readonly first: Iterable<Statement>;
  /** The remaining writes, to be sent together. */
  readonly rest: BatchWrites;
}

/** Splits off the rows of a batch that has very many or very long ones; other batches stay whole. */
export function splitBatch(writes: BatchWrites): SplitBatch {
  if (isShort(writes)) return { first: [], rest: writes };
  return { first: sliceStatements(writes, rowTexts), rest: { ...writes, ...noManyRows } };
}

/** The changes contain all records that are written. */
function isShort({
  deletedRecords,
  changedRecords,
  createdRecords,
  changes,
  keptOutcomes,
}: BatchWrites): boolean {
  const rows = deletedRecords.length + changedRecords.length + createdRecords.length + changes.length;
  if (rows > MAX_STATEMENT_ROWS) return false;
  let octets = 0;
  for (const change of changes) octets += octetsOfChange(change);
  for (const kept of keptOutcomes) octets += octetsOfOutcome(kept);
  return octets <= MAX_STATEMENT_OCTETS;
}

/** Builds each statement when it is asked for. */
export function* sliceStatements(writes: ManyRows, texts: RowTexts): Generator<Statement> {
  for (const deletedRecords of slices(writes.deletedRecords, () => 0))
    yield* recordStatements({ ...noManyRows, deletedRecords }, texts);
  for (const changedRecords of slices(writes.changedRecords, octetsOfWrite))
    yield* recordStatements({ ...noManyRows, changedRecords }, texts);
  for (const createdRecords of slices(writes.createdRecords, octetsOfWrite))
    yield* recordStatements({ ...noManyRows, createdRecords }, texts);
  for (const changes of slices(writes.changes, octetsOfChange)) yield* changeStatements({ changes }, texts);
  for (const keptOutcomes of slices(writes.keptOutcomes, octetsOfOutcome))
    yield* outcomeStatements({ keptOutcomes }, texts);
}

function* slices<Row>(rows: readonly Row[], octetsOf: (row: Row) => number): Generator<readonly Row[]> {
  let from = 0;
  let octets = 0;
  for (const [index, row] of rows.entries()) {
    octets += octetsOf(row);
    if (index + 1 - from < MAX_STATEMENT_ROWS && octets < MAX_STATEMENT_OCTETS) continue;
    yield rows.slice(from, index + 1);
    from = index + 1;
    octets = 0;
  }
  if (from < rows.length) yield rows.slice(from);
}

function octetsOfWrite({ record }: RecordWrite): number {
  return octetsOfRecord(record);
}

function octetsOfChange({ record }: HistoryChange): number {
  return record === null ? 0 : octetsOfRecord(record);
}

function octetsOfOutcome({ outcome }: KeptOutcome): number {
  return outcome.length;
}
