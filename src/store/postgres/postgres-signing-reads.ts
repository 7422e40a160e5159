import { latestRenewalSeconds } from '../../dnssec/signature-times.ts';
import {
  afterAllAwaiting,
  awaitingDomains,
  beforeAllDue,
  DUE_DOMAIN_COLUMNS,
  longestTtlQuery,
  rolloverDomains,
  toAwaitingDomain,
  toDueDomain,
  toLongestTtl,
  toRolloverDomain,
  toWorkedDomain,
  toZoneKey,
  workedDomains,
  ZONE_KEY_COLUMNS,
  type AwaitingDomainRow,
  type DueDomainRow,
  type LongestTtlRow,
  type RolloverDomainRow,
  type SigningReads,
  type WorkedDomainRow,
  type ZoneKeyRow,
} from '../signing-reads.ts';
import { DOMAIN_COLUMNS, toDomain, type DomainRow } from '../table-rows.ts';
import type { ReadConnections } from './read-connections.ts';

/** @param read refuses while the store cannot be read */
export function createSigningReads(
  connections: ReadConnections,
  read: <T>(read: () => Promise<T>) => Promise<T>,
): SigningReads {
  return {
    zoneKeys: ({ id }) =>
      read(async () => (await connections.query<ZoneKeyRow>(keysOfDomain, [id])).map(toZoneKey)),
    domainsDueForRenewal(nowSeconds, limit, after) {
      const { renewAtSeconds, id } = after ?? beforeAllDue;
      const values = [nowSeconds, latestRenewalSeconds(nowSeconds), renewAtSeconds, id, limit];
      return read(async () => (await connections.query<DueDomainRow>(dueDomains, values)).map(toDueDomain));
    },
    domainsInRollover: (limit, afterId) =>
      read(async () =>
        (await connections.query<RolloverDomainRow>(inRollover, [afterId, limit])).map(toRolloverDomain),
      ),
    domainsAwaitingDs: (limit, after = afterAllAwaiting) =>
      read(async () => {
        const values = [after.sinceSeconds, after.id, limit];
        return (await connections.query<AwaitingDomainRow>(awaiting, values)).map(toAwaitingDomain);
      }),
    findAnyDomain: (name) =>
      read(async () => (await connections.query<DomainRow>(domainByName, [name])).map(toDomain).at(0)),
    domainsInSigning: (limit, afterId) =>
      read(async () =>
        (await connections.query<WorkedDomainRow>(inSigning, [afterId, limit])).map(toWorkedDomain),
      ),
    longestTtl: ({ id }, limit, afterId) =>
      read(async () => {
        const [row = [null, null, 0]] = await connections.query<LongestTtlRow>(longestTtl, [
          id,
          afterId,
          limit,
        ]);
        return toLongestTtl(row, limit);
      }),
    countDueForRenewal: (nowSeconds, limit) =>
      read(async () => {
        const counted = await connections.query<[count: number]>(DUE_COUNT, [
          nowSeconds,
          latestRenewalSeconds(nowSeconds),
          limit,
        ]);
        return counted.at(0)?.[0] ?? 0;
      }),
  };
}

const keysOfDomain = `SELECT ${ZONE_KEY_COLUMNS} FROM zone_keys WHERE domain_id = $1 ORDER BY id`;

const dueDomains = `SELECT ${DUE_DOMAIN_COLUMNS} FROM domains
  WHERE renew_at <= $1 AND (renew_at, id) > ($3::bigint, $4::bigint) UNION ALL
  SELECT ${DUE_DOMAIN_COLUMNS} FROM domains WHERE renew_at > $2 AND (renew_at, id) > ($3::bigint, $4::bigint)
  ORDER BY renew_at, id LIMIT $5`;

const inRollover = rolloverDomains('$1', '$2');

const awaiting = awaitingDomains('$1', '$2', '$3');

const domainByName = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE name = $1`;

const inSigning = workedDomains('$1', '$2');

const longestTtl = longestTtlQuery('$1', '$2', '$3');

const DUE_COUNT = `SELECT count(*) FROM (SELECT 1 FROM domains WHERE renew_at <= $1 UNION ALL
  SELECT 1 FROM domains WHERE renew_at > $2 LIMIT $3) AS due`;
