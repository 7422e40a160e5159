/** Reads the data of NSEC and NSEC3 records (RFC 4034 section 4.1, RFC 5155 section 3.2), with what a validator asks of them. */

import { createHash } from 'node:crypto';
import {
  compareNames,
  equalNames,
  isBelow,
  labelsOf,
  wireOf,
  type Name,
  type WireSet,
} from './signed-message.test-support.ts';

const TYPE_NS = 2;
const TYPE_SOA = 6;
const TYPE_DNAME = 39;
const HASH_BYTES = 20;
const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';

export interface NsecRecord {
  readonly owner: Name;
  readonly next: Name;
  readonly types: ReadonlySet<number>;
}

export interface Nsec3Record {
  readonly hash: string;
  readonly next: string;
  readonly types: ReadonlySet<number>;
}

export function readNsec(set: WireSet): NsecRecord {
  const [data] = set.rdatas;
  const next = labelsOf(data);
  return { owner: set.owner, next, types: readBitmap(data, wireOf(next).length) };
}

/** Throws unless the parameters are those of RFC 9276 section 3.1: SHA-1, no opt-out, no iterations, no salt. */
export function readNsec3(set: WireSet): Nsec3Record {
  const [data] = set.rdatas;
  if (data.toString('hex', 0, 5) !== '0100000000')
    throw new Error('NSEC3 with other parameters than 1 0 0 -');
  if (data[5] !== HASH_BYTES) throw new Error(`a hash of ${data[5]} octets`);
  const next = toBase32(data.subarray(6, 6 + HASH_BYTES));
  return { hash: set.owner[0], next, types: readBitmap(data, 6 + HASH_BYTES) };
}

/** The hash of a name as the label of an NSEC3 record (RFC 5155 section 5). */
export function hashOf(name: Name): string {
  return toBase32(createHash('sha1').update(wireOf(name)).digest());
}

/** Whether the name lies between the owner and the next name; neither is between. */
export function nsecCovers({ owner, next }: NsecRecord, name: Name): boolean {
  const isLast = compareNames(next, owner) <= 0;
  return compareNames(owner, name) < 0 && (isLast ? !equalNames(next, name) : compareNames(name, next) < 0);
}

export function nsec3Covers({ hash, next }: Nsec3Record, name: Name): boolean {
  const asked = hashOf(name);
  return next > hash ? hash < asked && asked < next : hash < asked || asked < next;
}

/** The types say that the record is the parent's side of a zone cut. */
export function isParentSide(types: ReadonlySet<number>): boolean {
  return types.has(TYPE_NS) && !types.has(TYPE_SOA);
}

/** Names below such an owner are not this record's to deny (RFC 6840 section 4.1). */
export function hasNothingBelow(types: ReadonlySet<number>): boolean {
  return isParentSide(types) || types.has(TYPE_DNAME);
}

/** Whether the NSEC record may be used to deny the name. */
export function mayDeny(nsec: NsecRecord, name: Name): boolean {
  return !(isBelow(name, nsec.owner) && hasNothingBelow(nsec.types));
}

function toBase32(octets: Buffer): string {
  let bits = '';
  for (const octet of octets) bits += octet.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32HEX[parseInt(five, 2)]).join('');
}

/** RFC 4034 section 4.1.2; throws unless the windows are in order, not empty and without zero octets at the end. */
function readBitmap(data: Buffer, start: number): Set<number> {
  const types = new Set<number>();
  let last = -1;
  for (let at = start; at < data.length; at += 2 + data[at + 1]) {
    const [window, length] = [data[at], data[at + 1]];
    const isSound = window > last && length >= 1 && length <= 32 && at + 2 + length <= data.length;
    if (!isSound || data[at + 1 + length] === 0) throw new Error('a malformed type bitmap');
    last = window;
    for (let bit = 0; bit < length * 8; bit++)
      if ((data[at + 2 + (bit >> 3)] & (0x80 >> (bit & 7))) !== 0) types.add(window * 256 + bit);
  }
  return types;
}
