// Removes expired data, in one process at a time and in slices so small that no writer waits for long: records of deleted
// domains, feed entries older than the history or beyond the budget of their account, serials of deleted domains that the
// clock has passed, and old reports of nameservers. Hashes and counts what an earlier version has written. The time comes from the clock of the database, whichever process runs
// upkeep.
import type { Clock } from '../../base/clock.ts';
import type { UpkeepPlan, UpkeepTimes } from '../deletion-time.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { connectToTables } from './migrate.ts';
import type { PostgresConnection, PostgresValue, SessionLimits } from './postgres-connection.ts';
import { defaultLimits, type AccountLimits } from '../../model/account-limits.ts';
import { findOverBudget, trimHistory } from './history-budget.ts';
import { recountUsage } from './recount-usage.ts';
import { findTrailsOverBudget, removeExpiredTrail, trimTrail } from './trail-upkeep.ts';
import { fillHashes } from './zone-hashing.ts';
import { IDEMPOTENCY_HOURS } from '../../model/write-limits.ts';

/** "ZNWU": the advisory lock of one slice. */
export const UPKEEP_LOCK = 0x5a4e5755;

/** Rows in a slice, which takes some 10 ms. */
export const UPKEEP_SLICE_ROWS = 1000;

const upkeepLimits: SessionLimits = { statementMs: 10_000, lockMs: 1000, idleInTransactionMs: 2000 };

/** The time at which a nameserver took a serial is only of interest for minutes. */
const REPORTS_KEPT_MS = 3_600_000;

const NAMESERVERS_KEPT_HOURS = 24;

const IDEMPOTENCY_MS = IDEMPOTENCY_HOURS * 3_600_000;

/** Decides by which times to delete, from the clock of the database and the time that is kept there. */
export type PlanUpkeep = (wallMs: number, keptMs: number | null) => UpkeepPlan;

/**
 * Keeps the trusted time, then runs slice after slice until nothing is left or another process runs upkeep.
 *
 * @param clock replaces the clock of the database in tests
 */
export async function runUpkeep(
  address: PostgresAddress,
  plan: PlanUpkeep,
  isStopped: () => boolean,
  clock?: Clock,
  limits: Pick<AccountLimits, 'historyOctets' | 'trailOctets'> = defaultLimits,
): Promise<void> {
  const connection = await connectToTables(address, upkeepLimits);
  try {
    const times = await planTimes(connection, plan, clock);
    const isEnded = async (work: () => Promise<boolean>): Promise<boolean> =>
      isStopped() || !(await inSlice(connection, work));
    const removeExpired = async () => (await removeSome(connection, times)) > 0;
    while (!(await isEnded(removeExpired)));
    for (const over of await findOverBudget(connection, limits.historyOctets)) {
      while (!(await isEnded(() => trimHistory(connection, over, times.nowMs))));
    }
    for (const over of await findTrailsOverBudget(connection, limits.trailOctets)) {
      while (!(await isEnded(() => trimTrail(connection, over))));
    }
    const hasFilled = await fillHashes(connection, async (slice) => !(await isEnded(slice)));
    if (hasFilled) await recountUsage(connection, isStopped);
  } finally {
    await connection.close();
  }
}

async function planTimes(
  connection: PostgresConnection,
  plan: PlanUpkeep,
  clock: Clock | undefined,
): Promise<UpkeepTimes> {
  const { rows } = await connection.query<[nowMs: number, keptMs: number | null]>(READ_TIME);
  const [databaseMs, keptMs] = rows[0];
  const wallMs = clock?.nowMs() ?? databaseMs;
  const { times, trustedMs } = plan(wallMs, keptMs);
  await connection.query(WRITE_TIME, [trustedMs, wallMs]);
  return times;
}

/** Not `now()`: that is the time at which the transaction began. */
const READ_TIME = `
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, (SELECT trusted_at FROM upkeep_time)`;

const WRITE_TIME = `
  INSERT INTO upkeep_time VALUES (1, $1, $2) ON CONFLICT (one) DO UPDATE
  SET trusted_at = coalesce(excluded.trusted_at, upkeep_time.trusted_at), written_at = excluded.written_at`;

/** Returns false if nothing was left to do, or if another process holds the lock. */
async function inSlice(connection: PostgresConnection, work: () => Promise<boolean>): Promise<boolean> {
  await connection.query('BEGIN');
  const { rows } = await connection.query<[boolean]>('SELECT pg_try_advisory_xact_lock($1)', [UPKEEP_LOCK]);
  const [hasLock] = rows[0];
  const isMoreLeft = hasLock && (await work());
  await connection.query('COMMIT');
  return isMoreLeft;
}

async function removeSome(connection: PostgresConnection, times: UpkeepTimes): Promise<number> {
  const { nowMs, historyStartMs, trailStartMs } = times;
  const nowSeconds = Math.floor(nowMs / 1000);
  return (
    (await purgeRecords(connection)) ||
    (await removeCounted(connection, forgetDomains, [historyStartMs], RELEASE_HISTORY)) ||
    (await pruneFeed(connection, historyStartMs)) ||
    (await removeExpiredTrail(connection, trailStartMs)) ||
    (await connection.query(pruneSerials, [nowSeconds])).rowCount ||
    (await removeCounted(connection, pruneOutcomes, [nowMs - IDEMPOTENCY_MS], RELEASE_OUTCOMES)) ||
    (await connection.query(pruneReports, [nowMs - REPORTS_KEPT_MS])).rowCount ||
    (await connection.query(pruneNameservers, [nowMs])).rowCount
  );
}

