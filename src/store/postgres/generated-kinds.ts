// How `RowLoader` fetches rows of signatures, and the keys of signed domains: many at a time.
import type { OwnerKey } from '../../model/record.ts';
import { isCustomersRecord } from '../customers-rows.ts';
import { toZoneKey, ZONE_KEY_COLUMNS, type ZoneKeyRow } from '../signing-reads.ts';
import * as rows from '../table-rows.ts';
import { joinRange, splitRanges, type BatchRows } from './batch-rows.ts';

const foundColumns = rows.RECORD_COLUMNS.replaceAll(/(\w+)/g, 'found.$1');

/** Returns the last row before a place, with what was asked for. */
export const generatedBeforeQuery = `
  SELECT wanted.domain_id, wanted.prefix, wanted.place, ${foundColumns}
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS wanted (domain_id, prefix, place)
  CROSS JOIN LATERAL (
    SELECT * FROM records
    WHERE domain_id = wanted.domain_id AND id >= wanted.prefix AND id < wanted.place
    ORDER BY id DESC LIMIT 1
  ) AS found`;

/** Returns the first row after a place. A tilde sorts after everything that follows a prefix. */
export const generatedAfterQuery = `
  SELECT wanted.domain_id, wanted.prefix, wanted.place, ${foundColumns}
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS wanted (domain_id, prefix, place)
  CROSS JOIN LATERAL (
    SELECT * FROM records
    WHERE domain_id = wanted.domain_id AND id > wanted.place AND id < wanted.prefix || '~'
    ORDER BY id LIMIT 1
  ) AS found`;

/** Returns the first rows of each range, in order. */
export const generatedBetweenQuery = `
  SELECT wanted.domain_id, wanted.first_id, wanted.end_id, wanted.row_limit, ${foundColumns}
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) WITH ORDINALITY
    AS wanted (domain_id, first_id, end_id, row_limit, place)
  CROSS JOIN LATERAL (
    SELECT * FROM records
    WHERE domain_id = wanted.domain_id AND id >= wanted.first_id AND id < wanted.end_id
    ORDER BY id LIMIT wanted.row_limit
  ) AS found
  ORDER BY wanted.place, found.id`;

type FoundGeneratedRow = readonly [
  domainId: number,
  prefix: string,
  place: string,
  ...record: rows.RecordRow,
];
type GeneratedInRangeRow = readonly [
  domainId: number,
  from: string,
  to: string,
  limit: number,
  ...record: rows.RecordRow,
];

type OwnerAfterRow = readonly [
  domainId: number,
  place: string,
  limit: number,
  owner: OwnerKey,
  isBare: boolean,
];

/** Returns the owners of records after a place, and whether they have no generated rows. */
const ownersAfterQuery = `
  SELECT wanted.domain_id, wanted.place, wanted.row_limit, found.owner, found.is_bare
  FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS wanted (domain_id, place, row_limit)
  CROSS JOIN LATERAL (
    SELECT owner, ${isCustomersRecord('MAX(id)')} AS is_bare FROM records
    WHERE domain_id = wanted.domain_id AND owner > wanted.place COLLATE "C"
    GROUP BY owner
    ORDER BY owner LIMIT wanted.row_limit
  ) AS found
  ORDER BY found.owner`;

const zoneKeysQuery = `
  SELECT domain_id, ${ZONE_KEY_COLUMNS} FROM zone_keys WHERE domain_id = ANY ($1::bigint[]) ORDER BY domain_id, id`;

/** Rows of signatures and keys, as kinds of `RowLoader`. */
export function kindsOfSigned(wanted: BatchRows) {
  return [
    {
      text: generatedBeforeQuery,
      wanted: wanted.generatedBefore,
      values: splitRanges,
      put: ([domainId, prefix, place, ...row]: FoundGeneratedRow) => {
        const record = rows.toRecord(row);
        wanted.generatedBefore.put(joinRange(domainId, prefix, place), record);
        wanted.foundRows.push({ domainId, record });
        wanted.placesBehind.set(joinRange(domainId, prefix, row[0]), { domainId, prefix, id: place });
      },
    },
    {
      text: generatedAfterQuery,
      wanted: wanted.generatedAfter,
      values: splitRanges,
      put: ([domainId, prefix, place, ...row]: FoundGeneratedRow) => {
        const record = rows.toRecord(row);
        wanted.generatedAfter.put(joinRange(domainId, prefix, place), record);
        wanted.foundRows.push({ domainId, record });
      },
    },
    {
      text: generatedBetweenQuery,
      wanted: wanted.generatedBetween,
      values: splitRanges,
      put: ([domainId, from, to, limit, ...row]: GeneratedInRangeRow) =>
        wanted.generatedBetween.add(joinRange(domainId, from, to, limit), rows.toRecord(row)),
    },
    {
      text: ownersAfterQuery,
      wanted: wanted.ownersAfter,
      values: splitRanges,
      put: ([domainId, place, limit, owner, isBare]: OwnerAfterRow) =>
        wanted.ownersAfter.add(joinRange(domainId, place, limit), { owner, isBare }),
    },
    {
      text: zoneKeysQuery,
      wanted: wanted.zoneKeys,
      values: (ids: string[]) => [ids],
      put: ([domainId, ...row]: [number, ...ZoneKeyRow]) =>
        wanted.zoneKeys.add(String(domainId), toZoneKey(row)),
    },
  ];
}
