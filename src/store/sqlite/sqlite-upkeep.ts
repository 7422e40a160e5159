// Removes expired data between batches, in slices so small that no writer waits for long: records of deleted domains, feed
// entries older than the history, serials of deleted domains that the clock has passed, kept outcomes, entries of the trail,
// and history and trail beyond the budget of their account. Hashes the zones of an earlier version. Keeps the time by which
// it deletes. Reads no clock.
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';
import { defaultLimits, type AccountLimits } from '../../model/account-limits.ts';
import type { UpkeepTimes } from '../deletion-time.ts';
import { createHistoryBudget } from './history-budget.ts';
import { createTrailUpkeep } from './trail-upkeep.ts';
import { createUsageRelease } from './usage-release.ts';
import { createZoneHashing } from './zone-hashing.ts';
import { IDEMPOTENCY_HOURS } from '../../model/write-limits.ts';

/** Rows in a slice. Each may be on a page of its own, so a slice takes some 4 ms, like a large batch of writes. */
export const UPKEEP_SLICE_ROWS = 200;

const IDEMPOTENCY_MS = IDEMPOTENCY_HOURS * 3_600_000;

export interface Upkeep {
  /** Runs one slice inside the transaction of the caller; returns false if nothing was left to do. */
  runSlice(): boolean;
  /** Sets the times before which feed entries and the trail expire, and the time at which serials and kept outcomes expire. */
  setTime(times: UpkeepTimes): void;
  /** Has a later slice begin to hash a domain that was restored without a hash. */
  hashZone(domainId: number): void;
  /** Makes the next slice write the time that is kept for the next start; null leaves the kept one. */
  keepTime(trustedMs: number | null, wallMs: number): void;
}

/** Returns the trusted time of the last run of upkeep; null if there was none. */
export function readTrustedMs(database: SqliteDatabase): number | null {
  return prepareQuery<[number | null]>(database, 'SELECT trusted_at FROM upkeep_time').get()?.[0] ?? null;
}

export function createUpkeep(
  database: SqliteDatabase,
  limits: Pick<AccountLimits, 'historyOctets' | 'trailOctets'> = defaultLimits,
): Upkeep {
  const purgeRecords = createRecordPurge(database, 'WHERE deleted_at IS NULL', 'zone_keys');
  const forgetDomains = createForgetting(database);
  const pruneChanges = createChangePruning(database);
  const pruneSerials = database.prepare(
    `DELETE FROM retired_serials WHERE name IN
       (SELECT name FROM retired_serials WHERE needed_until < ? LIMIT ${UPKEEP_SLICE_ROWS})`,
  );
  const pruneOutcomes = createOutcomePruning(database);
  const budget = createHistoryBudget(database, limits);
  const trail = createTrailUpkeep(database, limits);
  const hashing = createZoneHashing(database);
  const writeTime = database.prepare(
    `INSERT INTO upkeep_time VALUES (1, ?, ?)
     ON CONFLICT DO UPDATE SET trusted_at = coalesce(excluded.trusted_at, trusted_at), written_at = excluded.written_at`,
  );
  let historyStartMs = 0;
  let nowMs = 0;
  let unwritten: [trustedMs: number | null, wallMs: number] | undefined;
  const keepTime = (): boolean => {
    if (unwritten === undefined) return false;
    writeTime.run(...unwritten);
    unwritten = undefined;
    return true;
  };
  return {
    runSlice: () =>
      keepTime() ||
      purgeRecords() ||
      forgetDomains(historyStartMs) ||
      pruneChanges(historyStartMs) ||
      Number(pruneSerials.run(Math.floor(nowMs / 1000)).changes) > 0 ||
      pruneOutcomes(nowMs - IDEMPOTENCY_MS) ||
      budget.runSlice(nowMs) ||
      trail.runSlice() ||
      hashing.runSlice(),
    setTime(times) {
      ({ nowMs, historyStartMs } = times);
      trail.setTime(times.trailStartMs);
      budget.findAccounts();
    },
    hashZone: (domainId) => hashing.add(domainId),
    keepTime(trustedMs, wallMs) {
      unwritten = [trustedMs, wallMs];
    },
  };
}

/**
 * Removes the records of `deleted_domains`, one slice per call. The function returns false if none is left.
 *
 * @param due condition for the domains that can no longer be restored
 * @param keyTable has a few rows of a domain, which go with its last records
 */
