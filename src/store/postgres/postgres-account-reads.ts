import {
  deletedBefore,
  deletedOf,
  dueAccounts,
  entriesBetween,
  holderQueries,
  LAST_PLACE,
  sliceEnd,
  standingsOf,
  toHolders,
  type HolderRow,
} from '../account-queries.ts';
import type { AccountReads } from '../account-reads.ts';
import { toEntry, type EntryRow } from '../history-list.ts';
import { toAccount, toDeletedDomain, type AccountRow, type DeletedDomainRow } from '../table-rows.ts';
import type { ReadConnections } from './read-connections.ts';

/** @param read refuses while the store cannot be read */
export function createAccountReads(
  connections: ReadConnections,
  read: <T>(read: () => Promise<T>) => Promise<T>,
): AccountReads {
  return {
    due: (nowMs, limit) =>
      read(async () => (await connections.query<AccountRow>(dueQuery, [nowMs, limit])).map(toAccount)),
    deletedAmong: (ids) =>
      read(async () =>
        deletedOf(await connections.query<[id: string, standing: string]>(standingsQuery, [ids])),
      ),
    historyBefore: ({ id }, before = LAST_PLACE) =>
      read(async () => {
        const ends = await connections.query<[seq: number]>(endQuery, [id, before]);
        const next = ends.at(0)?.[0];
        const rows = await connections.query<EntryRow>(entriesQuery, [id, before, next ?? 0]);
        return { entries: rows.map(toEntry), next };
      }),
    deletedBefore: (accountId, before) =>
      read(async () => {
        const place = [before?.deletedAtMs ?? LAST_PLACE, before?.id ?? LAST_PLACE];
        const rows = await connections.query<DeletedDomainRow>(deletedQuery, [accountId, ...place]);
        return rows.map(toDeletedDomain);
      }),
    holdersOf: (kind, ids) =>
      read(async () => toHolders(await connections.query<HolderRow>(holdersQuery[kind], [ids]))),
  };
}

const dueQuery = dueAccounts('$1', '$2');
const standingsQuery = standingsOf('= ANY($1::text[])');
const endQuery = sliceEnd('', '$1', '$2');
const entriesQuery = entriesBetween('', '$1', '$2', '$3');
const deletedQuery = deletedBefore('$1', '$2::bigint', '$3::bigint');
const holdersQuery = holderQueries('unnest($1::text[]) AS sought (id)', '');
