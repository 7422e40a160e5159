/** Checks the signatures of one set with the keys of its zone (RFC 4035 section 5.3). */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { rrClass } from '../dns/codes.ts';
import { formatDomainName, type DomainName } from '../dns/name.ts';
import { formatRecordType } from '../dns/type-mnemonic.ts';
import {
  canonicalData,
  compareNames,
  labelsOf,
  nameFromLabels,
  nameLength,
} from './canonical-octets.test-support.ts';
import type { ZoneRecord } from './zone-records.test-support.ts';

export interface CheckedSet {
  /** All records of one owner and type. */
  readonly set: readonly ZoneRecord[];
  /** The RRSIG records that cover it. */
  readonly signatures: readonly ZoneRecord[];
  /** The DNSKEY records of the zone. */
  readonly keys: readonly ZoneRecord[];
  /** DNSKEY RDATA of other keys whose signatures may be there. */
  readonly unpublished: readonly Uint8Array[];
  readonly apex: DomainName;
  readonly nowSeconds: number;
}

/** Each algorithm of the keys must have signed the set (RFC 4035 section 2.2), and no signature may be invalid. */
export function checkSetSignatures(checked: CheckedSet): string[] {
  const { set, signatures, keys } = checked;
  const subject = `${formatDomainName(set[0].owner)} ${formatRecordType(set[0].type)}`;
  const problems = signatures.flatMap((signature) => checkSignature(signature, checked));
  for (const algorithm of new Set(keys.map(({ rdata }) => rdata[3]))) {
    const signed = signatures.some(({ rdata }) => rdata[2] === algorithm);
    if (!signed) problems.push(`has no signature of algorithm ${algorithm}`);
  }
  if (new Set(set.map(({ ttl }) => ttl)).size > 1) problems.push('has records with different TTLs');
  return problems.map((problem) => `${subject} ${problem}`);
}

function checkSignature({ ttl, rdata }: ZoneRecord, checked: CheckedSet): string[] {
  const { set, keys, unpublished, apex, nowSeconds } = checked;
  const octets = Buffer.from(rdata);
  const signatureAt = SIGNER_AT + nameLength(octets, SIGNER_AT);
  const [algorithm, labels] = [octets[2], octets[3]];
  const problems: string[] = [];
  if (compareNames(octets.subarray(SIGNER_AT, signatureAt), apex) !== 0)
    problems.push('names another signer');
  const ownLabels = labelsOf(set[0].owner);
  const expectedLabels = ownLabels.length - (ownLabels[0]?.equals(ASTERISK) ? 1 : 0);
  if (labels !== expectedLabels) problems.push(`has the label count ${labels}, not ${expectedLabels}`);
  const originalTtl = octets.readUInt32BE(4);
  if (originalTtl !== set[0].ttl) problems.push(`has the original TTL ${originalTtl}, not ${set[0].ttl}`);
  if (ttl !== set[0].ttl) problems.push(`has a signature with the TTL ${ttl}, not ${set[0].ttl}`);
  if (octets.readUInt32BE(8) < nowSeconds) problems.push('has a signature that has expired');
  if (octets.readUInt32BE(12) > nowSeconds) problems.push('has a signature that is not valid yet');
  const tag = octets.readUInt16BE(16);
  // Keys can have the same tag: all of them are tried (RFC 4035 section 5.3.1).
  const candidates = [...keys.map((one) => one.rdata), ...unpublished].filter(
    (one) => one[3] === algorithm && tagOf(one) === tag,
  );
  const data = Buffer.concat([
    octets.subarray(0, SIGNER_AT),
    lowerSigner(octets, signatureAt),
    ...setOctets(set),
  ]);
  const signature = octets.subarray(signatureAt);
  if (candidates.length === 0)
    problems.push(`has a signature of the key ${tag}, which the zone does not have`);
  else if (!candidates.some((key) => verifies(key, data, signature))) problems.push('has a wrong signature');
  return problems;
}

/** After type, algorithm, labels, original TTL, both times and key tag (RFC 4034 section 3.1). */
const SIGNER_AT = 18;
const ASTERISK = Buffer.from('*');

function lowerSigner(octets: Buffer, end: number): Buffer {
  return nameFromLabels(labelsOf(octets.subarray(SIGNER_AT, end)));
}

/** The records in canonical form and order, each once. */
function setOctets(set: readonly ZoneRecord[]): Buffer[] {
  const [{ owner, type, ttl }] = set;
  const head = Buffer.alloc(8);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(rrClass.IN, 2);
  head.writeUInt32BE(ttl, 4);
  const sorted = set.map(({ rdata }) => canonicalData(type, rdata)).sort((a, b) => Buffer.compare(a, b));
  return sorted
    .filter((rdata, at) => at === 0 || !rdata.equals(sorted[at - 1]))
    .map((rdata) => {
      const length = Buffer.of(rdata.length >> 8, rdata.length & 255);
      return Buffer.concat([nameFromLabels(labelsOf(owner)), head, length, rdata]);
    });
}

function verifies(dnskey: Uint8Array, data: Buffer, signature: Buffer): boolean {
  const algorithm = dnskey[3];
  const octets = Buffer.from(dnskey.subarray(4));
  const key =
    algorithm === ECDSA_P256 || algorithm === ED25519 ? publicKey(algorithm, octets) : rsaKey(octets);
  const hash = hashes.get(algorithm);
  if (hash === undefined) throw new Error(`the checker does not know algorithm ${algorithm}`);
  return verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** Exponents of up to 255 octets (RFC 3110 section 2). */
function rsaKey(octets: Buffer): KeyObject {
  const [e, n] = [octets.subarray(1, 1 + octets[0]), octets.subarray(1 + octets[0])];
  const jwk = { kty: 'RSA', n: n.toString('base64url'), e: e.toString('base64url') };
  return createPublicKey({ format: 'jwk', key: jwk });
}

const ECDSA_P256 = 13;
const ED25519 = 15;
const hashes = new Map([
  [8, 'sha256'],
  [10, 'sha512'],
  [ECDSA_P256, 'sha256'],
  [ED25519, null],
]);
/** The DER of a public key up to its octets (RFC 5480 section 2, RFC 8410 section 4). */
const spkiHeads = new Map([
  [ECDSA_P256, '3059301306072a8648ce3d020106082a8648ce3d03010703420004'],
  [ED25519, '302a300506032b6570032100'],
]);

function publicKey(algorithm: number, octets: Buffer): KeyObject {
  const head = spkiHeads.get(algorithm);
  if (head === undefined) throw new Error(`the checker does not know algorithm ${algorithm}`);
  const key = Buffer.concat([Buffer.from(head, 'hex'), octets]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/** RFC 4034 appendix B: the sum of 16-bit words, with the carry added. */
function tagOf(dnskey: Uint8Array): number {
  const even = Buffer.concat([dnskey, Buffer.alloc(dnskey.length % 2)]);
  let sum = 0;
  for (let at = 0; at < even.length; at += 2) sum += even.readUInt16BE(at);
  return (sum + Math.floor(sum / 0x10000)) % 0x10000;
}
