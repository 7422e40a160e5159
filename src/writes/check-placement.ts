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
 * Checks that a record fits beside the other records of its owner (contract rule 27): CNAME and DNAME as their RFCs say,
 * and an RRset that still fits into an answer. The caller checks for duplicates first.
 *
 * @param existing the records of the owner
 * @param replaced the record that this one replaces; it may have another owner
 */
export function checkPlacement(
  record: DomainRecord,
  existing: OwnerRecords,
  zone: ZoneName,
  replaced?: DomainRecord,
): Refusal | undefined {
  if (record.type === rrType.CNAME && record.owner === APEX) {
    return conflict(`No CNAME can exist at the apex of ${quoteText(zone)}, beside its SOA and NS records`);
  }
  const outgoing = replaced?.owner === record.owner ? replaced : undefined;
  const obstacles = findObstacles(record, existing, outgoing);
  if (obstacles.length > 0) return conflict(describeConflict(record, obstacles, existing, zone, outgoing));
  return checkRrsetSize(record, existing, zone, outgoing);
}

/**
 * Finds existing types that exclude the record, aliases first, no more than the message names. No other record may exist
 * beside a CNAME (RFC 2181 section 10.1; the DNSSEC types that may are never stored), and an owner has at most one DNAME
 * (RFC 6672 section 2.4).
 */
function findObstacles(
  { type }: DomainRecord,
  existing: OwnerRecords,
  outgoing: DomainRecord | undefined,
): readonly number[] {
  const exists = (other: number): boolean => existing.findOfType(other, outgoing?.id) !== undefined;
  const aliases =
    type === rrType.CNAME || type === rrType.DNAME ? [rrType.CNAME, rrType.DNAME] : [rrType.CNAME];
  const obstacles: number[] = aliases.filter(exists);
  if (type !== rrType.CNAME || obstacles.length > 0) return obstacles;
  for (const other of existing.types()) {
    if (exists(other)) obstacles.push(other);
    if (obstacles.length > NAMED_TYPES) break;
  }
  return obstacles;
}

function describeConflict(
  record: DomainRecord,
  obstacles: readonly number[],
  existing: OwnerRecords,
  zone: ZoneName,
  outgoing: DomainRecord | undefined,
): string {
  const type = formatRecordType(record.type);
  const owner = quoteText(record.owner === APEX ? zone : `${record.owner}.${zone}`);
  const alias = existing.findOfType(obstacles[0], outgoing?.id);
  if (alias?.type === rrType.CNAME || alias?.type === rrType.DNAME) {
    return `No ${type} record can exist at ${owner}, which has a ${formatRecordType(alias.type)} to ${quoteText(alias.data)}`;
  }
  const named = obstacles.slice(0, NAMED_TYPES).map(formatRecordType).join(', ');
  const more = obstacles.length > NAMED_TYPES ? ' and other' : '';
  return `No ${type} record can exist at ${owner} beside other data, and it has ${named}${more} records`;
}

/** Keeps the message short; there are about seventy types. */
const NAMED_TYPES = 5;

function checkRrsetSize(
  record: DomainRecord,
  existing: OwnerRecords,
  zone: ZoneName,
  outgoing: DomainRecord | undefined,
): Refusal | undefined {
  const others = existing.measure(record.type);
  const records = others.records + 1 - (outgoing === undefined ? 0 : 1);
  const octets =
    records * RECORD_OVERHEAD_OCTETS + others.octets + record.rdata.length - (outgoing?.rdata.length ?? 0);
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
 * The octets of a message (65,535, RFC 1035 section 4.2.2) that are left for one RRset and the query name: without the
 * header (12), the question's type and class (4), an OPT record (11) and its cookie (RFC 7873: 4 + 40), and the signature of
 * the set in a signed domain: the record's head (12), the fields of an RRSIG record (18, RFC 4034 section 3.1), the signer's
 * name (255) and an ECDSA signature (64).
 */
export const MAX_RRSET_OCTETS = 65_535 - 12 - 4 - 11 - 44 - 349;

/** An upper limit: a wildcard answers names of any length, and escapes make the owner key longer than the name. */
function questionNameOctets(owner: OwnerKey, zone: ZoneName): number {
  if (owner === '*' || owner.startsWith('*.')) return MAX_NAME_OCTETS;
  return Math.min(owner.length + 1 + zone.length + 2, MAX_NAME_OCTETS);
}

function conflict(message: string): Refusal {
  return { code: 'record_conflict', message };
}
