/**
 * A record set (RRset) in a zone image, ready for the wire: its records follow each other as they go into an answer for
 * the owner's own name; each owner is a compression pointer to the question.
 *
 *     │ type, wire length │ count, fixups, targets? │ records … │ fixups │
 *     … of a set with targets │ number of targets │ bytes of targets │ targets … │
 *
 * Names in the data of the types of RFC 1035 that end in the zone's apex end here in two octets to be filled in: a
 * pointer to the apex in the question, which every answer of the zone contains (RFC 3597 section 4 forbids compression in
 * other types). A fixup is the place of such a pointer, 16 bits. Targets are the names in the data that have, or may
 * have, addresses or data of their own in this zone. Written by `encodeRecordSet()`.
 */

import { alignToWord } from './align-to-word.ts';
import type { SetOffset, TargetOffset } from './image-offsets.ts';

// Words of the header.
const TYPE_AND_LENGTH = 0;
const COUNTS = 1;
export const SET_HEADER_BYTES = 8;

const LENGTH_SHIFT = 16;
// Parts of the second word: a set of 65,535 octets has 5,461 records of 12 octets, or 8,191 fixups, two in 16 octets.
const COUNT_BITS = 0x3fff;
const FIXUPS_SHIFT = 14;
const HAS_TARGETS = 0x10000000;

// Words before the targets.
const TARGET_COUNT = 0;
const TARGETS_BYTES = 1;
export const TARGETS_HEADER_BYTES = 8;

/** Octets before the data of a record: pointer, type, class, TTL, data length. */
export const RECORD_HEADER_OCTETS = 12;
/** Octets of a record before its TTL. */
const TTL_AT = 6;

/** The word before a target's name: its length, and the octet of the records at which the name is written. */
export const TARGET_HEADER_BYTES = 4;

export function rrsetType(words: Int32Array, set: SetOffset): number {
  return words[(set >> 2) + TYPE_AND_LENGTH] & 0xffff;
}

export function rrsetRecordCount(words: Int32Array, set: SetOffset): number {
  return words[(set >> 2) + COUNTS] & COUNT_BITS;
}

/** The TTL of the records: 31 bits (RFC 2181 section 8). */
export function rrsetTtl(bytes: Uint8Array, set: SetOffset): number {
  const at = set + SET_HEADER_BYTES + TTL_AT;
  return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
}

/** Octets of the records. */
export function rrsetWireLength(words: Int32Array, set: SetOffset): number {
  return words[(set >> 2) + TYPE_AND_LENGTH] >>> LENGTH_SHIFT;
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
  return (words[(set >> 2) + COUNTS] >>> FIXUPS_SHIFT) & COUNT_BITS;
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
  return (words[(set >> 2) + COUNTS] & HAS_TARGETS) !== 0;
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
    readonly records: number;
    readonly wireLength: number;
    readonly fixups: number;
    readonly hasTargets: boolean;
  },
): void {
  const start = set >> 2;
  words[start + TYPE_AND_LENGTH] = header.type | (header.wireLength << LENGTH_SHIFT);
  words[start + COUNTS] =
    header.records | (header.fixups << FIXUPS_SHIFT) | (header.hasTargets ? HAS_TARGETS : 0);
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