/**
 * Removes rows and takes their octets off the usage of their accounts. Batches write usage in the same order, by account,
 * so the two never wait for each other. Returns the number of removed rows.
 */
async function removeCounted(
  connection: PostgresConnection,
  removal: string,
  values: readonly PostgresValue[],
  release: string,
): Promise<number> {
  const counted = `
    WITH gone AS (${removal})
    SELECT account_id, coalesce(sum(octets), 0)::bigint, count(*) FROM gone GROUP BY account_id
    ORDER BY account_id COLLATE "C"`;
  const { rows } = await connection.query<[string | null, number, number]>(counted, values);
  // Entries of earlier versions have no account and are not counted.
  for (const [accountId, octets] of rows) {
    if (accountId !== null) await connection.query(release, [accountId, octets]);
  }
  return rows.reduce((sum, [, , count]) => sum + count, 0);
}

const RELEASE_HISTORY = 'UPDATE account_usage SET history_octets = history_octets - $2 WHERE account_id = $1';
const RELEASE_OUTCOMES =
  'UPDATE account_usage SET outcome_octets = outcome_octets - $2 WHERE account_id = $1';

async function purgeRecords(connection: PostgresConnection): Promise<number> {
  const { rows } = await connection.query<[number]>(NEXT_PURGED);
  const domainId = rows.at(0)?.[0];
  if (domainId === undefined) return 0;
  const purged = await connection.query(purgeSlice, [domainId]);
  if (purged.rowCount === UPKEEP_SLICE_ROWS) return purged.rowCount;
  await connection.query('DELETE FROM zone_keys WHERE domain_id = $1', [domainId]);
  const forgotten = await connection.query('DELETE FROM deleted_domains WHERE domain_id = $1', [domainId]);
  return purged.rowCount + forgotten.rowCount;
}

/** Domains without a time are expired, restored under another id, or deleted by a version that kept no history. */
const NEXT_PURGED = `
  SELECT domain_id FROM deleted_domains WHERE deleted_at IS NULL ORDER BY domain_id LIMIT 1`;

/** Runs before any record is removed, so that an incomplete domain is never restored. A batch locks what it restores. */
const forgetDomains = `
  UPDATE deleted_domains SET deleted_at = NULL WHERE domain_id = ANY (ARRAY(
    SELECT domain_id FROM deleted_domains WHERE deleted_at < $1
    ORDER BY deleted_at LIMIT ${UPKEEP_SLICE_ROWS} FOR UPDATE SKIP LOCKED)) RETURNING account_id, octets`;

const purgeSlice = `
  DELETE FROM records WHERE domain_id = $1 AND id = ANY (ARRAY(
    SELECT id FROM records WHERE domain_id = $1 ORDER BY id LIMIT ${UPKEEP_SLICE_ROWS}))`;

/** Removes batches and changes in one transaction: as long as the batch of a follower exists, so do all later changes. */
async function pruneFeed(connection: PostgresConnection, historyStartMs: number): Promise<number> {
  const removed = await removeCounted(connection, pruneChanges, [historyStartMs], RELEASE_HISTORY);
  if (removed > 0) await connection.query(PRUNE_AUTHORS);
  if (removed > 0) await connection.query(PRUNE_BATCHES);
  return removed;
}

/** Removes entries only from the beginning of the feed, so that it never has a gap, even if a clock was set back. */
const pruneChanges = `
  DELETE FROM changes WHERE seq = ANY (ARRAY(
    WITH oldest AS MATERIALIZED (SELECT seq, at FROM changes ORDER BY seq LIMIT ${UPKEEP_SLICE_ROWS})
    SELECT seq FROM oldest WHERE seq < coalesce((SELECT min(seq) FROM oldest WHERE at >= $1), 9223372036854775807)))
  RETURNING account_id, octets`;

/** Those of changes that are all removed. */
const PRUNE_AUTHORS = `
  DELETE FROM change_authors WHERE last_seq < coalesce(
    (SELECT seq FROM changes ORDER BY seq LIMIT 1), 9223372036854775807)`;

/** Keeps the last batch whose changes are all removed: it is the position of followers that are up to date with it. */
const PRUNE_BATCHES = `
  DELETE FROM batches WHERE last_seq < coalesce(
    (SELECT seq - 1 FROM changes ORDER BY seq LIMIT 1), (SELECT last_seq FROM counters))`;

const pruneSerials = `
  DELETE FROM retired_serials WHERE name = ANY (ARRAY(
    SELECT name FROM retired_serials WHERE needed_until < $1 ORDER BY needed_until LIMIT ${UPKEEP_SLICE_ROWS}))`;

const pruneOutcomes = `
  DELETE FROM idempotency WHERE (key_id, idempotency_key) IN (
    SELECT key_id, idempotency_key FROM idempotency WHERE at < $1 ORDER BY at LIMIT ${UPKEEP_SLICE_ROWS})
  RETURNING account_id, octets`;

const pruneReports = `
  DELETE FROM nameserver_reports WHERE (nameserver_id, seq) IN (
    SELECT nameserver_id, seq FROM nameserver_reports WHERE at < $1 ORDER BY at LIMIT ${UPKEEP_SLICE_ROWS})`;

const pruneNameservers = `
  DELETE FROM nameservers WHERE seen_at < to_timestamp($1::bigint / 1000) - make_interval(hours => ${NAMESERVERS_KEPT_HOURS})`;
