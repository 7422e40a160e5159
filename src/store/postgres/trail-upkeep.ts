// Removes entries of the trail whose time is over, and the oldest ones of accounts that have more octets of it than they may,
// a slice at a time. The same as `sqlite/trail-upkeep.ts`.
//
// Batches and slices change several rows of usage in the same order, by account and action, so they never wait for each other.
import { keptTrailOctets, TRAIL_OCTETS, type TrailOverBudget } from '../trail-columns.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** Entries in a slice: some 10 ms. */
const SLICE_ENTRIES = 1000;

/** Removes one slice inside the transaction of the caller; returns the number of entries. */
export async function removeExpiredTrail(connection: PostgresConnection, startMs: number): Promise<number> {
  const { rows } = await connection.query<[accountId: string, action: string, octets: number, count: number]>(
    REMOVE_EXPIRED,
    [startMs],
  );
  for (const [accountId, action, octets] of rows) await release(connection, accountId, action, octets);
  return rows.reduce((sum, [, , , count]) => sum + count, 0);
}

/** Finds accounts over their budget: one pass over the usage of all accounts. */
export async function findTrailsOverBudget(
  connection: PostgresConnection,
  trailOctets: number,
): Promise<readonly TrailOverBudget[]> {
  const { rows } = await connection.query<[string, number]>(ACCOUNTS_OVER, [trailOctets]);
  return rows.map(([accountId, budget]) => ({ accountId, budget }));
}

/**
 * Removes one slice inside the transaction of the caller: the oldest entries of the action that takes the most octets, so that a
 * flood of one action pushes out hardly more than itself. Returns false if the account is within its budget.
 */
export async function trimTrail(
  connection: PostgresConnection,
  { accountId, budget }: TrailOverBudget,
): Promise<boolean> {
  const usage = await connection.query<[action: string, total: number]>(LARGEST, [accountId]);
  const [action, total] = usage.rows.at(0) ?? ['', 0];
  const excess = total - keptTrailOctets(budget);
  if (excess <= 0) return false;
  const { rows } = await connection.query<[id: number, octets: number]>(OLDEST, [accountId, action]);
  const ids: number[] = [];
  let freed = 0;
  for (const [id, octets] of rows) {
    if (freed >= excess) break;
    ids.push(id);
    freed += octets;
  }
  await connection.query('DELETE FROM trail WHERE id = ANY ($1::bigint[])', [ids]);
  // Octets without entries would be sought for ever.
  await release(connection, accountId, action, ids.length === 0 ? Number.MAX_SAFE_INTEGER : freed);
  return true;
}

async function release(
  connection: PostgresConnection,
  accountId: string,
  action: string,
  octets: number,
): Promise<void> {
  await connection.query(RELEASE, [accountId, action, octets]);
  await connection.query(FORGET, [accountId, action]);
}

const RELEASE = 'UPDATE trail_usage SET octets = octets - $3 WHERE account_id = $1 AND action = $2';
const FORGET = 'DELETE FROM trail_usage WHERE account_id = $1 AND action = $2 AND octets <= 0';

const REMOVE_EXPIRED = `
  WITH gone AS (
    DELETE FROM trail WHERE id = ANY (ARRAY(
      SELECT id FROM trail WHERE at < $1 ORDER BY at, id LIMIT ${SLICE_ENTRIES}))
    RETURNING account_id, action, ${TRAIL_OCTETS} AS octets)
  SELECT account_id, action, sum(octets)::bigint, count(*) FROM gone GROUP BY account_id, action
  ORDER BY account_id, action`;

const BUDGET = "coalesce(max((limits::json ->> 'trailOctets')::bigint), $1::bigint)";
const ACCOUNTS_OVER = `
  SELECT account_id, ${BUDGET} FROM trail_usage LEFT JOIN account_limits USING (account_id)
  GROUP BY account_id HAVING sum(octets) > ${BUDGET}`;

const LARGEST = `
  SELECT action, (sum(octets) OVER ())::bigint FROM trail_usage WHERE account_id = $1
  ORDER BY octets DESC LIMIT 1`;

const OLDEST = `
  SELECT id, ${TRAIL_OCTETS} FROM trail WHERE account_id = $1 AND action = $2
  ORDER BY at, id LIMIT ${SLICE_ENTRIES}`;
