/**
 * Checks a whole signed zone against RFC 4034, RFC 4035 and RFC 5155, independently of the code that signs:
 *
 *     records ─▶ names with their sets ─▶ signatures of each set ─▶ chain of NSEC or NSEC3 ─▶ problems as sentences
 *
 * Every signed set must have a valid signature, the chain must be complete and exact, and nothing else may be signed.
 */
import { createHash } from 'node:crypto';
import { rrType } from '../dns/codes.ts';
import type { DomainName } from '../dns/name.ts';
import { formatRecordType } from '../dns/type-mnemonic.ts';
import { compareNames, labelsOf, nameFromLabels, showName } from './canonical-octets.test-support.ts';
import { checkHashedChain } from './check-hashed-chain.test-support.ts';
import { checkNamesChain } from './check-names-chain.test-support.ts';
import { checkSetSignatures, type CheckedSet } from './check-set-signatures.test-support.ts';
import type { CheckedName } from './checked-name.test-support.ts';
import type { ZoneRecord } from './zone-records.test-support.ts';

/**
 * @param records all records that the zone serves, RRSIG, NSEC and NSEC3 included
 * @param unpublished DNSKEY RDATA of keys that sign although they are not in the DNSKEY set
 */
export function checkSignedZone(
  records: readonly ZoneRecord[],
  apex: DomainName,
  nowSeconds: number,
  unpublished: readonly Uint8Array[] = [],
): string[] {
  const soa = records.find(({ type, owner }) => type === rrType.SOA && compareNames(owner, apex) === 0);
  if (soa === undefined) return ['the zone has no SOA record'];
  const keys = records.filter(({ type, owner }) => type === rrType.DNSKEY && compareNames(owner, apex) === 0);
  if (keys.length === 0) return ['the zone has no DNSKEY record'];
  const names = namesOf(
    records.filter(({ type }) => !isDenialType(type) && type !== rrType.RRSIG),
    apex,
  );
  const chain = records.filter(({ type }) => isDenialType(type));
  const negativeTtl = Math.min(soa.ttl, Buffer.from(soa.rdata).readUInt32BE(soa.rdata.length - 4));
  const view = { names, chain, apex, negativeTtl };
  return [
    ...checkSignatures(records, names, { apex, keys, unpublished, nowSeconds }),
    ...checkDuplicates(records),
    ...checkChildRecords(records, keys, apex),
    ...(chain.some(({ type }) => type === rrType.NSEC3) ? checkHashedChain(view) : checkNamesChain(view)),
  ];
}

function checkSignatures(
  records: readonly ZoneRecord[],
  names: readonly CheckedName[],
  zone: Pick<CheckedSet, 'apex' | 'keys' | 'unpublished' | 'nowSeconds'>,
): string[] {
  const signatures = new Map<string, ZoneRecord[]>();
  for (const record of records) {
    if (record.type !== rrType.RRSIG) continue;
    addTo(signatures, setKey(record.owner, Buffer.from(record.rdata).readUInt16BE(0)), record);
  }
  const chainSets = new Map<string, ZoneRecord[]>();
  for (const record of records) {
    if (isDenialType(record.type)) addTo(chainSets, setKey(record.owner, record.type), record);
  }
  const signed = names.flatMap(({ role, sets }) =>
    [...sets].filter(([type]) => role === 'authoritative' || (role === 'delegation' && type === rrType.DS)),
  );
  const problems: string[] = [];
  for (const set of [...signed.map(([, set]) => set), ...chainSets.values()]) {
    const key = setKey(set[0].owner, set[0].type);
    problems.push(...checkSetSignatures({ ...zone, set, signatures: signatures.get(key) ?? [] }));
    signatures.delete(key);
  }
  for (const key of signatures.keys()) problems.push(`${key} is signed, but must not be`);
  return problems;
}

/** In canonical order. Names below a delegation or a DNAME are occluded. */
function namesOf(records: readonly ZoneRecord[], apex: DomainName): CheckedName[] {
  const byName = new Map<string, ZoneRecord[]>();
  for (const record of records)
    addTo(byName, nameFromLabels(labelsOf(record.owner)).toString('latin1'), record);
  const cuts: Uint8Array[] = [];
  return [...byName]
    .map(([key, ofName]) => ({ name: Buffer.from(key, 'latin1'), ofName }))
    .sort((a, b) => compareNames(a.name, b.name))
    .map(({ name, ofName }): CheckedName => {
      const sets = new Map<number, ZoneRecord[]>();
      for (const record of ofName) sets.set(record.type, [...(sets.get(record.type) ?? []), record]);
      if (cuts.some((cut) => isBelow(name, cut))) return { name, role: 'occluded', sets };
      const delegates = sets.has(rrType.NS) && compareNames(name, apex) !== 0;
      if (delegates || sets.has(rrType.DNAME)) cuts.push(name);
      return { name, role: delegates ? 'delegation' : 'authoritative', sets };
    });
}

function checkDuplicates(records: readonly ZoneRecord[]): string[] {
  const seen = new Set<string>();
  return records.flatMap(({ owner, type, rdata }) => {
    const key = `${setKey(owner, type)} ${Buffer.from(rdata).toString('hex')}`;
    if (seen.has(key)) return [`${setKey(owner, type)} has the same record twice`];
    seen.add(key);
    return [];
  });
}

/** CDS and CDNSKEY records ask the parent to publish keys of the zone, and no others (RFC 7344 section 4.1). */
function checkChildRecords(
  records: readonly ZoneRecord[],
  keys: readonly ZoneRecord[],
  apex: DomainName,
): string[] {
  const name = nameFromLabels(labelsOf(apex));
  const dnskeys = keys.map(({ rdata }) => Buffer.from(rdata));
  const digests = dnskeys.map((key) => createHash('sha256').update(name).update(key).digest('hex'));
  return records.flatMap(({ owner, type, rdata }) => {
    if (compareNames(owner, apex) !== 0) return [];
    // CDS and CDNSKEY with algorithm 0 ask for the removal of all DS records (RFC 8078 section 4).
    if ((type === rrType.CDS && rdata[2] === 0) || (type === rrType.CDNSKEY && rdata[3] === 0)) return [];
    if (type === rrType.CDNSKEY && !dnskeys.some((key) => key.equals(rdata))) {
      return ['a CDNSKEY record is no key of the zone'];
    }
    const isSha256 = type === rrType.CDS && rdata[3] === DIGEST_SHA256;
    const digest = Buffer.from(rdata.subarray(4)).toString('hex');
    return isSha256 && !digests.includes(digest) ? ['a CDS record is no key of the zone'] : [];
  });
}

const DIGEST_SHA256 = 2;

function isBelow(name: Uint8Array, ancestor: Uint8Array): boolean {
  const [low, above] = [labelsOf(name), labelsOf(ancestor)];
  return low.length > above.length && compareNames(nameFromLabels(low.slice(-above.length)), ancestor) === 0;
}

function isDenialType(type: number): boolean {
  return type === rrType.NSEC || type === rrType.NSEC3;
}

function setKey(owner: Uint8Array, type: number): string {
  return `${showName(nameFromLabels(labelsOf(owner)))} ${formatRecordType(type)}`;
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
