// How `RowLoader` fetches the keys, operators, the names of domains and the nameservers of accounts.
import type { ZoneName } from '../../model/domain.ts';
import { sharingQuery } from '../claim-reads.ts';
import * as rows from '../table-rows.ts';
import { joinRange, splitRanges, type BatchRows } from './batch-rows.ts';

const keysQuery = `
  SELECT wanted.only_managing, ${rows.KEY_COLUMNS.replaceAll(/(\w+)/g, 'found.$1')}
  FROM unnest($1::text[], $2::boolean[]) AS wanted (owner_id, only_managing)
  CROSS JOIN LATERAL (
    SELECT * FROM keys WHERE ${rows.someKeysOfAccount('wanted.owner_id', 'wanted.only_managing')}) AS found`;

const domainNamesQuery = `
  SELECT wanted.owner_id, wanted.after, wanted.row_limit, found.name
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS wanted (owner_id, after, row_limit)
  CROSS JOIN LATERAL (
    SELECT name FROM domains WHERE account_id = wanted.owner_id AND name > wanted.after COLLATE "C"
    ORDER BY name LIMIT wanted.row_limit) AS found
  ORDER BY found.name`;

const takenSetsQuery = `
  SELECT wanted.names, wanted.account_id FROM unnest($1::text[], $2::text[]) AS wanted (names, account_id)
  WHERE EXISTS (${sharingQuery('wanted.names', 'wanted.account_id')})`;

/** Rows of accounts, as kinds of `RowLoader`. */
export function kindsOfAccounts(wanted: BatchRows) {
  return [
    {
      text: keysQuery,
      wanted: wanted.keysOfAccount,
      values: splitRanges,
      put: ([onlyManaging, ...row]: [boolean, ...rows.KeyRow]) => {
        const key = rows.toKey(row);
        wanted.keysOfAccount.add(joinRange(key.accountId, String(onlyManaging)), key);
        wanted.keys.put(key.id, key);
      },
    },
    {
      text: rows.operatorsQuery('= ANY ($1)'),
      wanted: wanted.operators,
      values: (ids: string[]) => [ids],
      put: ([userId, accountId]: [string, string]) => wanted.operators.add(accountId, userId),
    },
    {
      text: takenSetsQuery,
      wanted: wanted.takenSets,
      values: splitRanges,
      put: ([names, accountId]: [string, string]) => wanted.takenSets.put(joinRange(names, accountId), true),
    },
    {
      text: domainNamesQuery,
      wanted: wanted.domainNamesAfter,
      values: splitRanges,
      put: ([accountId, after, limit, name]: [string, string, number, ZoneName]) => {
        wanted.domainNamesAfter.add(joinRange(accountId, after, limit), name);
        // All of them are needed next, and fetched in one round.
        wanted.domains.want(name);
      },
    },
  ];
}
