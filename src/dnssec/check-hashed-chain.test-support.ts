/** Checks a chain of NSEC3 records (RFC 5155 section 7.1): without opt-out, with any salt and number of iterations. */
import { createHash } from 'node:crypto';
import { formatBase32Hex } from '../dns/base64.ts';
import { rrType } from '../dns/codes.ts';
import type { DomainName } from '../dns/name.ts';
import { compareNames, labelsOf, nameFromLabels, showName } from './canonical-octets.test-support.ts';
import { isAtDelegation } from './check-names-chain.test-support.ts';
import { checkTypes } from './check-types.test-support.ts';
import type { ChainView, CheckedName } from './checked-name.test-support.ts';
import type { ZoneRecord } from './zone-records.test-support.ts';

interface HashedName extends Pick<CheckedName, 'name' | 'role' | 'sets'> {
  readonly hash: Buffer;
}

export function checkHashedChain({ names, chain, apex, negativeTtl }: ChainView): string[] {
  const parameters = names
    .find(({ name }) => compareNames(name, apex) === 0)
    ?.sets.get(rrType.NSEC3PARAM)
    ?.at(0)?.rdata;
  if (parameters === undefined) return ['the apex has no NSEC3PARAM record'];
  const hashed = withEmptyNonTerminals(names, apex)
    .map((name): HashedName => ({ ...name, hash: hashName(name.name, parameters) }))
    .sort((a, b) => Buffer.compare(a.hash, b.hash));
  const byOwner = new Map<string, ZoneRecord[]>();
  for (const record of chain) {
    const key = nameFromLabels(labelsOf(record.owner)).toString('latin1');
    byOwner.set(key, [...(byOwner.get(key) ?? []), record]);
  }
  const problems = hashed.flatMap((name, index) => {
    const owner = hashedOwner(name.hash, apex).toString('latin1');
    const own = byOwner.get(owner) ?? [];
    byOwner.delete(owner);
    const subject = `the NSEC3 record of ${showName(name.name)}`;
    if (own.length !== 1) return [`${subject} exists ${own.length} times`];
    const next = hashed[(index + 1) % hashed.length].hash;
    return checkEntry(subject, own[0], { name, next, parameters, negativeTtl });
  });
  for (const owner of byOwner.keys()) {
    problems.push(`${showName(Buffer.from(owner, 'latin1'))} NSEC3 must not exist`);
  }
  return problems;
}

interface Expected {
  readonly name: HashedName;
  readonly next: Buffer;
  readonly parameters: Uint8Array;
  readonly negativeTtl: number;
}

function checkEntry(
  subject: string,
  { type, ttl, rdata }: ZoneRecord,
  { name: { role, sets }, next, parameters, negativeTtl }: Expected,
): string[] {
  if (type !== rrType.NSEC3) return [`${subject} has another type`];
  const octets = Buffer.from(rdata);
  const problems: string[] = [];
  if (octets[0] !== parameters[0] || !octets.subarray(2, 5 + octets[4]).equals(parameters.subarray(2))) {
    problems.push(`${subject} has other parameters than the apex`);
  }
  if (octets[1] !== 0) problems.push(`${subject} has flags`);
  if (ttl !== negativeTtl) problems.push(`${subject} has the TTL ${ttl}, not ${negativeTtl}`);
  const nextAt = 6 + octets[4];
  const bitmapAt = nextAt + octets[nextAt - 1];
  const given = octets.subarray(nextAt, bitmapAt);
  if (!given.equals(next)) {
    problems.push(`${subject} has ${formatBase32Hex(given)} next, not ${formatBase32Hex(next)}`);
  }
  const all = [...sets.keys()];
  const listed = role === 'delegation' ? all.filter(isAtDelegation) : all;
  const isSigned = role === 'delegation' ? sets.has(rrType.DS) : all.length > 0;
  return [
    ...problems,
    ...checkTypes(subject, octets.subarray(bitmapAt), [...listed, ...(isSigned ? [rrType.RRSIG] : [])]),
  ];
}

/** The names of the zone that are not occluded, and those that exist only because of them. */
function withEmptyNonTerminals(names: readonly CheckedName[], apex: DomainName): CheckedName[] {
  const apexLabels = labelsOf(apex).length;
  const all = new Map<string, CheckedName>();
  for (const one of names) {
    if (one.role !== 'occluded') all.set(Buffer.from(one.name).toString('latin1'), one);
  }
  for (const { name } of [...all.values()]) {
    const labels = labelsOf(name);
    for (let cut = 1; labels.length - cut > apexLabels; cut++) {
      const ancestor = nameFromLabels(labels.slice(cut));
      const key = ancestor.toString('latin1');
      if (!all.has(key)) all.set(key, { name: ancestor, role: 'authoritative', sets: new Map() });
    }
  }
  return [...all.values()];
}

/** RFC 5155 section 5, with the parameters of an NSEC3PARAM record. */
function hashName(name: Uint8Array, parameters: Uint8Array): Buffer {
  const iterations = Buffer.from(parameters).readUInt16BE(2);
  const salt = parameters.subarray(5);
  let hash = createHash('sha1').update(name).update(salt).digest();
  for (let more = 0; more < iterations; more++) hash = createHash('sha1').update(hash).update(salt).digest();
  return hash;
}

function hashedOwner(hash: Buffer, apex: DomainName): Buffer {
  return nameFromLabels([Buffer.from(formatBase32Hex(hash)), ...labelsOf(apex)]);
}
