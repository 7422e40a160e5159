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
import { answer } from './answer-read.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

export function createSigningReads(database: SqliteDatabase): SigningReads {
  const keys = prepareQuery<ZoneKeyRow>(
    database,
    `SELECT ${ZONE_KEY_COLUMNS} FROM zone_keys WHERE domain_id = ? ORDER BY id`,
  );
  const due = prepareQuery<DueDomainRow>(
    database,
    `SELECT ${DUE_DOMAIN_COLUMNS} FROM domains WHERE renew_at <= ?1 AND (renew_at, id) > (?3, ?4) UNION ALL
     SELECT ${DUE_DOMAIN_COLUMNS} FROM domains WHERE renew_at > ?2 AND (renew_at, id) > (?3, ?4)
     ORDER BY renew_at, id LIMIT ?5`,
  );
  const inRollover = prepareQuery<RolloverDomainRow>(database, rolloverDomains('?1', '?2'));
  const awaiting = prepareQuery<AwaitingDomainRow>(database, awaitingDomains('?1', '?2', '?3'));
  const byName = prepareQuery<DomainRow>(database, `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE name = ?`);
  const inSigning = prepareQuery<WorkedDomainRow>(database, workedDomains('?1', '?2'));
  const ttls = prepareQuery<LongestTtlRow>(database, longestTtlQuery('?1', '?2', '?3'));
  const count = prepareQuery<[count: number]>(
    database,
    `SELECT count(*) FROM (SELECT 1 FROM domains WHERE renew_at <= ?1 UNION ALL
       SELECT 1 FROM domains WHERE renew_at > ?2 LIMIT ?3)`,
  );
  return {
    zoneKeys: ({ id }) => answer(() => keys.all(id).map(toZoneKey)),
    domainsDueForRenewal(nowSeconds, limit, after) {
      const { renewAtSeconds, id } = after ?? beforeAllDue;
      return answer(() =>
        due.all(nowSeconds, latestRenewalSeconds(nowSeconds), renewAtSeconds, id, limit).map(toDueDomain),
      );
    },
    domainsInRollover: (limit, afterId) => answer(() => inRollover.all(afterId, limit).map(toRolloverDomain)),
    domainsAwaitingDs(limit, after = afterAllAwaiting) {
      return answer(() => awaiting.all(after.sinceSeconds, after.id, limit).map(toAwaitingDomain));
    },
    findAnyDomain: (name) => answer(() => byName.all(name).map(toDomain).at(0)),
    domainsInSigning: (limit, afterId) => answer(() => inSigning.all(afterId, limit).map(toWorkedDomain)),
    longestTtl: ({ id }, limit, afterId) =>
      answer(() => toLongestTtl(ttls.get(id, afterId, limit) ?? [null, null, 0], limit)),
    countDueForRenewal: (nowSeconds, limit) =>
      answer(() => count.get(nowSeconds, latestRenewalSeconds(nowSeconds), limit)?.[0] ?? 0),
  };
}
