import type { ZoneHead } from '../../model/zone-update.ts';
import { prepareQuery, type SqliteDatabase, type SqlValue } from './sqlite-driver.ts';

/** How a file of zones keeps the hash of each. */
export interface ZoneTables {
  /** The expression for the account of a row of `domains`; `''` if the file does not hold it. */
  readonly accountColumn: string;
  /** Whether the file has the column `withheld`; otherwise every domain is served. */
  readonly knowsWithheld: boolean;
  /** Columns of `domains` that the hash is taken from. */
  readonly hashColumns: string;
  /**
   * Returns the hash that the records of a zone must have; null: it is not known.
   *
   * @param values of `hashColumns`
   * @throws ZoneDamaged if the row itself is wrong
   */
  contentHash(head: ZoneHead, values: readonly SqlValue[]): string | null;
}

/** The tables of the embedded store. A file that an earlier version has written holds no hashes. */
export function storeTables(database: SqliteDatabase): ZoneTables {
  const columns = domainColumns(database);
  const has = (column: string): boolean => columns.has(column);
  return {
    accountColumn: has('account_id') ? 'account_id' : "''",
    knowsWithheld: has('withheld'),
    hashColumns: has('hashed_serial') ? 'content_hash, hashed_serial' : 'NULL, NULL',
    contentHash: ({ serial }, [hash, hashedSerial]) =>
      hashedSerial === serial && typeof hash === 'string' ? hash : null,
  };
}

/** The columns that `domains` has in the file, which an earlier version may have made. */
export function domainColumns(database: SqliteDatabase): ReadonlySet<string> {
  const sql = "SELECT name FROM pragma_table_info('domains')";
  return new Set(
    prepareQuery<[name: string]>(database, sql)
      .all()
      .map(([name]) => name),
  );
}
