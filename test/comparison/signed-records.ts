// Reads the records that DNSSEC adds, and takes out what differs between two signers of one zone without any meaning: keys,
// signatures and their times, the serial, and the TTL of what the signer itself adds to the apex (no RFC gives it).

import { typeName, type WireRecord } from './message.ts';

/** Octets of RRSIG data before the signer's name (RFC 4034 section 3.1). */
const SIGNATURE_HEADER_BYTES = 18;
/** The five numbers at the end of SOA data; the serial is the first. */
const SOA_NUMBERS_BYTES = 20;
const SERIAL_BYTES = 4;

/** Sets that a signer adds to the apex. */
const signersTypes: ReadonlySet<string> = new Set(['DNSKEY', 'CDS', 'CDNSKEY', 'NSEC3PARAM']);

export interface Signature {
  /** Lower case. */
  readonly owner: string;
  readonly covered: string;
  /** Algorithm, labels, original TTL, own TTL and signer, without key tag, times and the signature itself. */
  readonly essence: string;
}

export function readSignature({ owner, ttl, rdata }: WireRecord): Signature {
  const data = Buffer.from(rdata, 'hex');
  const covered = typeName(data.readUInt16BE(0));
  const times = signersTypes.has(covered) ? '' : `original TTL ${data.readUInt32BE(4)}, TTL ${ttl}, `;
  const signer = readPlainName(data, SIGNATURE_HEADER_BYTES);
  return {
    owner: owner.toLowerCase(),
    covered,
    essence: `algorithm ${data[2]}, ${data[3]} labels, ${times}by ${signer}`,
  };
}

/** The TTL for comparison. */
export function essentialTtl({ type, ttl }: WireRecord): string {
  return signersTypes.has(type) ? '*' : String(ttl);
}

/** The data for comparison. */
export function essentialData({ type, rdata }: WireRecord): string {
  const data = Buffer.from(rdata, 'hex');
  switch (type) {
    case 'DNSKEY':
    case 'CDNSKEY':
      // Flags, protocol and algorithm.
      return data.toString('hex', 0, 4);
    case 'CDS':
      // Algorithm and digest type.
      return data.toString('hex', 2, 4);
    case 'SOA': {
      const serialAt = data.length - SOA_NUMBERS_BYTES;
      return `${data.toString('hex', 0, serialAt)}serial${data.toString('hex', serialAt + SERIAL_BYTES)}`;
    }
    default:
      return rdata;
  }
}

/** The data for people; undefined if the record is none of DNSSEC. */
export function showSignedData({ type, rdata, ...record }: WireRecord): string | undefined {
  const data = Buffer.from(rdata, 'hex');
  switch (type) {
    case 'RRSIG': {
      const { covered, essence } = readSignature({ type, rdata, ...record });
      return `${covered} (${essence})`;
    }
    case 'NSEC': {
      const next = readPlainName(data, 0);
      return [next, ...readTypes(data.subarray(next === '.' ? 1 : next.length + 1))].join(' ');
    }
    case 'NSEC3': {
      const hashAt = 6 + data[4];
      const typesAt = hashAt + data[hashAt - 1];
      return [base32Hex(data.subarray(hashAt, typesAt)), ...readTypes(data.subarray(typesAt))].join(' ');
    }
    default:
      return undefined;
  }
}

/** Reads an uncompressed name without escapes. */
function readPlainName(data: Buffer, start: number): string {
  let text = '';
  for (let at = start; data[at] > 0; at += data[at] + 1)
    text += `${data.toString('latin1', at + 1, at + 1 + data[at])}.`;
  return text === '' ? '.' : text;
}

/** RFC 4034 section 4.1.2. */
function readTypes(bitmap: Buffer): string[] {
  const types: string[] = [];
  for (let at = 0; at + 2 <= bitmap.length; at += 2 + bitmap[at + 1])
    for (let bit = 0; bit < bitmap[at + 1] * 8; bit++)
      if ((bitmap[at + 2 + (bit >>> 3)] & (0x80 >>> (bit & 7))) !== 0)
        types.push(typeName(bitmap[at] * 256 + bit));
  return types;
}

/** RFC 4648 section 7, for whole groups of five octets. */
function base32Hex(data: Buffer): string {
  const bits = [...data].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => Number.parseInt(five, 2).toString(32)).join('');
}
