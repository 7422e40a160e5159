// Counts what accounts have from the rows of their domains, and adds what is missing to their usage: after the migration that
// introduces the counts, and after a process of a version that does not count has written. Part of upkeep.
import type { PostgresConnection } from './postgres-connection.ts';

/** Accounts that are counted by one statement, which locks nothing. */
const ACCOUNTS_AT_ONCE = 200;

/** Returns the number of accounts whose usage was wrong. @param isStopped ends it between two statements */
export async function recountUsage(
  connection: PostgresConnection,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let wrong = 0;
  for (let after = '', isLast = false; !isLast && !isStopped();) {
    const { rows } = await connection.query<CountedRow>(COUNT, [after, ACCOUNTS_AT_ONCE]);
    for (const [accountId, records, octets] of rows) {
      if (records === 0 && octets === 0) continue;
      // The rows and their count change together: what is missing now is missing whatever is written meanwhile.
      await connection.query(ADD, [accountId, records, octets]);
      wrong++;
    }
    isLast = rows.length < ACCOUNTS_AT_ONCE;
    after = rows.at(-1)?.[0] ?? after;
  }
  const { rows } = await connection.query<[missing: number]>(MISSING_DOMAINS);
  const [missing] = rows[0];
  if (missing !== 0) await connection.query(ADD_DOMAINS, [missing]);
  return wrong;
}

type CountedRow = [accountId: string, missingRecords: number, missingOctets: number];

const COUNT = `
  SELECT accounts.id,
    (found.records - coalesce(account_usage.record_count, 0))::bigint,
    (found.octets - coalesce(account_usage.octets, 0))::bigint
  FROM (SELECT id FROM accounts WHERE id > $1 ORDER BY id LIMIT $2) AS accounts
  LEFT JOIN account_usage ON account_usage.account_id = accounts.id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(record_count), 0) AS records, coalesce(sum(octets), 0) AS octets
    FROM domains WHERE domains.account_id = accounts.id
  ) AS found
  ORDER BY accounts.id`;

const ADD = `
  INSERT INTO account_usage AS usage (account_id, record_count, octets, history_octets, outcome_octets)
  VALUES ($1, $2, $3, 0, 0)
  ON CONFLICT (account_id) DO UPDATE SET record_count = usage.record_count + excluded.record_count,
    octets = usage.octets + excluded.octets`;

/** Every version counts the domains of an account. */
const MISSING_DOMAINS = `
  SELECT ((SELECT coalesce(sum(domain_count), 0) FROM accounts) - domain_count)::bigint FROM counters`;
const ADD_DOMAINS = 'UPDATE counters SET domain_count = domain_count + $1::bigint';
