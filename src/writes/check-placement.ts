import { rrType } from '../dns/codes.ts';
import { MAX_NAME_OCTETS } from '../dns/name.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { ZoneName } from '../model/domain.ts';
import type { OwnerRecords } from './owner-records.ts';
import { quoteText } from '../model/quote-text.ts';
import { APEX } from '../model/record-name.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { Refusal } from '../model/refusal.ts';

/**
 * Whether a record can stand at its owner beside what stands there (contract rule 27): CNAME and DNAME keep to their
 * RFCs, and the RRset still fits into an answer. Doubles are the caller's to find first.
 *
 * @param standing what stands at the owner
 * @param replaced the record that makes way for this one, if it stands there
 */
export function checkPlacement(
  record: DomainRecord,
  standing: OwnerRecords,
  zone: ZoneName,
  replaced?: DomainRecord,
): Refusal | undefined {
  if (record.type === rrType.CNAME && record.owner === APEX) {
    return conflict(`No CNAME can stand at the apex of ${quoteText(zone)}, where SOA and NS records stand`);
  }
  const makesWay = replaced?.owner === record.owner ? replaced : undefined;
  const obstacles = findObstacles(record, standing, makesWay);
  if (obstacles.length > 0) return conflict(sayWhatStands(record, obstacles, standing, zone, makesWay));
  return checkRrsetSize(record, standing, zone, makesWay);
}

/**
 * Types that cannot stand beside the record, aliases first and no more than can be named: CNAME tolerates nothing beside it
 * (RFC 2181 section 10.1; the DNSSEC types it does tolerate are never stored), and there is one DNAME at an owner at most
 * (RFC 6672 section 2.4).
 */
function findObstacles(
  { type }: DomainRecord,
  standing: OwnerRecords,
  makesWay: DomainRecord | undefined,
): readonly number[] {
  const stands = (other: number): boolean => standing.findOfType(other, makesWay?.id) !== undefined;
  const aliases =
    type === rrType.CNAME || type === rrType.DNAME ? [rrType.CNAME, rrType.DNAME] : [rrType.CNAME];
  const obstacles: number[] = aliases.filter(stands);
  if (type !== rrType.CNAME || obstacles.length > 0) return obstacles;
  for (const other of standing.types()) {
    if (stands(other)) obstacles.push(other);
    if (obstacles.length > NAMED_TYPES) break;
  }
  return obstacles;
}

function sayWhatStands(
  record: DomainRecord,
  obstacles: readonly number[],
  standing: OwnerRecords,
  zone: ZoneName,
  makesWay: DomainRecord | undefined,
): string {
  const type = formatRecordType(record.type);
  const owner = quoteText(record.owner === APEX ? zone : `${record.owner}.${zone}`);
  const alias = standing.findOfType(obstacles[0], makesWay?.id);
  if (alias?.type === rrType.CNAME || alias?.type === rrType.DNAME) {
    return `No ${type} record can stand at ${owner}, where a ${formatRecordType(alias.type)} to ${quoteText(alias.data)} stands`;
  }
  const named = obstacles.slice(0, NAMED_TYPES).map(formatRecordType).join(', ');
  const more = obstacles.length > NAMED_TYPES ? ' and other' : '';
  return `No ${type} record can stand at ${owner} beside other data, and ${named}${more} records stand there`;
}

/** Keeps the sentence short; there are some seventy types. */
const NAMED_TYPES = 5;

function checkRrsetSize(
  record: DomainRecord,
  standing: OwnerRecords,
  zone: ZoneName,
  makesWay: DomainRecord | undefined,
): Refusal | undefined {
  const others = standing.measure(record.type);
  const records = others.records + 1 - (makesWay === undefined ? 0 : 1);
  const octets =
    records * RECORD_OVERHEAD_OCTETS + others.octets + record.rdata.length - (makesWay?.rdata.length ?? 0);
  const limit = MAX_RRSET_OCTETS - questionNameOctets(record.owner, zone);
  if (octets <= limit) return undefined;
  return {
    code: 'invalid_request',
    message: `The ${formatRecordType(record.type)} records at this name would take ${octets} octets, more than the ${limit} that fit into an answer`,
    field: 'data',
  };
}

/** A compressed owner name (2), type (2), class (2), TTL (4) and the data's length (2). */
const RECORD_OVERHEAD_OCTETS = 12;

/**
 * What a message (65,535 octets, RFC 1035 section 4.2.2) has for one RRset and the name that is asked for: less the header
 * (12), the question's type and class (4), an OPT record (11) and its cookie (RFC 7873: 4 + 40).
 */
export const MAX_RRSET_OCTETS = 65_535 - 12 - 4 - 11 - 44;

/** At most; below a wildcard a name of any length may be asked for. Escapes make the key longer than the name. */
function questionNameOctets(owner: OwnerKey, zone: ZoneName): number {
  if (owner === '*' || owner.startsWith('*.')) return MAX_NAME_OCTETS;
  return Math.min(owner.length + 1 + zone.length + 2, MAX_NAME_OCTETS);
}

function conflict(message: string): Refusal {
  return { code: 'record_conflict', message };
}
