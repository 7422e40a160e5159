import {
  firstFree,
  formatNameserverSet,
  parseNameserverSet,
  sharingQuery,
  toUnverifiedDomain,
  unverifiedQuery,
  type ClaimReads,
  type UnverifiedRow,
} from '../claim-reads.ts';
import { answer } from './answer-read.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

export function createClaimReads(database: SqliteDatabase): ClaimReads {
  const unverified = prepareQuery<UnverifiedRow>(database, unverifiedQuery('?1', '?2'));
  const names = prepareQuery<[names: string]>(
    database,
    'SELECT names FROM account_nameservers WHERE account_id = ?',
  );
  const sharing = prepareQuery<[1]>(database, sharingQuery('?', '?'));
  const taken = prepareQuery<[names: string]>(
    database,
    `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM account_nameservers WHERE names = value)`,
  );
  return {
    unverifiedDomains: (limit, afterId) =>
      answer(() => unverified.all(afterId, limit).map(toUnverifiedDomain)),
    findNameservers: (accountId) =>
      answer(() => {
        const row = names.get(accountId);
        return row && parseNameserverSet(row[0]);
      }),
    isNameserverSetShared: (set, accountId) =>
      answer(() => sharing.get(formatNameserverSet(set), accountId) !== undefined),
    findFreeNameserverSet: (sets) =>
      answer(() => {
        const wanted = JSON.stringify(sets.map(formatNameserverSet));
        return firstFree(
          sets,
          taken.all(wanted).map(([names]) => names),
        );
      }),
  };
}
