/** Owners of zones for benchmarks that need no store, with signatures of the right size that are made of nothing. */

import { createHash } from 'node:crypto';
import { rrType } from '../../src/dns/codes.ts';
import { lowerDomainName, parseDomainName, type DomainName } from '../../src/dns/name.ts';
import { ownerStatus } from '../../src/dns/proven-types.ts';
import type { StoredSignature } from '../../src/dns/stored-signature.ts';
import type { OwnerSets } from '../../src/zone/zone-memory.ts';

export type BenchDenial = 'unsigned' | 'nsec' | 'nsec3';
export const benchDenials: readonly BenchDenial[] = ['unsigned', 'nsec', 'nsec3'];

const SIGNATURE_OCTETS = 64;

export function nameOf(text: string): DomainName {
  const parsed = parseDomainName(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return lowerDomainName(parsed.value);
}

/** @param inception tells the signatures of one signing from those of others */
export function emptySignature(type: number, inception = 1): StoredSignature {
  const head = { type, keyTag: 12_345, algorithm: 13, inception, expiration: 2_000_000_000 };
  return { ...head, signature: new Uint8Array(SIGNATURE_OCTETS).fill(type) };
}

export function ownerOf(
  text: string,
  types: readonly (readonly [number, Uint8Array])[],
  denial: BenchDenial,
  inception?: number,
): OwnerSets {
  const owner = nameOf(text);
  const sets = types.map(([type, rdata]) => ({ type, ttl: 300, rdatas: [rdata] }));
  if (denial === 'unsigned') return { owner, sets };
  const chainType = denial === 'nsec' ? rrType.NSEC : rrType.NSEC3;
  const signatures = [...types.map(([type]) => type), chainType].map((type) =>
    emptySignature(type, inception),
  );
  const hash = denial === 'nsec3' ? new Uint8Array(createHash('sha1').update(owner).digest()) : undefined;
  return { owner, sets, signing: { status: ownerStatus.AUTHORITATIVE, signatures, ...(hash && { hash }) } };
}
