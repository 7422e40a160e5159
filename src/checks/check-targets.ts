// Checks the targets of records: missing, an alias, a loop of aliases, an address, or by mistake a name that ends in the
// zone twice or has no domain.
import { countLabels, domainNameAt, formatDomainName, type DomainName } from '../dns/name.ts';
import { rrType } from '../dns/codes.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { isDelegation, parents, type IndexedZone } from './indexed-zone.ts';
import type { Findings, Severity, WarningCode, ZoneWarning } from '../model/zone-warning.ts';

/** The offset of the target name in the data, in octets. */
const targetOffsets: ReadonlyMap<number, number> = new Map([
  [rrType.CNAME, 0],
  [rrType.NS, 0],
  [rrType.MX, 2],
  [rrType.SRV, 6],
]);

/** Types whose target must not be an alias (RFC 2181 section 10.3, RFC 2782). */
const typesWithoutAlias: ReadonlySet<number> = new Set([rrType.NS, rrType.MX, rrType.SRV]);

export function* checkTargets(
  index: IndexedZone,
  _owner: OwnerKey,
  records: readonly DomainRecord[],
): Findings {
  for (const record of records) {
    yield;
    const offset = targetOffsets.get(record.type);
    const target = offset === undefined ? undefined : domainNameAt(record.rdata, offset);
    // The root as target means that there is no such service (RFC 7505, RFC 2782).
    if (target !== undefined && target.length > 1) yield* checkTarget(index, record, target);
  }
}

function* checkTarget(index: IndexedZone, record: DomainRecord, target: DomainName): Findings {
  const text = formatDomainName(target);
  const type = formatRecordType(record.type);
  if (ADDRESS.test(text)) {
    yield warn(
      record,
      'target_is_address',
      'error',
      `The ${type} record names the address ${text.slice(0, -1)}; it needs a host name`,
    );
    return;
  }
  const lower = text.toLowerCase();
  if (lower.endsWith(`.${index.zone}.${index.zone}.`)) {
    const meant = text.slice(0, -(index.zone.length + 2));
    yield warn(
      record,
      'target_ends_in_zone_twice',
      'warning',
      `The ${type} record names ${text}; probably ${meant} is meant`,
    );
    return;
  }
  const owner = index.ownerOf(target);
  if (owner !== undefined) yield* checkInside(index, record, owner, `${type} record names ${text}`);
  else if (countLabels(target) === 1) {
    yield warn(
      record,
      'target_without_domain',
      'warning',
      `The ${type} record names ${text}, which is not a host in this domain; probably ${text}${index.zone} is meant`,
    );
  }
}

function* checkInside(index: IndexedZone, record: DomainRecord, owner: OwnerKey, what: string): Findings {
  // Names below a cut or a DNAME are not in this zone; missing glue is a separate check.
  if ([owner, ...parents(owner)].some((name) => isDelegation(index, name))) return;
  if (index.above(owner, rrType.DNAME) !== undefined) return;
  const answering = answererOf(index, owner);
  if (index.has(answering, rrType.CNAME)) {
    yield warnOfAlias(index, record, owner, what);
    return;
  }
  const found =
    record.type === rrType.CNAME
      ? index.owners.has(answering)
      : index.has(answering, rrType.A) || index.has(answering, rrType.AAAA);
  if (found) return;
  const missing = record.type === rrType.CNAME ? 'where no record exists' : 'which has no address';
  yield warn(
    record,
    'target_missing',
    record.type === rrType.CNAME ? 'warning' : 'error',
    `The ${what}, ${missing}`,
  );
}

function warnOfAlias(index: IndexedZone, record: DomainRecord, owner: OwnerKey, what: string): ZoneWarning {
  if (isAliasLoop(index, owner)) {
    return warn(record, 'alias_loop', 'error', `The ${what}, and from there CNAME records form a loop`);
  }
  if (typesWithoutAlias.has(record.type)) {
    const message = `The ${what}, which is an alias (CNAME); many servers refuse it`;
    return warn(record, 'target_is_alias', 'warning', message);
  }
  const message = `The ${what}, which is itself an alias (CNAME): resolvers have one more name to follow`;
  return warn(record, 'target_is_alias', 'notice', message);
}

/** Resolvers follow some eight to sixteen aliases; longer loops are not searched for. */
const MAX_ALIASES = 8;

/** Whether aliases of the zone form a loop that can be reached from the name. */
function isAliasLoop(index: IndexedZone, from: OwnerKey): boolean {
  const seen = new Set<OwnerKey>();
  for (let at: OwnerKey | undefined = from; at !== undefined && seen.size <= MAX_ALIASES;) {
    if (seen.has(at)) return true;
    seen.add(at);
    const answering = answererOf(index, at);
    // A CNAME is the only record of its owner.
    const alias = index.has(answering, rrType.CNAME) ? index.owners.get(answering)?.[0] : undefined;
    const target = alias && domainNameAt(alias.rdata, 0);
    at = target && index.ownerOf(target);
  }
  return false;
}

/** The owner whose records answer for a name: the name itself or a wildcard. */
function answererOf(index: IndexedZone, owner: OwnerKey): OwnerKey {
  return index.exists(owner) ? owner : (index.wildcardFor(owner) ?? owner);
}

function warn(record: DomainRecord, code: WarningCode, severity: Severity, message: string): ZoneWarning {
  return { code, severity, name: record.name, type: record.type, recordId: record.id, message };
}

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}\.$/;
