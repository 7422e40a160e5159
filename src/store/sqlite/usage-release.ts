import type { SqliteDatabase } from './sqlite-driver.ts';

/** Takes what upkeep removes off the usage of the account that had it. */
export function createUsageRelease(database: SqliteDatabase) {
  const history = database.prepare(
    'UPDATE account_usage SET history_octets = history_octets - ? WHERE account_id = ?',
  );
  const outcomes = database.prepare(
    'UPDATE account_usage SET outcome_octets = outcome_octets - ? WHERE account_id = ?',
  );
  /** Entries of earlier versions have no account and are not counted. */
  const release =
    (statement: typeof history) =>
    (accountId: string | null, octets: number | null): void => {
      if (accountId !== null && octets !== null && octets !== 0) statement.run(octets, accountId);
    };
  return { history: release(history), outcomes: release(outcomes) };
}
