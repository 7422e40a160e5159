// Removes the oldest history of accounts that have more octets of it than they may, a slice at a time: entries of the feed,
// and deleted domains that can be restored, whichever is older. The same as `sqlite/history-budget.ts`.
//
// Entries are removed between those of other accounts, and with them all positions in the feed before them: a nameserver
// that was away and would miss one of them finds its position gone, and restarts from a snapshot.
import type { PostgresConnection } from './postgres-connection.ts';

/** Entries read per slice, and the most that are removed: some 10 ms. */
const SLICE_ENTRIES = 1000;

/** Young entries stay: nameservers follow within seconds, and a lost COMMIT is looked up in `batches` as long. */
const YOUNGEST_REMOVED_MS = 60_000;

export interface OverBudget {
  readonly accountId: string;
  readonly budget: number;
}

/** Finds accounts over their budget: one pass over all accounts. */
export async function findOverBudget(
  connection: PostgresConnection,
  historyOctets: number,
): Promise<readonly OverBudget[]> {
  const { rows } = await connection.query<[string, number]>(ACCOUNTS_OVER, [historyOctets]);
  return rows.map(([accountId, budget]) => ({ accountId, budget }));
}

const BUDGET = "coalesce((limits::json ->> 'historyOctets')::bigint, $1::bigint)";
const ACCOUNTS_OVER = `
  SELECT account_id, ${BUDGET} FROM account_usage LEFT JOIN account_limits USING (account_id)
  WHERE history_octets > ${BUDGET}`;

/** Removes one slice inside the transaction of the caller; returns false if nothing more can or need be removed. */
export async function trimHistory(
  connection: PostgresConnection,
  { accountId, budget }: OverBudget,
  nowMs: number,
): Promise<boolean> {
  const usage = await connection.query<[number, number]>(USAGE, [accountId]);
  const [octets, from] = usage.rows[0] ?? [0, 0];
  const excess = octets - budget;
  if (excess <= 0) return false;
  const deleted = (await connection.query<[number, number, number]>(OLDEST_DELETED, [accountId])).rows.at(0);
  const [domainId, domainMs, domainOctets] = deleted ?? [0, Infinity, 0];
  const youngestMs = nowMs - YOUNGEST_REMOVED_MS;
  const { rows } = await connection.query<Entry>(ENTRIES, [from]);
  const { freed, next, removed } = chooseEntries(rows, {
    accountId,
    excess,
    from,
    youngestMs: Math.min(domainMs, youngestMs),
  });
  if (removed.length > 0) {
    await connection.query('DELETE FROM changes WHERE seq = ANY ($1::bigint[])', [removed]);
    // The last entry of a write goes last, and takes the note that all of them share.
    await connection.query('DELETE FROM change_authors WHERE last_seq = ANY ($1::bigint[])', [removed]);
    await connection.query('DELETE FROM batches WHERE last_seq < $1', [removed[removed.length - 1]]);
  }
  const isForgotten = domainMs <= youngestMs && (rows.length === 0 || rows[0][1] > domainMs);
  if (isForgotten) await connection.query(FORGET_DOMAIN, [domainId]);
  const all = freed + (isForgotten ? domainOctets : 0);
  await connection.query(RELEASE, [accountId, all, next]);
  return next > from || isForgotten;
}

type Entry = [seq: number, atMs: number, accountId: string | null, octets: number];

function chooseEntries(
  rows: readonly Entry[],
  limits: { accountId: string; excess: number; from: number; youngestMs: number },
): { freed: number; next: number; removed: number[] } {
  const removed: number[] = [];
  let freed = 0;
  let next = limits.from;
  for (const [seq, atMs, owner, octets] of rows) {
    if (freed >= limits.excess || atMs > limits.youngestMs) break;
    next = seq + 1;
    if (owner !== limits.accountId) continue;
    removed.push(seq);
    freed += octets;
  }
  return { freed, next, removed };
}

const USAGE = 'SELECT history_octets, history_from FROM account_usage WHERE account_id = $1';

const OLDEST_DELETED = `
  SELECT domain_id, deleted_at, octets FROM deleted_domains
  WHERE account_id = $1 AND deleted_at IS NOT NULL ORDER BY deleted_at, domain_id LIMIT 1 FOR UPDATE`;

/** No live nameserver is behind the entries that are removed. */
const ENTRIES = `
  SELECT seq, at, account_id, coalesce(octets, 0) FROM changes
  WHERE seq >= $1 AND seq <= coalesce(
    (SELECT min(seq) FROM nameservers WHERE seen_at > now() - make_interval(mins => 1)), 9223372036854775807)
  ORDER BY seq LIMIT ${SLICE_ENTRIES}`;

const FORGET_DOMAIN = 'UPDATE deleted_domains SET deleted_at = NULL WHERE domain_id = $1';

const RELEASE = `
  UPDATE account_usage SET history_octets = history_octets - $2, history_from = $3 WHERE account_id = $1`;
