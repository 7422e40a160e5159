// The queries of `RowLoader`. Each takes many keys at a time: one array for each part of the key.
import { MAX_ZONE_OCTETS } from '../../model/write-limits.ts';
import { MAX_REWOUND_CHANGES, type LaterChanges } from '../../writes/rewind-records.ts';
import { isCustomersChange } from '../customers-rows.ts';
import { HOLDS_NAME } from '../claim-reads.ts';
import * as rows from '../table-rows.ts';

const recordColumns = rows.RECORD_COLUMNS.replaceAll(/(\w+)/g, 'records.$1');

/**
 * OFFSET 0 keeps the planner from flattening the look-up by owner. Without statistics it would otherwise read and filter all
 * records of the domain for each owner (1 ms an owner in a domain of 10,000 records).
 */
export const ownersQuery = `
  SELECT domains.name, ${recordColumns}
  FROM unnest($1::text[], $2::text[]) AS wanted (domain, owner)
  JOIN domains ON domains.name = wanted.domain
  CROSS JOIN LATERAL (
    SELECT * FROM records WHERE domain_id = domains.id AND owner = wanted.owner OFFSET 0
  ) AS records`;

/** Returns all records of the owner, once per owner, because replacing or removing a record needs them next. */
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

/** The same for domains that are deleted, by their ids. */
export const deletedOwnersQuery = `
  SELECT records.domain_id, ${recordColumns}
  FROM unnest($1::bigint[], $2::text[]) AS wanted (domain_id, owner)
  CROSS JOIN LATERAL (
    SELECT * FROM records WHERE domain_id = wanted.domain_id AND owner = wanted.owner OFFSET 0
  ) AS records`;
export const deletedRecordsQuery = `
  SELECT domain_id, ${rows.RECORD_COLUMNS} FROM records
  WHERE (domain_id, id) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`;

/** All records of each domain. */
export const zonesQuery = `
  SELECT domain_id, ${rows.RECORD_COLUMNS} FROM records WHERE domain_id = ANY ($1::bigint[])`;

/** @param lock locks the rows, so that their records, which are read next, are not purged before the batch has ended */
export function deletedDomainsQuery(lock: boolean): string {
  return `
  SELECT ${rows.DELETED_DOMAIN_COLUMNS} FROM deleted_domains
  WHERE domain_id = ANY ($1::bigint[]) AND deleted_at IS NOT NULL ${lock ? 'FOR UPDATE' : ''}`;
}

/** Returns the domain deleted last for each account and name. @param lock as above */
export function lastDeletedQuery(lock: boolean): string {
  return `
  SELECT deleted.*
  FROM unnest($1::text[], $2::text[]) AS wanted (account_id, name)
  CROSS JOIN LATERAL (
    SELECT ${rows.DELETED_DOMAIN_COLUMNS} FROM deleted_domains
    WHERE deleted_domains.account_id = wanted.account_id AND deleted_domains.name = wanted.name
      AND deleted_at IS NOT NULL
    ORDER BY deleted_at DESC, domain_id DESC LIMIT 1 ${lock ? 'FOR UPDATE' : ''}
  ) AS deleted`;
}

/** Returns the account that deleted each name last, if that domain can still be restored and was not unverified. */
export const holdersQuery = `
  SELECT wanted.name, deleted.account_id
  FROM unnest($1::text[]) AS wanted (name)
  CROSS JOIN LATERAL (
    SELECT account_id FROM deleted_domains
    WHERE deleted_domains.name = wanted.name AND deleted_at IS NOT NULL AND ${HOLDS_NAME}
    ORDER BY deleted_at DESC, domain_id DESC LIMIT 1
  ) AS deleted`;

/**
 * Returns the accounts and names for which another account has a domain below the name. Passes over the names of the
 * account itself and unverified ones only. OFFSET 0 as above.
 *
 * @param alsoHeld whether deleted domains that can still be restored count, too
 */
export function foreignBelowQuery(alsoHeld: boolean): string {
  const below = (table: string, condition: string) => `EXISTS (
    SELECT FROM ${table}
    WHERE reverse(name) > (reverse(wanted.name) || '.') COLLATE "C"
      AND reverse(name) < (reverse(wanted.name) || '/') COLLATE "C"
      AND account_id <> wanted.account_id AND ${HOLDS_NAME} ${condition} OFFSET 0)`;
  const held = alsoHeld ? ` OR ${below('deleted_domains', 'AND deleted_at IS NOT NULL')}` : '';
  return `
    SELECT wanted.account_id, wanted.name FROM unnest($1::text[], $2::text[]) AS wanted (account_id, name)
    WHERE ${below('domains', '')}${held}`;
}

const laterSteps = rows.serialStepsSql('wanted.serial', 'changes.serial');
const isLater = `${laterSteps} BETWEEN 1 AND 2147483647 AND ${isCustomersChange()}`;

/** Returns one row with nulls if no change is later. */
export const laterChangesQuery = `
  SELECT wanted.domain_id, wanted.serial,
    EXISTS (SELECT FROM changes WHERE domain_id = wanted.domain_id AND ${laterSteps} NOT BETWEEN 1 AND 2147483647),
    size.octets > ${MAX_ZONE_OCTETS}, later.*
  FROM unnest($1::bigint[], $2::bigint[]) AS wanted (domain_id, serial)
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(octets), 0) AS octets FROM (
      SELECT octets FROM changes
      WHERE domain_id = wanted.domain_id AND ${isLater}
      LIMIT ${MAX_REWOUND_CHANGES + 1}
    ) AS counted
  ) AS size
  LEFT JOIN LATERAL (
    SELECT ${rows.pastChangeColumns} FROM changes
    WHERE domain_id = wanted.domain_id AND ${isLater}
      AND size.octets <= ${MAX_ZONE_OCTETS}
    ORDER BY seq LIMIT ${MAX_REWOUND_CHANGES + 1}
  ) AS later ON true`;

export type LaterChangeRow = readonly [
  domainId: number,
  serial: number,
  reachesBack: boolean,
  isTooLong: boolean,
  ...change: rows.PastChangeRow | readonly null[],
];

/** @param found the rows of one domain and serial */
export function toLaterChanges(found: readonly LaterChangeRow[]): LaterChanges {
  const changes = found.flatMap(([, , , , ...change]) =>
    isChange(change) ? [rows.toPastChange(change)] : [],
  );
  const [, , reachesBack = false, isTooLong = false] = found.at(0) ?? [];
  return { changes, reachesBack, ...(isTooLong && { isTooLong }) };
}

export function isChange(row: rows.PastChangeRow | readonly null[]): row is rows.PastChangeRow {
  return row[0] !== null;
}

export const outcomesQuery = `
  SELECT ${rows.OUTCOME_COLUMNS} FROM idempotency
  WHERE (key_id, idempotency_key) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;
