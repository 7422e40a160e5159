// Removes entries of the trail whose time is over, and the oldest ones of accounts that have more octets of it than they may,
// a slice at a time. Runs inside the transaction of the caller. The same as `postgres/trail-upkeep.ts`.
//
// In an account over its budget, the action that takes the most octets loses its oldest entries, again and again. A flood of
// refusals, or of anything else, therefore pushes out hardly more than itself.
import type { AccountLimits } from '../../model/account-limits.ts';
import { keptTrailOctets, TRAIL_OCTETS, type TrailOverBudget } from '../trail-columns.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

/** Entries in a slice: some 4 ms. */
const SLICE_ENTRIES = 200;

/** Accounts that are looked at in a slice, each with some rows of usage: a millisecond. */
const SLICE_ACCOUNTS = 500;

/** A text with this character appended is the next one in byte order. */
const LEAST = '\u{1}';

export interface TrailUpkeep {
  /** Returns false if nothing was left to do. */
  runSlice(): boolean;
  /** Sets the time before which entries expire, and begins to look for accounts over their budget. */
  setTime(startMs: number): void;
}

type Entry = [id: number, accountId: string, action: string, octets: number];

export function createTrailUpkeep(
  database: SqliteDatabase,
  { trailOctets }: Pick<AccountLimits, 'trailOctets'>,
): TrailUpkeep {
  const { expired, oldest, usage, accounts, remove, release, forget } = prepareStatements(database);
  let startMs = 0;
  /** The account from which on accounts are looked at; undefined: all have been. */
  let from: string | undefined;
  let over: TrailOverBudget[] = [];

  function removeEntries(entries: readonly Entry[], excess = Infinity): void {
    let freed = 0;
    for (const [id, accountId, action, octets] of entries) {
      if (freed >= excess) return;
      remove.run(id);
      release.run(octets, accountId, action);
      forget.run(accountId, action);
      freed += octets;
    }
  }

  function removeExpired(): boolean {
    const entries = expired.all(startMs);
    removeEntries(entries);
    return entries.length > 0;
  }

  /** Returns false if the account is within its budget. */
  function trim({ accountId, budget }: TrailOverBudget): boolean {
    const [action, total] = usage.get(accountId) ?? ['', 0];
    const excess = total - keptTrailOctets(budget);
    if (excess <= 0) return false;
    const entries = oldest.all(accountId, action);
    removeEntries(entries, excess);
    // Octets without entries would be sought for ever.
    if (entries.length === 0) release.run(Number.MAX_SAFE_INTEGER, accountId, action);
    forget.run(accountId, action);
    return true;
  }

  function trimSome(): boolean {
    for (let account = over.at(-1); account !== undefined; account = over.at(-1)) {
      if (trim(account)) return true;
      over.pop();
    }
    return false;
  }

  function lookAtAccounts(): boolean {
    if (from === undefined) return false;
    const found = accounts.all(from, trailOctets);
    const last = found.at(-1)?.[0];
    from = last === undefined || found.length < SLICE_ACCOUNTS ? undefined : last + LEAST;
    over = found
      .filter(([, total, budget]) => total > budget)
      .map(([accountId, , budget]) => ({ accountId, budget }));
    return over.length > 0 || from !== undefined;
  }

  return {
    runSlice: () => removeExpired() || trimSome() || lookAtAccounts(),
    setTime(start) {
      startMs = start;
      from = '';
    },
  };
}

function prepareStatements(database: SqliteDatabase) {
  const columns = `id, account_id, action, ${TRAIL_OCTETS}`;
  return {
    expired: prepareQuery<Entry>(
      database,
      `SELECT ${columns} FROM trail INDEXED BY trail_by_time WHERE at < ? ORDER BY at, id LIMIT ${SLICE_ENTRIES}`,
    ),
    oldest: prepareQuery<Entry>(
      database,
      `SELECT ${columns} FROM trail INDEXED BY trail_by_action WHERE account_id = ? AND action = ?
       ORDER BY at, id LIMIT ${SLICE_ENTRIES}`,
    ),
    usage: prepareQuery<[action: string, total: number]>(
      database,
      `SELECT action, sum(octets) OVER () FROM trail_usage WHERE account_id = ? ORDER BY octets DESC LIMIT 1`,
    ),
    accounts: prepareQuery<[accountId: string, total: number, budget: number]>(
      database,
      `SELECT account_id, sum(octets), coalesce(max(limits ->> '$.trailOctets'), ?2)
       FROM trail_usage LEFT JOIN account_limits USING (account_id)
       WHERE account_id >= ?1 GROUP BY account_id ORDER BY account_id LIMIT ${SLICE_ACCOUNTS}`,
    ),
    remove: database.prepare('DELETE FROM trail WHERE id = ?'),
    release: database.prepare(
      'UPDATE trail_usage SET octets = octets - ? WHERE account_id = ? AND action = ?',
    ),
    forget: database.prepare('DELETE FROM trail_usage WHERE account_id = ? AND action = ? AND octets <= 0'),
  };
}
