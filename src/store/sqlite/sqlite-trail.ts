// The trail in SQLite.
import type { TrailEntry } from '../../model/trail-entry.ts';
import { trailUsageOf } from '../../writes/pending-trail.ts';
import { TRAIL_COLUMNS, trailColumns } from '../trail-columns.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';

/** Prepares the statements that add entries inside an open transaction. */
export function createTrailWriter(database: SqliteDatabase): (entries: readonly TrailEntry[]) => void {
  const insert = database.prepare(
    `INSERT INTO trail (${TRAIL_COLUMNS}) VALUES (${trailColumns.map(() => '?').join(', ')})`,
  );
  const addUsage = database.prepare(
    `INSERT INTO trail_usage (account_id, action, octets) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET octets = octets + excluded.octets`,
  );
  return (entries) => {
    for (const entry of entries) insert.run(...trailColumns.map(({ cellOf }) => cellOf(entry)));
    for (const { accountId, action, octets } of trailUsageOf(entries))
      addUsage.run(accountId, action, octets);
  };
}
