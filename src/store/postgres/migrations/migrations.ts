import { firstTables } from './0001-first-tables.ts';
import { history } from './0002-history.ts';
import { deletedDomainsByTime } from './0003-deleted-domains-by-time.ts';

export interface Migration {
  /** Rising by one from 1; also the version of the tables once it has run. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** In order. One that was ever released is never edited, and leaves the tables fit for the version before it. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first-tables', sql: firstTables },
  { number: 2, name: 'history', sql: history },
  { number: 3, name: 'deleted-domains-by-time', sql: deletedDomainsByTime },
];
