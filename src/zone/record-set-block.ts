/**
 * A record set (RRset) inside a zone image, ready for the wire: its records stand one behind the other as they go into
 * an answer for the owner's own name, each owner a compression pointer to the question.
 *
 *     │ type, count │ TTL │ wire length, fixups │ targets │ size │ records … │ fixups: 16 bits each │ targets │
 *
 * Names inside the data of the types of RFC 1035 that end in the zone's apex end here in two octets to be filled in:
 * a pointer to the apex inside the question, which every answer of the zone holds (RFC 3597 section 4 forbids
 * compression in other types). The fixups say where. Targets are the names in the data that have, or may have,
 * addresses or data of their own in this zone.
 */

import { additionalNameOffset, compressibleNameOffsets } from '../dns/rdata/rdata.ts';
import { rrType } from '../dns/codes.ts';

/** Words of a set's header. */
export const setBlock = {
  typeAndCount: 0,
  ttl: 1,
  wireAndFixups: 2,
  targets: 3,
  targetsAt: 4,
  size: 5,
} as const;
export const SET_HEADER_BYTES = 24;

/** Words before a target's name: its length, and the octet of the records at which it stands written. */
export const TARGET_HEADER_BYTES = 4;

/** Octets before the data of a record: pointer, type, class, TTL, data length. */
const RECORD_HEADER_BYTES = 12;
const CLASS_IN = 1;
const POINTER_TO_QUESTION = 0xc00c;

/** A set to be encoded. */
export interface RecordSet {
  readonly type: number;
  /** Seconds. */
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}

/** No encoded set is larger than this; exact but for what compression saves. */
export function recordSetSizeLimit(set: RecordSet): number {
  let size = SET_HEADER_BYTES + 8;
  for (const rdata of set.rdatas)
    size += RECORD_HEADER_BYTES + 2 * rdata.length + 4 + TARGET_HEADER_BYTES + 4;
  return align(size);
}

/**
 * Writes the set at byte `at` (a multiple of 4) and returns its size in bytes.
 *
 * @param apex the zone's apex, lower case, wire form
 */
export function encodeRecordSet(
  words: Int32Array,
  bytes: Uint8Array,
  at: number,
  set: RecordSet,
  apex: Uint8Array,
): number {
  const start = at + SET_HEADER_BYTES;
  const fixups: number[] = [];
  const targets: Target[] = [];
  let position = start;
  for (const rdata of set.rdatas)
    position = encodeRecord(bytes, start, position, set, rdata, apex, fixups, targets);
  const wireLength = position - start;
  position = start + align(wireLength);
  for (const fixup of fixups) {
    bytes[position++] = fixup & 0xff;
    bytes[position++] = fixup >>> 8;
  }
  const targetsAt = align(position - at);
  position = encodeTargets(words, bytes, at + targetsAt, targets);
  const base = at >> 2;
  words[base + setBlock.typeAndCount] = set.type | (set.rdatas.length << 16);
  words[base + setBlock.ttl] = set.ttl;
  words[base + setBlock.wireAndFixups] = wireLength | (fixups.length << 16);
  words[base + setBlock.targets] = targets.length;
  words[base + setBlock.targetsAt] = targetsAt;
  words[base + setBlock.size] = position - at;
  return position - at;
}

interface Target {
  readonly name: Uint8Array;
  /** Where in the records it is written, from their start: owners of its addresses point there. */
  readonly writtenAt: number;
}

function encodeRecord(
  bytes: Uint8Array,
  start: number,
  at: number,
  set: RecordSet,
  rdata: Uint8Array,
  apex: Uint8Array,
  fixups: number[],
  targets: Target[],
): number {
  const names = compressibleNameOffsets(set.type, rdata);
  let position = at + RECORD_HEADER_BYTES;
  let copied = 0;
  for (const offset of names) {
    const apexAt = suffixOffset(rdata, offset, apex);
    addTarget(set.type, rdata, offset, apexAt, position + (offset - copied) - start, targets);
    if (apexAt === -1) continue;
    bytes.set(rdata.subarray(copied, apexAt), position);
    position += apexAt - copied;
    fixups.push(position - start);
    position += 2;
    copied = apexAt + apex.length;
  }
  bytes.set(copied === 0 ? rdata : rdata.subarray(copied), position);
  position += rdata.length - copied;
  if (names.length === 0) {
    const offset = additionalNameOffset(set.type, rdata);
    const dataAt = at + RECORD_HEADER_BYTES - start;
    if (offset !== undefined)
      addTarget(set.type, rdata, offset, suffixOffset(rdata, offset, apex), dataAt + offset, targets);
  }
  writeRecordHeader(bytes, at, set, position - at - RECORD_HEADER_BYTES);
  return position;
}

function writeRecordHeader(
  bytes: Uint8Array,
  at: number,
  { type, ttl }: RecordSet,
  dataLength: number,
): void {
  writeUint16(bytes, at, POINTER_TO_QUESTION);
  writeUint16(bytes, at + 2, type);
  writeUint16(bytes, at + 4, CLASS_IN);
  writeUint16(bytes, at + 6, ttl >>> 16);
  writeUint16(bytes, at + 8, ttl & 0xffff);
  writeUint16(bytes, at + 10, dataLength);
}

function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value & 0xff;
}

/** Only names of this zone can have something to add; of CNAME, the target is where the answer goes on. */
function addTarget(
  type: number,
  rdata: Uint8Array,
  offset: number,
  apexAt: number,
  writtenAt: number,
  targets: Target[],
): void {
  if (apexAt === -1) return;
  if (type !== rrType.CNAME && additionalNameOffset(type, rdata) !== offset) return;
  targets.push({ name: rdata.subarray(offset, nameEnd(rdata, offset)), writtenAt });
}

function encodeTargets(words: Int32Array, bytes: Uint8Array, at: number, targets: readonly Target[]): number {
  let position = at;
  for (const { name, writtenAt } of targets) {
    words[position >> 2] = name.length | (writtenAt << 8);
    position += TARGET_HEADER_BYTES;
    bytes.set(name, position);
    position += align(name.length);
  }
  return position;
}

/** Where in the name at `offset` the labels of `apex` begin, or -1 when the name is not at or below it. */
function suffixOffset(rdata: Uint8Array, offset: number, apex: Uint8Array): number {
  const end = nameEnd(rdata, offset);
  const start = end - apex.length;
  for (let at = offset; at <= start; at += rdata[at] + 1) {
    if (at === start) return equalsIgnoringCase(rdata, start, apex) ? start : -1;
  }
  return -1;
}

function nameEnd(rdata: Uint8Array, offset: number): number {
  let at = offset;
  while (rdata[at] !== 0) at += rdata[at] + 1;
  return at + 1;
}

function equalsIgnoringCase(bytes: Uint8Array, offset: number, lower: Uint8Array): boolean {
  for (let i = 0; i < lower.length; i++) {
    const octet = bytes[offset + i];
    if ((octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet) !== lower[i]) return false;
  }
  return true;
}

function align(size: number): number {
  return (size + 3) & ~3;
}
