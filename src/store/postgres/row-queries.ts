// What `RowLoader` asks for, each for many at a time: one array a part of the key.
import { MAX_REWOUND_CHANGES, type LaterChanges } from '../../writes/rewind-records.ts';
import * as rows from '../table-rows.ts';

const recordColumns = rows.recordColumns.replaceAll(/(\w+)/g, 'records.$1');

/**
 * OFFSET 0 keeps the look-up by owner whole: joined flat, a planner without statistics reads all of the domain's records
 * for each owner and filters (1 ms an owner in a domain of 10,000 records).
 */
export const ownersQuery = `
  SELECT domains.name, ${recordColumns}
  FROM unnest($1::text[], $2::text[]) AS wanted (domain, owner)
  JOIN domains ON domains.name = wanted.domain
  CROSS JOIN LATERAL (
    SELECT * FROM records WHERE domain_id = domains.id AND owner = wanted.owner OFFSET 0
  ) AS records`;

/** With everything at the record's owner, once for all at one: what replaces or removes it asks for that next. */
export const recordsQuery = `
  SELECT places.name, ${recordColumns}
  FROM (
    SELECT DISTINCT domains.id, domains.name, asked.owner
    FROM unnest($1::text[], $2::text[]) AS wanted (domain, id)
    JOIN domains ON domains.name = wanted.domain
    CROSS JOIN LATERAL (
      SELECT owner FROM records WHERE domain_id = domains.id AND id = wanted.id OFFSET 0
    ) AS asked
  ) AS places
  CROSS JOIN LATERAL (
    SELECT * FROM records WHERE domain_id = places.id AND owner = places.owner OFFSET 0
  ) AS records`;

/** All records of each domain. */
export const zonesQuery = `
  SELECT domain_id, ${rows.recordColumns} FROM records WHERE domain_id = ANY ($1::bigint[])`;

/** Locked: their records, which are read next, are not purged before the batch has ended. */
export const deletedDomainsQuery = `
  SELECT ${rows.deletedDomainColumns} FROM deleted_domains
  WHERE domain_id = ANY ($1::bigint[]) AND deleted_at IS NOT NULL FOR UPDATE`;

/** Of each account and name the one deleted last; locked likewise. */
export const lastDeletedQuery = `
  SELECT deleted.*
  FROM unnest($1::text[], $2::text[]) AS wanted (account_id, name)
  CROSS JOIN LATERAL (
    SELECT ${rows.deletedDomainColumns} FROM deleted_domains
    WHERE deleted_domains.account_id = wanted.account_id AND deleted_domains.name = wanted.name
      AND deleted_at IS NOT NULL
    ORDER BY domain_id DESC LIMIT 1 FOR UPDATE
  ) AS deleted`;

const laterSteps = rows.serialStepsSql('wanted.serial', 'changes.serial');

/** One row with nulls where nothing is later. */
export const laterChangesQuery = `
  SELECT wanted.domain_id, wanted.serial,
    EXISTS (SELECT FROM changes WHERE domain_id = wanted.domain_id AND ${laterSteps} NOT BETWEEN 1 AND 2147483647),
    later.*
  FROM unnest($1::bigint[], $2::bigint[]) AS wanted (domain_id, serial)
  LEFT JOIN LATERAL (
    SELECT ${rows.historyColumns} FROM changes
    WHERE domain_id = wanted.domain_id AND ${laterSteps} BETWEEN 1 AND 2147483647
    ORDER BY seq LIMIT ${MAX_REWOUND_CHANGES + 1}
  ) AS later ON true`;

export type LaterChangeRow = readonly [
  domainId: number,
  serial: number,
  reachesBack: boolean,
  ...change: rows.HistoryRow | readonly null[],
];

/** @param found rows of one domain and serial */
export function toLaterChanges(found: readonly LaterChangeRow[]): LaterChanges {
  const changes = found.flatMap(([, , , ...change]) =>
    isChange(change) ? [rows.toHistoryChange(change)] : [],
  );
  return { changes, reachesBack: found.at(0)?.[2] ?? false };
}

export function isChange(row: rows.HistoryRow | readonly null[]): row is rows.HistoryRow {
  return row[0] !== null;
}

export const outcomesQuery = `
  SELECT ${rows.outcomeColumns} FROM idempotency
  WHERE (key_id, idempotency_key) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;
