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
import type { ReadConnections } from './read-connections.ts';

/** @param read refuses while the store cannot be read */
export function createClaimReads(
  connections: ReadConnections,
  read: <T>(read: () => Promise<T>) => Promise<T>,
): ClaimReads {
  return {
    unverifiedDomains: (limit, afterId) =>
      read(async () =>
        (await connections.query<UnverifiedRow>(unverified, [afterId, limit])).map(toUnverifiedDomain),
      ),
    findNameservers: (accountId) =>
      read(async () => {
        const row = (await connections.query<[names: string]>(NAMES, [accountId])).at(0);
        return row && parseNameserverSet(row[0]);
      }),
    isNameserverSetShared: (set, accountId) =>
      read(async () => {
        const names = formatNameserverSet(set);
        return (await connections.query<[number]>(SHARING, [names, accountId])).length > 0;
      }),
    findFreeNameserverSet: (sets) =>
      read(async () => {
        const wanted = sets.map(formatNameserverSet);
        const taken = await connections.query<[names: string]>(TAKEN, [wanted]);
        return firstFree(
          sets,
          taken.map(([names]) => names),
        );
      }),
  };
}

const unverified = unverifiedQuery('$1', '$2');
const NAMES = 'SELECT names FROM account_nameservers WHERE account_id = $1';
const SHARING = sharingQuery('$1', '$2');
const TAKEN = 'SELECT DISTINCT names FROM account_nameservers WHERE names = ANY ($1::text[])';
