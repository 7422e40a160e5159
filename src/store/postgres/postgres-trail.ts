// The trail in PostgreSQL: what batches add to it, and reads of it.
import type { GetSignal } from '../../base/fair-semaphore.ts';
import type { TrailEntry } from '../../model/trail-entry.ts';
import { trailUsageOf } from '../../writes/pending-trail.ts';
import { isShort, MAX_SHORT_CHANGES } from '../short-reads.ts';
import type { PageRequest } from '../page.ts';
import { TRAIL_COLUMNS, trailColumns, type TrailRow } from '../trail-columns.ts';
import { toTrailPage, trailPageQueries, type TrailEndRow } from '../trail-page.ts';
import {
  describeTrailRead,
  sliceQuery,
  sliceValues,
  toTrailSlice,
  weightQuery,
  type SliceRow,
  type TrailPage,
  type TrailQuery,
  type TrailReads,
} from '../trail-reads.ts';
import { forRows } from './for-rows.ts';
import { keyText } from './key-text.ts';
import type { Statement } from './postgres-connection.ts';
import { inPostgres } from './postgres-searches.ts';
import type { ReadConnections } from './read-connections.ts';

export function trailStatements(entries: readonly TrailEntry[]): Statement[] {
  if (entries.length === 0) return [];
  return [
    ...forRows(
      INSERT_TRAIL,
      entries,
      trailColumns.map(({ cellOf }) => cellOf),
    ),
    ...forRows(ADD_USAGE, trailUsageOf(entries), [
      ({ accountId }) => accountId,
      ({ action }) => action,
      ({ octets }) => octets,
    ]),
  ];
}

const arrays = trailColumns.map(({ kind }, at) => `$${at + 1}::${kind === 'text' ? 'text' : 'bigint'}[]`);

/** Ids are given in the order of the entries. */
const INSERT_TRAIL = `
  INSERT INTO trail (${TRAIL_COLUMNS})
  SELECT ${TRAIL_COLUMNS} FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS new (${TRAIL_COLUMNS}, place)
  ORDER BY place`;

const ADD_USAGE = `
  INSERT INTO trail_usage AS usage (account_id, action, octets)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
  ON CONFLICT (account_id, action) DO UPDATE SET octets = usage.octets + excluded.octets`;

/** Runs a long read on the connections of a lane. */
export type RunLong = <T>(
  readerId: string,
  getSignal: GetSignal | undefined,
  read: (connections: ReadConnections) => Promise<T>,
) => Promise<T>;

/** @param connections for short reads */
export function createTrailReads(connections: ReadConnections, runLong: RunLong): TrailReads {
  return {
    async list(readerId, filter, page, getSignal) {
      const query = describeTrailRead(filter, inPostgres);
      const isFew = await hasFew(connections, query);
      const read = (chosen: ReadConnections) => readPage(chosen, query, page);
      return isFew ? await read(connections) : await runLong(readerId, getSignal, read);
    },
    slice(readerId, filter, from, getSignal) {
      const query = describeTrailRead(filter, inPostgres);
      const text = sliceQuery(query, 'trail', inPostgres);
      const values = sliceValues(query, from).map(keyValue);
      return runLong(readerId, getSignal, async (chosen) =>
        toTrailSlice(await chosen.query<SliceRow>(text, values)),
      );
    },
    async octets(accountId) {
      const [[octets]] = await connections.query<[number]>(OCTETS, [keyText(accountId)]);
      return octets;
    },
  };
}

async function readPage(
  connections: ReadConnections,
  query: TrailQuery,
  page: PageRequest,
): Promise<TrailPage> {
  const { rows, end, total } = trailPageQueries(query, page, 'trail', inPostgres);
  const found = await connections.query<TrailRow>(rows.text, rows.values.map(keyValue));
  const ends = await connections.query<TrailEndRow>(end.text, end.values.map(keyValue));
  const [[count]] = await connections.query<[number]>(total.text, total.values.map(keyValue));
  return toTrailPage(page, { rows: found, end: ends, total: count });
}

/** @param read runs a read while the store is open */
export function guardTrailReads(
  trail: TrailReads,
  read: <T>(run: () => Promise<T>) => Promise<T>,
): TrailReads {
  return {
    list: (...args) => read(() => trail.list(...args)),
    slice: (...args) => read(() => trail.slice(...args)),
    octets: (accountId) => read(() => trail.octets(accountId)),
  };
}

const OCTETS = 'SELECT coalesce(sum(octets), 0)::bigint FROM trail_usage WHERE account_id = $1';

async function hasFew(connections: ReadConnections, query: TrailQuery): Promise<boolean> {
  const [[rows]] = await connections.query<[number]>(
    weightQuery(query, 'trail'),
    query.scopeValues.map(keyText),
  );
  return isShort({ rows, octets: 0 }, MAX_SHORT_CHANGES);
}

function keyValue(value: string | number): string | number {
  return typeof value === 'string' ? keyText(value) : value;
}
