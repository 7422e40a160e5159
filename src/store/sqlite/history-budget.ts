// Removes the oldest history of accounts that have more octets of it than they may, a slice at a time: entries of the feed,
// and deleted domains that can be restored, whichever is older. Runs inside the transaction of the caller.
//
// Entries are removed between those of other accounts. `counters.gap_seq` says how far the feed has such gaps: a
// process that follows it from an earlier position restarts from the rows.
import type { AccountLimits } from '../../model/account-limits.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';
import { createUsageRelease } from './usage-release.ts';

/** Entries read per slice, and the most that are removed: some 2 ms. */
const SLICE_ENTRIES = 500;

/** A process that follows the feed on this machine is less than a second behind. */
const YOUNGEST_REMOVED_MS = 60_000;

export interface HistoryBudget {
  /** Returns false if no account is over its budget. */
  runSlice(nowMs: number): boolean;
  /** Looks for accounts over their budget: one pass over all accounts (20 ms for 100,000). */
  findAccounts(): void;
}

type Entry = [seq: number, atMs: number, accountId: string | null, octets: number];

export function createHistoryBudget(
  database: SqliteDatabase,
  { historyOctets }: Pick<AccountLimits, 'historyOctets'>,
): HistoryBudget {
  const allOver = prepareQuery<[accountId: string, budget: number]>(
    database,
    `SELECT account_id, coalesce(limits ->> '$.historyOctets', ?1) FROM account_usage LEFT JOIN account_limits USING (account_id)
     WHERE history_octets > coalesce(limits ->> '$.historyOctets', ?1)`,
  );
  const { usage, oldestDeleted, entries, removeEntry, removeAuthor, noteGap, noteStart, forgetDomain } =
    prepareStatements(database);
  const release = createUsageRelease(database);
  let over: { readonly accountId: string; readonly budget: number }[] = [];

  /** Returns false if nothing more can be removed. */
  function removeSome(accountId: string, excess: number, from: number, nowMs: number): boolean {
    const [domainId, domainMs, domainOctets] = oldestDeleted.get(accountId) ?? [0, Infinity, 0];
    const read = entries.all(from);
    const youngestMs = nowMs - YOUNGEST_REMOVED_MS;
    let freed = 0;
    let next = from;
    let removed = 0;
    for (const [seq, atMs, owner, octets] of read) {
      if (freed >= excess || atMs > Math.min(domainMs, youngestMs)) break;
      next = seq + 1;
      if (owner !== accountId) continue;
      removeEntry.run(seq);
      removeAuthor.run(seq);
      removed = seq;
      freed += octets;
    }
    if (removed > 0) noteGap.run(removed);
    if (next > from) noteStart.run(next, accountId);
    const isNext = domainMs <= youngestMs && (read.length === 0 || read[0][1] > domainMs);
    if (isNext) {
      forgetDomain.run(domainId);
      freed += domainOctets;
    }
    if (freed > 0) release.history(accountId, freed);
    return next > from || isNext;
  }

  return {
    runSlice(nowMs) {
      for (let account = over.at(-1); account !== undefined; account = over.at(-1)) {
        const [octets, from] = usage.get(account.accountId) ?? [0, 0];
        const excess = octets - account.budget;
        if (excess > 0 && removeSome(account.accountId, excess, from, nowMs)) return true;
        over.pop();
      }
      return false;
    },
    findAccounts() {
      over = allOver.all(historyOctets).map(([accountId, budget]) => ({ accountId, budget }));
    },
  };
}

function prepareStatements(database: SqliteDatabase) {
  return {
    usage: prepareQuery<[octets: number, from: number]>(
      database,
      'SELECT history_octets, history_from FROM account_usage WHERE account_id = ?',
    ),
    oldestDeleted: prepareQuery<[id: number, deletedAtMs: number, octets: number]>(
      database,
      `SELECT domain_id, deleted_at, octets FROM deleted_domains INDEXED BY deleted_domains_by_account
     WHERE account_id = ? AND deleted_at IS NOT NULL ORDER BY deleted_at, domain_id LIMIT 1`,
    ),
    entries: prepareQuery<Entry>(
      database,
      `SELECT seq, at, account_id, coalesce(octets, 0) FROM changes WHERE seq >= ? ORDER BY seq LIMIT ${SLICE_ENTRIES}`,
    ),
    removeEntry: database.prepare('DELETE FROM changes WHERE seq = ?'),
    // The last entry of a write goes last, and takes the note that all of them share.
    removeAuthor: database.prepare('DELETE FROM change_authors WHERE last_seq = ?'),
    noteGap: database.prepare('UPDATE counters SET gap_seq = max(gap_seq, ?)'),
    noteStart: database.prepare('UPDATE account_usage SET history_from = ? WHERE account_id = ?'),
    forgetDomain: database.prepare('UPDATE deleted_domains SET deleted_at = NULL WHERE domain_id = ?'),
  };
}
