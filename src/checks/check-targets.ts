// Checks the targets of records: missing, an alias, a loop of aliases, an address, no host name, or by mistake a name that
// ends in the zone twice or has no domain.
import { countLabels, domainNameAt, formatDomainName, type DomainName } from '../dns/name.ts';
import { rrType } from '../dns/codes.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import { warnOf, type Findings } from '../model/zone-warning.ts';
import { followAliases, MAX_ALIASES } from './alias-chains.ts';
import { answererOf, isDelegation, parents, type IndexedZone } from './indexed-zone.ts';

interface TargetField {
  /** The offset of the target name in the data, in octets. */
  readonly offset: number;
  /** The target needs this, if it is in the zone. */
  readonly needs: 'address' | 'records' | 'service' | 'nothing';
  /** Whether the target is a host, which has an address itself: no alias (RFC 2181 section 10.3, RFC 2782). */
  readonly isHost: boolean;
}

const targetFields: ReadonlyMap<number, TargetField> = new Map([
  [rrType.CNAME, { offset: 0, needs: 'records', isHost: false }],
  [rrType.DNAME, { offset: 0, needs: 'nothing', isHost: false }],
  [rrType.PTR, { offset: 0, needs: 'records', isHost: false }],
  [rrType.NS, { offset: 0, needs: 'address', isHost: true }],
  [rrType.MX, { offset: 2, needs: 'address', isHost: true }],
  [rrType.SRV, { offset: 6, needs: 'address', isHost: true }],
  [rrType.HTTPS, { offset: 2, needs: 'service', isHost: false }],
  [rrType.SVCB, { offset: 2, needs: 'service', isHost: false }],
]);

export function* checkTargets(
  index: IndexedZone,
  _owner: OwnerKey,
  records: readonly DomainRecord[],
): Findings {
  for (const record of records) {
    yield;
    const field = targetFields.get(record.type);
    if (field === undefined) continue;
    const target = domainNameAt(record.rdata, field.offset);
    // The root as target means that there is no such service (RFC 7505, RFC 2782), or the owner itself (RFC 9460).
    if (target !== undefined && target.length > 1) yield* checkTarget(index, record, field, target);
  }
}

function* checkTarget(
  index: IndexedZone,
  record: DomainRecord,
  field: TargetField,
  target: DomainName,
): Findings {
  const text = formatDomainName(target);
  const what = `${formatRecordType(record.type)} record names ${text}`;
  if (ADDRESS.test(text)) {
    const message = `The ${formatRecordType(record.type)} record names the address ${text.slice(0, -1)}; it needs a host name`;
    yield warnOf(record, 'target_is_address', 'error', message);
    return;
  }
  if (text.toLowerCase().endsWith(`.${index.zone}.${index.zone}.`)) {
    const meant = text.slice(0, -(index.zone.length + 2));
    yield warnOf(record, 'target_ends_in_zone_twice', 'warning', `The ${what}; probably ${meant} is meant`);
    return;
  }
  if (field.isHost && !HOST_NAME.test(text)) {
    const message = `The ${what}, which is not a host name: use letters, digits and hyphens only (RFC 1123 section 2.1)`;
    yield warnOf(record, 'target_not_a_host_name', 'warning', message);
  }
  const owner = index.ownerOf(target);
  if (owner !== undefined) yield* checkInside(index, record, field, owner, what);
  else if (countLabels(target) === 1) {
    const message = `The ${what}, which is not a host in this domain; probably ${text}${index.zone} is meant`;
    yield warnOf(record, 'target_without_domain', 'warning', message);
  }
}

function* checkInside(
  index: IndexedZone,
  record: DomainRecord,
  { needs, isHost }: TargetField,
  owner: OwnerKey,
  what: string,
): Findings {
  if (needs === 'service' && owner === record.owner && isAliasMode(record)) {
    const message = `The ${what}, which is the same name: clients ignore it (RFC 9460 section 2.4.2)`;
    yield warnOf(record, 'alias_loop', 'error', message);
    return;
  }
  // Most targets exist, which is cheap to find out.
  if (index.has(owner, rrType.A) || index.has(owner, rrType.AAAA)) return;
  // Names below a cut or a DNAME are not in this zone; missing glue is a separate check.
  if (needs === 'nothing' || [owner, ...parents(owner)].some((name) => isDelegation(index, name))) return;
  if (index.above(owner, rrType.DNAME) !== undefined) return;
  const answering = answererOf(index, owner);
  if (index.has(answering, rrType.CNAME)) {
    yield* checkAlias(index, record, isHost, owner, what);
    return;
  }
  const missing = findMissing(index, record, needs, answering);
  if (missing !== undefined) {
    yield warnOf(
      record,
      'target_missing',
      needs === 'records' ? 'warning' : 'error',
      `The ${what}, ${missing}`,
    );
  }
}

/** Says what does not exist at a target, in words that follow its name. */
function findMissing(
  index: IndexedZone,
  record: DomainRecord,
  needs: TargetField['needs'],
  answering: OwnerKey,
): string | undefined {
  if (needs === 'records') return index.owners.has(answering) ? undefined : 'where no record exists';
  if (index.has(answering, rrType.A) || index.has(answering, rrType.AAAA)) return undefined;
  if (needs === 'address' || !isAliasMode(record)) return 'which has no address';
  const type = formatRecordType(record.type);
  return index.has(answering, record.type) ? undefined : `which has neither an address nor ${type} records`;
}

/** RFC 9460 section 2.4.1: a priority of 0 makes the record an alias. */
function isAliasMode({ rdata }: DomainRecord): boolean {
  return rdata[0] === 0 && rdata[1] === 0;
}

function* checkAlias(
  index: IndexedZone,
  record: DomainRecord,
  isHost: boolean,
  owner: OwnerKey,
  what: string,
): Findings {
  const { length, isLoop } = yield* followAliases(index, owner);
  if (isLoop) {
    const message = `The ${what}, and from there CNAME records form a loop`;
    yield warnOf(record, 'alias_loop', 'error', message);
    return;
  }
  const count = record.type === rrType.CNAME ? length + 1 : length;
  if (count > MAX_ALIASES) {
    const message = `The ${what}, and ${count} CNAME records follow each other, more than the ${MAX_ALIASES} that resolvers and this service follow; let the record name the last of them`;
    yield warnOf(record, 'alias_chain_long', 'error', message);
  } else if (isHost) {
    const message = `The ${what}, which is an alias (CNAME); many servers refuse it`;
    yield warnOf(record, 'target_is_alias', 'warning', message);
  } else if (record.type === rrType.CNAME) {
    const message = `The ${what}, which is itself an alias (CNAME): resolvers have one more name to follow`;
    yield warnOf(record, 'target_is_alias', 'notice', message);
  }
}

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}\.$/;

/** Labels of letters, digits and hyphens, not at their ends. */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+$/i;
