import { firstTables } from './0001-first-tables.ts';
import { changesByDomain } from './0002-changes-by-domain.ts';
import { history } from './0003-history.ts';
import { deletedDomainsByTime } from './0004-deleted-domains-by-time.ts';

export interface Migration {
  /** Rising by one from 1; also the store's version (`user_version`) once it has run. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** In order. One that was ever released is never edited. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first-tables', sql: firstTables },
  { number: 2, name: 'changes-by-domain', sql: changesByDomain },
  { number: 3, name: 'history', sql: history },
  { number: 4, name: 'deleted-domains-by-time', sql: deletedDomainsByTime },
];
