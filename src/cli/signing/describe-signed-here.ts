import { listNames } from '../names/list-names.ts';
import { hasSilent, type AskedServers, type ParentView } from './parent-view.ts';

const DS_MARK = ' IN DS ';
const KEY_MARK = ' IN DNSKEY 257 ';

/** Returns the RDATA of the DS records among the lines that the service lists for a signed domain. */
export function findDsData(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const place = line.indexOf(DS_MARK);
    return place === -1 ? [] : [line.slice(place + DS_MARK.length)];
  });
}

/**
 * Whether a key is being exchanged, or signing withdrawn: then the numbers of keys and DS records differ. Keys of another
 * provider with flags 256 never have one.
 */
export function isChangingKeys(lines: readonly string[]): boolean {
  const keys = lines.filter((line) => line.includes(KEY_MARK));
  return keys.length !== findDsData(lines).length;
}

/**
 * Says what is left to do for a domain that is signed here. Without a DS record that fits, resolvers ignore the signatures;
 * with others alone, they reject all answers (RFC 4035 section 5.2).
 *
 * @param wanted RDATA of the DS records of its keys
 * @param parent undefined if the parent was not asked
 * @returns undefined if there is nothing to do
 */
export function describeSignedHere(
  wanted: readonly string[],
  parent: ParentView | undefined,
): string | undefined {
  switch (parent?.state) {
    case undefined:
      return undefined;
    case 'unknown':
      return `it is not known whether the parent zone has the DS record ${listNames(wanted)} (${parent.reason})`;
    case 'absent':
      return describeAbsent(wanted, parent);
    case 'present':
      return describePresent(wanted, parent);
  }
}

function describeAbsent(wanted: readonly string[], parent: Extract<ParentView, { state: 'absent' }>): string {
  const { servers } = parent;
  const who =
    servers !== undefined && hasSilent(parent)
      ? `the nameservers of the parent zone ${servers.parent} that answered have`
      : `the parent zone${servers === undefined ? '' : ` ${servers.parent}`} has`;
  return `the domain is signed, but ${who} no DS record, so resolvers do not check its signatures: ${handIn(wanted)}`;
}

function describePresent(
  wanted: readonly string[],
  { records, servers }: Extract<ParentView, { state: 'present' }>,
): string | undefined {
  if (!records.some((record) => wanted.some((ds) => fits(record, ds))))
    return `the DS record ${listNames(records)} at the parent zone fits no key of the domain, so validating resolvers reject all answers: replace it by ${listNames(wanted)}`;
  return servers === undefined || servers.lacking.length === 0 ? undefined : describeLacking(servers);
}

function describeLacking({ parent, lacking }: AskedServers): string {
  return `the DS record has not reached all nameservers of the parent zone ${parent} yet: ${listNames(lacking)}`;
}

function handIn(wanted: readonly string[]): string {
  return `once all nameservers serve the signed zone, hand in ${listNames(wanted)} at the registrar`;
}

/** SHA-256, the only digest that the service lists (RFC 8624 section 3.3). */
const LISTED_DIGEST = '2';

/** A DS record with another digest is recognised by its key tag and algorithm. */
function fits(record: string, wanted: string): boolean {
  const [tag, algorithm, digestType, digest] = fieldsOf(record);
  const [ourTag, ourAlgorithm, , ourDigest] = fieldsOf(wanted);
  if (tag !== ourTag || algorithm !== ourAlgorithm) return false;
  return digestType !== LISTED_DIGEST || digest === ourDigest;
}

/** The digest may be written in several parts. */
function fieldsOf(data: string): readonly string[] {
  const [tag, algorithm, digestType, ...digest] = data.trim().split(/\s+/) as [string, string, string];
  return [tag, algorithm, digestType, digest.join('').toUpperCase()];
}
