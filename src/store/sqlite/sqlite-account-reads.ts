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
import type { AccountReads, HeldKind } from '../account-reads.ts';
import { toEntry, type EntryRow } from '../history-list.ts';
import { toAccount, toDeletedDomain, type AccountRow, type DeletedDomainRow } from '../table-rows.ts';
import { answer } from './answer-read.ts';
import { prepareQuery, type Query, type SqliteDatabase } from './sqlite-driver.ts';

const BY_DOMAIN = 'INDEXED BY changes_by_domain';

export function createAccountReads(database: SqliteDatabase): AccountReads {
  const due = prepareQuery<AccountRow>(database, dueAccounts('?1', '?2'));
  const standings = prepareQuery<[id: string, standing: string]>(
    database,
    standingsOf('IN (SELECT value FROM json_each(?1))'),
  );
  const end = prepareQuery<[seq: number]>(database, sliceEnd(BY_DOMAIN, '?1', '?2'));
  const entries = prepareQuery<EntryRow>(database, entriesBetween(BY_DOMAIN, '?1', '?2', '?3'));
  const deleted = prepareQuery<DeletedDomainRow>(database, deletedBefore('?1', '?2', '?3'));
  const holders = prepareHolders(database);
  return {
    due: (nowMs, limit) => answer(() => due.all(nowMs, limit).map(toAccount)),
    deletedAmong: (ids) => answer(() => deletedOf(standings.all(JSON.stringify(ids)))),
    historyBefore: ({ id }, before = LAST_PLACE) =>
      answer(() => {
        const next = end.get(id, before)?.[0];
        return { entries: entries.all(id, before, next ?? 0).map(toEntry), next };
      }),
    deletedBefore: (accountId, before) =>
      answer(() =>
        deleted
          .all(accountId, before?.deletedAtMs ?? LAST_PLACE, before?.id ?? LAST_PLACE)
          .map(toDeletedDomain),
      ),
    holdersOf: (kind, ids) => answer(() => toHolders(holders[kind].all(JSON.stringify(ids)))),
  };
}

const SOUGHT = '(SELECT value AS id FROM json_each(?1)) AS sought';

function prepareHolders(database: SqliteDatabase): Readonly<Record<HeldKind, Query<HolderRow>>> {
  const queries = holderQueries(SOUGHT, 'INDEXED BY deleted_domains_by_name_alone');
  return {
    domain: prepareQuery(database, queries.domain),
    key: prepareQuery(database, queries.key),
    account: prepareQuery(database, queries.account),
  };
}
