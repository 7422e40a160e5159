/** Checks a chain of NSEC records (RFC 4034 section 4, RFC 4035 section 2.3). */
import { rrType } from '../dns/codes.ts';
import { compareNames, nameLength, showName } from './canonical-octets.test-support.ts';
import { checkTypes } from './check-types.test-support.ts';
import type { ChainView } from './checked-name.test-support.ts';

export function checkNamesChain({ names, chain, negativeTtl }: ChainView): string[] {
  const inChain = names.filter(({ role }) => role !== 'occluded');
  const problems: string[] = [];
  for (const [index, { name, role, sets }] of inChain.entries()) {
    const subject = `${showName(name)} NSEC`;
    const own = chain.filter(({ owner }) => compareNames(owner, name) === 0);
    if (own.length !== 1) {
      problems.push(`${subject} exists ${own.length} times`);
      continue;
    }
    const [{ ttl, rdata }] = own;
    const next = rdata.subarray(0, nameLength(rdata, 0));
    const expected = inChain[(index + 1) % inChain.length].name;
    if (compareNames(next, expected) !== 0) {
      problems.push(`${subject} names ${showName(next)} next, not ${showName(expected)}`);
    }
    if (ttl !== negativeTtl) problems.push(`${subject} has the TTL ${ttl}, not ${negativeTtl}`);
    const listed = role === 'delegation' ? [...sets.keys()].filter(isAtDelegation) : [...sets.keys()];
    problems.push(
      ...checkTypes(subject, rdata.subarray(next.length), [...listed, rrType.RRSIG, rrType.NSEC]),
    );
  }
  for (const { owner } of chain) {
    const belongs = inChain.some(({ name }) => compareNames(name, owner) === 0);
    if (!belongs) problems.push(`${showName(owner)} NSEC must not exist`);
  }
  return problems;
}

/** All other sets at a delegation are glue. */
export function isAtDelegation(type: number): boolean {
  return type === rrType.NS || type === rrType.DS;
}
