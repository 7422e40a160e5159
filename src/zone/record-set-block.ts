/**
 * A record set (RRset) in a zone image, ready for the wire: its records follow each other as they go into an answer for
 * the owner's own name; each owner is a compression pointer to the question.
 *
 *     │ type, count │ TTL, targets? │ wire length, fixups │ records … │ fixups │
 *     … of a set with targets │ number of targets │ bytes of targets │ targets … │
 *
 * Names in the data of the types of RFC 1035 that end in the zone's apex end here in two octets to be filled in: a
 * pointer to the apex in the question, which every answer of the zone contains (RFC 3597 section 4 forbids compression in
 * other types). A fixup is the place of such a pointer, 16 bits. Targets are the names in the data that have, or may
 * have, addresses or data of their own in this zone. Written by `encodeRecordSet()`.
 */

import { alignToWord } from './align-to-word.ts';
import type { SetOffset, TargetOffset } from './image-offsets.ts';

const TYPE_AND_COUNT = 0;
const TTL_AND_TARGETS = 1;
const WIRE_AND_FIXUPS = 2;
export const SET_HEADER_BYTES = 12;

// Words before the targets.
const TARGET_COUNT = 0;
const TARGETS_BYTES = 1;
export const TARGETS_HEADER_BYTES = 8;

/** A TTL has 31 bits (RFC 2181 section 8); the highest of its word tells whether there are targets. */
const TTL_BITS = 0x7fffffff;
const HAS_TARGETS = ~TTL_BITS;

/** Octets before the data of a record: pointer, type, class, TTL, data length. */
export const RECORD_HEADER_OCTETS = 12;

/** The word before a target's name: its length, and the octet of the records at which the name is written. */
export const TARGET_HEADER_BYTES = 4;

export function rrsetType(words: Int32Array, set: SetOffset): number {
  return words[(set >> 2) + TYPE_AND_COUNT] & 0xffff;
}

export function rrsetRecordCount(words: Int32Array, set: SetOffset): number {
  return words[(set >> 2) + TYPE_AND_COUNT] >>> 16;
}

export function rrsetTtl(words: Int32Array, set: SetOffset): number {
  return words[(set >> 2) + TTL_AND_TARGETS] & TTL_BITS;
}

/** Octets of the records. */
export function rrsetWireLength(words: Int32Array, set: SetOffset): number {
  return words[(set >> 2) + WIRE_AND_FIXUPS] & 0xffff;
}

/** Bytes from the start of the memory to the records. */
export function rrsetWireStart(set: SetOffset): number {
  return set + SET_HEADER_BYTES;
}

/** End of the record at `at`, whose owner is a compression pointer; in an image or in a message. */
export function recordEnd(bytes: Uint8Array, at: number): number {
  return at + RECORD_HEADER_OCTETS + ((bytes[at + 10] << 8) | bytes[at + 11]);
}

/** Bytes from the start of the memory to the data of the first record. */
export function rrsetFirstData(set: SetOffset): number {
  return set + SET_HEADER_BYTES + RECORD_HEADER_OCTETS;
}

export function rrsetFixupCount(words: Int32Array, set: SetOffset): number {
  return words[(set >> 2) + WIRE_AND_FIXUPS] >>> 16;
}

/** Bytes from the start of the memory to the fixups, for `fixupAt()`. */
export function rrsetFixupStart(words: Int32Array, set: SetOffset): number {
  return set + SET_HEADER_BYTES + alignToWord(rrsetWireLength(words, set));
}

/** Octets from the first record to the pointer that fixup number `index` stands for. */
export function fixupAt(bytes: Uint8Array, fixupStart: number, index: number): number {
  return bytes[fixupStart + index * 2] | (bytes[fixupStart + index * 2 + 1] << 8);
}

export function rrsetTargetCount(words: Int32Array, set: SetOffset): number {
  return hasTargets(words, set) ? words[(fixupsEnd(words, set) >> 2) + TARGET_COUNT] : 0;
}

/** The first target, if there is one. */
export function rrsetFirstTarget(words: Int32Array, set: SetOffset): TargetOffset {
  return (fixupsEnd(words, set) + TARGETS_HEADER_BYTES) as TargetOffset;
}

/** Bytes of the whole block. */
export function rrsetSizeBytes(words: Int32Array, set: SetOffset): number {
  const end = fixupsEnd(words, set);
  if (!hasTargets(words, set)) return end - set;
  return end - set + TARGETS_HEADER_BYTES + words[(end >> 2) + TARGETS_BYTES];
}

function hasTargets(words: Int32Array, set: SetOffset): boolean {
  return (words[(set >> 2) + TTL_AND_TARGETS] & HAS_TARGETS) !== 0;
}

/** Bytes from the start of the memory to what follows the fixups. */
function fixupsEnd(words: Int32Array, set: SetOffset): number {
  return rrsetFixupStart(words, set) + alignToWord(2 * rrsetFixupCount(words, set));
}

export function targetNameLength(words: Int32Array, target: TargetOffset): number {
  return words[target >> 2] & 0xff;
}

/** Octets from the first record to the place where the target is written; owners of its addresses point there. */
export function targetWrittenAt(words: Int32Array, target: TargetOffset): number {
  return words[target >> 2] >>> 8;
}

/** Bytes from the start of the memory to the target's name, uncompressed. */
export function targetNameStart(target: TargetOffset): number {
  return target + TARGET_HEADER_BYTES;
}

/** The target after one whose name has `nameLength` octets. */
export function nextTarget(target: TargetOffset, nameLength: number): TargetOffset {
  return (target + TARGET_HEADER_BYTES + alignToWord(nameLength)) as TargetOffset;
}

export function writeSetHeader(
  words: Int32Array,
  set: SetOffset,
  header: {
    readonly type: number;
    readonly ttl: number;
    readonly records: number;
    readonly wireLength: number;
    readonly fixups: number;
    readonly hasTargets: boolean;
  },
): void {
  const start = set >> 2;
  words[start + TYPE_AND_COUNT] = header.type | (header.records << 16);
  words[start + TTL_AND_TARGETS] = (header.ttl & TTL_BITS) | (header.hasTargets ? HAS_TARGETS : 0);
  words[start + WIRE_AND_FIXUPS] = header.wireLength | (header.fixups << 16);
}

/** @param at the end of the fixups */
export function writeTargetsHeader(words: Int32Array, at: number, count: number, sizeBytes: number): void {
  words[(at >> 2) + TARGET_COUNT] = count;
  words[(at >> 2) + TARGETS_BYTES] = sizeBytes;
}

export function writeTargetHeader(
  words: Int32Array,
  target: TargetOffset,
  nameLength: number,
  writtenAt: number,
): void {
  words[target >> 2] = nameLength | (writtenAt << 8);
}
