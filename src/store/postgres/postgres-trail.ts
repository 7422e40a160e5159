// The trail in PostgreSQL.
import type { TrailEntry } from '../../model/trail-entry.ts';
import { trailUsageOf } from '../../writes/pending-trail.ts';
import { TRAIL_COLUMNS, trailColumns } from '../trail-columns.ts';
import { forRows } from './for-rows.ts';
import type { Statement } from './postgres-connection.ts';

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
