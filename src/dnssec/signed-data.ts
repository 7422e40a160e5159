/**
 * The octets that a signature covers (RFC 4034 section 3.1.8.1), and the RRSIG record that carries it. Makes no
 * signature itself and imports no cryptography.
 */
import { assert } from '../base/assert.ts';
import { ByteWriter } from '../base/byte-writer.ts';
import { rrClass } from '../dns/codes.ts';
import { countLabels, lowerDomainName, type DomainName } from '../dns/name.ts';
import { canonicalRdata } from '../dns/rdata/rdata.ts';
import type { StoredSignature } from '../dns/stored-signature.ts';
import type { SignatureTimes } from './signature-times.ts';
import type { ZoneKey } from './zone-key.ts';
import type { ZoneSigner } from './zone-signer.ts';

/** A set as it is signed. */
export interface SignedSet extends SignatureTimes {
  /** Absolute, in any case. A wildcard owner signs all answers that are made of it. */
  readonly owner: DomainName;
  readonly type: number;
  /** The TTL with which the set is served. */
  readonly ttl: number;
  /** At least one, well-formed, uncompressed, in any order; repeated ones count once. */
  readonly rdatas: readonly Uint8Array[];
  readonly apex: DomainName;
}

export function signRrset(signer: Pick<ZoneSigner, 'sign'>, key: ZoneKey, set: SignedSet): StoredSignature {
  assert(set.rdatas.length > 0, 'a signed set has data');
  const { type, inception, expiration } = set;
  const { tag: keyTag, algorithm } = key;
  const head = { type, keyTag, algorithm, inception, expiration };
  scratch.clear();
  writeSignedData(scratch, head, set);
  // Property by property: V8 takes microseconds for an object whose properties follow a spread.
  return { type, keyTag, algorithm, inception, expiration, signature: signer.sign(key, scratch.written()) };
}

/** A large zone is signed set by set. */
const scratch = new ByteWriter();

/** RRSIG RDATA (RFC 4034 section 3.1) of a stored signature. */
export function rrsigRdata(
  stored: StoredSignature,
  { owner, ttl, apex }: Pick<SignedSet, 'owner' | 'ttl' | 'apex'>,
): Uint8Array {
  const wire = new ByteWriter(RRSIG_FIXED_OCTETS + apex.length + stored.signature.length);
  writeRrsigHead(wire, stored, owner, ttl, apex);
  wire.bytes(stored.signature);
  return wire.finish();
}

/** The label count of an RRSIG record: without the root and without the asterisk of a wildcard (RFC 4034 section 3.1.3). */
export function signedLabels(owner: DomainName): number {
  const isWildcard = owner[0] === 1 && owner[1] === ASTERISK;
  return countLabels(owner) - (isWildcard ? 1 : 0);
}

const ASTERISK = 0x2a;
/** Everything before the signer's name. */
const RRSIG_FIXED_OCTETS = 18;

/** The octets that a signature covers: RRSIG data without the signature, and the set in canonical form and order. */
export function signedData(head: Omit<StoredSignature, 'signature'>, set: SignedSet): Uint8Array {
  const wire = new ByteWriter();
  writeSignedData(wire, head, set);
  return wire.finish();
}

function writeSignedData(
  wire: ByteWriter,
  head: Omit<StoredSignature, 'signature'>,
  { owner, type, ttl, rdatas, apex }: SignedSet,
): void {
  const name = lowerDomainName(owner);
  writeRrsigHead(wire, head, owner, ttl, apex);
  for (const rdata of sortedCanonical(type, rdatas)) {
    wire.bytes(name);
    wire.u16(type);
    wire.u16(rrClass.IN);
    wire.u32(ttl);
    wire.u16(rdata.length);
    wire.bytes(rdata);
  }
}

/** All fields of RRSIG RDATA except the signature. */
function writeRrsigHead(
  wire: ByteWriter,
  { type, algorithm, inception, expiration, keyTag }: Omit<StoredSignature, 'signature'>,
  owner: DomainName,
  ttl: number,
  apex: DomainName,
): void {
  wire.u16(type);
  wire.u8(algorithm);
  wire.u8(signedLabels(owner));
  wire.u32(ttl);
  wire.u32(expiration);
  wire.u32(inception);
  wire.u16(keyTag);
  wire.bytes(lowerDomainName(apex));
}

/** Canonical data in canonical order, each once (RFC 4034 sections 6.2 and 6.3). */
function sortedCanonical(type: number, rdatas: readonly Uint8Array[]): readonly Uint8Array[] {
  const canonical = rdatas.map((rdata) => canonicalRdata(type, rdata));
  if (canonical.length === 1) return canonical;
  canonical.sort(compareOctets);
  return canonical.filter((rdata, at) => at === 0 || compareOctets(canonical[at - 1], rdata) !== 0);
}

/** As unsigned octets from the left; the shorter one first if one begins with the other. */
function compareOctets(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    if (a[at] !== b[at]) return a[at] - b[at];
  }
  return a.length - b.length;
}
