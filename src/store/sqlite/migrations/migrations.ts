import { firstTables } from './0001-first-tables.ts';
import { changesByDomain } from './0002-changes-by-domain.ts';
import { history } from './0003-history.ts';
import { deletedDomainsByTime } from './0004-deleted-domains-by-time.ts';

export interface Migration {
  /** Numbered from 1 without gaps; also the version of the store (`user_version`) after the migration. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** In order. A released migration is never edited. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first-tables', sql: firstTables },
  { number: 2, name: 'changes-by-domain', sql: changesByDomain },
  { number: 3, name: 'history', sql: history },
  { number: 4, name: 'deleted-domains-by-time', sql: deletedDomainsByTime },
];