export function createRecordPurge(database: SqliteDatabase, due = '', keyTable?: string): () => boolean {
  const nextDomain = prepareQuery<[domainId: number]>(
    database,
    `SELECT domain_id FROM deleted_domains ${due} ORDER BY domain_id LIMIT 1`,
  );
  const sliceEnd = prepareQuery<[id: string]>(
    database,
    `SELECT id FROM records WHERE domain_id = ? ORDER BY id LIMIT 1 OFFSET ${UPKEEP_SLICE_ROWS - 1}`,
  );
  const deleteSlice = database.prepare('DELETE FROM records WHERE domain_id = ? AND id <= ?');
  const deleteRest = database.prepare('DELETE FROM records WHERE domain_id = ?');
  const forget = database.prepare('DELETE FROM deleted_domains WHERE domain_id = ?');
  const deleteKeys = keyTable && database.prepare(`DELETE FROM ${keyTable} WHERE domain_id = ?`);
  return () => {
    const domainId = nextDomain.get()?.[0];
    if (domainId === undefined) return false;
    const end = sliceEnd.get(domainId)?.[0];
    if (end === undefined) {
      deleteRest.run(domainId);
      if (deleteKeys) deleteKeys.run(domainId);
      forget.run(domainId);
    } else {
      deleteSlice.run(domainId, end);
    }
    return true;
  };
}

/** Runs before any record is removed, so that an incomplete domain can never be restored. */
function createForgetting(database: SqliteDatabase): (startMs: number) => boolean {
  const due = prepareQuery<[domainId: number, accountId: string | null, octets: number]>(
    database,
    `SELECT domain_id, account_id, octets FROM deleted_domains WHERE deleted_at < ? LIMIT ${UPKEEP_SLICE_ROWS}`,
  );
  const forget = database.prepare('UPDATE deleted_domains SET deleted_at = NULL WHERE domain_id = ?');
  const release = createUsageRelease(database);
  return (startMs) => {
    const found = due.all(startMs);
    for (const [domainId, accountId, octets] of found) {
      forget.run(domainId);
      release.history(accountId, octets);
    }
    return found.length > 0;
  };
}

function createOutcomePruning(database: SqliteDatabase): (beforeMs: number) => boolean {
  const due = prepareQuery<[rowid: number, accountId: string | null, octets: number | null]>(
    database,
    `SELECT rowid, account_id, octets FROM idempotency WHERE at < ? LIMIT ${UPKEEP_SLICE_ROWS}`,
  );
  const remove = database.prepare('DELETE FROM idempotency WHERE rowid = ?');
  const release = createUsageRelease(database);
  return (beforeMs) => {
    const found = due.all(beforeMs);
    for (const [rowid, accountId, octets] of found) {
      remove.run(rowid);
      release.outcomes(accountId, octets);
    }
    return found.length > 0;
  };
}

/** Removes entries only from the beginning of the feed, so that it never has a gap, even if a clock was set back. */
function createChangePruning(database: SqliteDatabase): (startMs: number) => boolean {
  const oldest = prepareQuery<[seq: number, atMs: number, accountId: string | null, octets: number | null]>(
    database,
    `SELECT seq, at, account_id, octets FROM changes ORDER BY seq LIMIT ${UPKEEP_SLICE_ROWS}`,
  );
  const first = prepareQuery<[atMs: number]>(database, 'SELECT at FROM changes ORDER BY seq LIMIT 1');
  const release = createUsageRelease(database);
  const deleteUpTo = database.prepare('DELETE FROM changes WHERE seq <= ?');
  const deleteAuthors = database.prepare('DELETE FROM change_authors WHERE last_seq <= ?');
  return (startMs) => {
    if ((first.get()?.[0] ?? startMs) >= startMs) return false;
    const rows = oldest.all();
    const kept = rows.findIndex(([, atMs]) => atMs >= startMs);
    const lastOld = rows.at((kept === -1 ? rows.length : kept) - 1);
    if (lastOld === undefined) return false;
    for (const [seq, , accountId, octets] of rows) if (seq <= lastOld[0]) release.history(accountId, octets);
    deleteUpTo.run(lastOld[0]);
    deleteAuthors.run(lastOld[0]);
    return true;
  };
}
