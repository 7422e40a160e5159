/** Checks the signatures of a record set as a validator does (RFC 4035 section 5.3), with the cryptography of Node. */

import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import {
  equalNames,
  isBelowOrEqual,
  showName,
  wireOf,
  type Name,
  type WireSet,
  type WireSignature,
} from './signed-message.test-support.ts';

/** A zone as a validator knows it before it reads an answer. */
export interface TrustedZone {
  readonly apex: Name;
  /** Data of the zone's DNSKEY records. */
  readonly dnskeys: readonly Buffer[];
  readonly nowSeconds: number;
}

const CLASS_IN = 1;
const ECDSAP256SHA256 = 13;
const ED25519 = 15;

/** Signatures that were found to be good: many answers repeat them. */
const verified = new Set<string>();

/** @returns the problems of the set; a set without signatures is one */
export function checkSignatures(set: WireSet, zone: TrustedZone): string[] {
  const title = `${showName(set.owner)} TYPE${set.type}`;
  if (set.signatures.length === 0) return [`${title}: not signed`];
  return set.signatures.flatMap((signature) =>
    checkSignature(set, signature, zone).map((problem) => `${title}: ${problem}`),
  );
}

/** Whether a wildcard made the set (RFC 4035 section 5.3.4). */
export function isExpanded({ signatures }: WireSet): boolean {
  return signatures.some(isFromWildcard);
}

/** Whether the signature covers fewer labels than its owner has. */
export function isFromWildcard({ labels, owner }: WireSignature): boolean {
  return labels < signedLabels(owner);
}

/** Labels as an RRSIG counts them: neither the root nor a leading asterisk (RFC 4034 section 3.1.3). */
function signedLabels(owner: Name): number {
  return owner.length - (owner[0] === '*' ? 1 : 0);
}

function checkSignature(set: WireSet, signature: WireSignature, zone: TrustedZone): string[] {
  const problems: string[] = [];
  const require = (condition: boolean, problem: string): void => {
    if (!condition) problems.push(problem);
  };
  require(equalNames(signature.signer, zone.apex), 'the signer is not the zone');
  require(isBelowOrEqual(set.owner, zone.apex), 'the owner is outside the zone');
  require(signature.ttl === set.ttl, `the TTL of the RRSIG is ${signature.ttl}, that of its set ${set.ttl}`);
  require(set.ttl <= signature.originalTtl, 'the TTL is higher than the original TTL');
  require(signature.inception <= zone.nowSeconds, 'the signature is not valid yet');
  require(signature.expiration >= zone.nowSeconds, 'the signature has expired');
  require(signature.labels <= signedLabels(set.owner), 'the RRSIG has more labels than the owner');
  if (problems.length === 0) require(isVerified(set, signature, zone), 'no key verifies the signature');
  return problems;
}

function isVerified(set: WireSet, signature: WireSignature, zone: TrustedZone): boolean {
  const data = signedData(set, signature);
  const keys = zone.dnskeys.filter(
    (key) => key[3] === signature.algorithm && keyTag(key) === signature.keyTag,
  );
  return keys.some((key) => {
    const title = [key, data, signature.signature].map((octets) => octets.toString('base64')).join();
    if (verified.has(title)) return true;
    const isGood = verifyWith(key, data, signature.signature);
    if (isGood) verified.add(title);
    return isGood;
  });
}

/** RFC 4034 section 3.1.8.1. */
function signedData(set: WireSet, signature: WireSignature): Buffer {
  const suffix = set.owner.slice(set.owner.length - signature.labels);
  const isOwn = signature.labels === set.owner.length;
  const owner = wireOf(isOwn ? set.owner : ['*', ...suffix]);
  const fixed = Buffer.alloc(8);
  fixed.writeUInt16BE(set.type, 0);
  fixed.writeUInt16BE(CLASS_IN, 2);
  fixed.writeUInt32BE(signature.originalTtl, 4);
  const records = [...set.rdatas].sort((a, b) => Buffer.compare(a, b));
  return Buffer.concat([
    signature.head,
    ...records.flatMap((data) => [owner, fixed, Buffer.of(data.length >>> 8, data.length & 255), data]),
  ]);
}

function verifyWith(dnskey: Buffer, data: Buffer, signature: Buffer): boolean {
  const point = dnskey.subarray(4);
  if (dnskey[3] === ED25519) return verify(null, data, publicKey('OKP', 'Ed25519', point), signature);
  if (dnskey[3] !== ECDSAP256SHA256) return false;
  const key = publicKey('EC', 'P-256', point.subarray(0, 32), point.subarray(32));
  return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

function publicKey(kty: string, crv: string, x: Buffer, y?: Buffer): KeyObject {
  const key = { kty, crv, x: x.toString('base64url'), ...(y && { y: y.toString('base64url') }) };
  return createPublicKey({ key, format: 'jwk' });
}

/** RFC 4034 appendix B. */
function keyTag(dnskey: Buffer): number {
  let sum = 0;
  dnskey.forEach((octet, i) => (sum += (i & 1) === 0 ? octet << 8 : octet));
  return (sum + (sum >>> 16)) & 0xffff;
}
