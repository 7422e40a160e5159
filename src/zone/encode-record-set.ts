/** Encodes record sets as blocks of a zone image, in the layout of `record-set-block.ts`. */

import { rrClass, rrType } from '../dns/codes.ts';
import { additionalNameOffset, compressibleNameOffsets } from '../dns/rdata/rdata.ts';
import { alignToWord } from './align-to-word.ts';
import type { SetOffset, TargetOffset } from './image-offsets.ts';
import {
  nextTarget,
  RECORD_HEADER_OCTETS,
  rrsetWireStart,
  SET_HEADER_BYTES,
  TARGETS_HEADER_BYTES,
  TARGET_HEADER_BYTES,
  targetNameStart,
  writeSetHeader,
  writeTargetsHeader,
  writeTargetHeader,
} from './record-set-block.ts';
import type { ImageMemory } from './zone-image.ts';

const POINTER_TO_QUESTION = 0xc00c;

/** A record set to be encoded. */
export interface RecordSet {
  readonly type: number;
  /** Seconds. */
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}

/** An upper bound on the bytes of the encoded set; exact except for what compression saves. */
export function recordSetSizeLimit(set: RecordSet): number {
  let size = SET_HEADER_BYTES + TARGETS_HEADER_BYTES + 8;
  for (const rdata of set.rdatas)
    size += RECORD_HEADER_OCTETS + 2 * rdata.length + 4 + TARGET_HEADER_BYTES + 4;
  return alignToWord(size);
}

/**
 * Encodes a record set.
 *
 * @param at where the block begins; there must be room for `recordSetSizeLimit()`
 * @param apex the zone's apex, lower case, wire form
 * @returns the block's size in bytes
 */
export function encodeRecordSet(
  { words, bytes }: ImageMemory,
  at: SetOffset,
  set: RecordSet,
  apex: Uint8Array,
): number {
  const start = rrsetWireStart(at);
  const encoding: Encoding = { bytes, set, apex, start, end: start, fixups: [], targets: [] };
  for (const rdata of set.rdatas) encodeRecord(encoding, rdata);
  const { fixups, targets } = encoding;
  const wireLength = encoding.end - start;
  let end = start + alignToWord(wireLength);
  for (const fixup of fixups) {
    bytes[end++] = fixup & 0xff;
    bytes[end++] = fixup >>> 8;
  }
  end = at + alignToWord(end - at);
  writeSetHeader(words, at, {
    type: set.type,
    records: set.rdatas.length,
    wireLength,
    fixups: fixups.length,
    hasTargets: targets.length > 0,
  });
  return (targets.length === 0 ? end : encodeTargets(words, bytes, end, targets)) - at;
}

/** A set while its records are being written. */
interface Encoding {
  readonly bytes: Uint8Array;
  readonly set: RecordSet;
  readonly apex: Uint8Array;
  /** Offset of the first record. */
  readonly start: number;
  /** Offset of the next record. */
  end: number;
  readonly fixups: number[];
  readonly targets: Target[];
}

interface Target {
  readonly name: Uint8Array;
  /** Octets from the first record. */
  readonly writtenAt: number;
}

function encodeRecord(encoding: Encoding, rdata: Uint8Array): void {
  const { bytes, set, apex, start, end, fixups } = encoding;
  const names = compressibleNameOffsets(set.type, rdata);
  let position = end + RECORD_HEADER_OCTETS;
  let copied = 0;
  for (const offset of names) {
    const apexAt = suffixOffset(rdata, offset, apex);
    if (apexAt === -1) continue;
    addTarget(encoding, rdata, offset, position + (offset - copied) - start);
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
    if (offset !== undefined && suffixOffset(rdata, offset, apex) !== -1)
      addTarget(encoding, rdata, offset, end + RECORD_HEADER_OCTETS + offset - start);
  }
  writeRecordHeader(bytes, end, set, position - end - RECORD_HEADER_OCTETS);
  encoding.end = position;
}

function writeRecordHeader(
  bytes: Uint8Array,
  at: number,
  { type, ttl }: RecordSet,
  dataLength: number,
): void {
  writeUint16(bytes, at, POINTER_TO_QUESTION);
  writeUint16(bytes, at + 2, type);
  writeUint16(bytes, at + 4, rrClass.IN);
  writeUint16(bytes, at + 6, ttl >>> 16);
  writeUint16(bytes, at + 8, ttl & 0xffff);
  writeUint16(bytes, at + 10, dataLength);
}

function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value & 0xff;
}

/**
 * Adds the name at `offset` of the data, which is at or below the apex, if it has something to add to an answer, or if
 * it is the target of a CNAME, where the answer continues.
 */
function addTarget({ set, targets }: Encoding, rdata: Uint8Array, offset: number, writtenAt: number): void {
  if (set.type !== rrType.CNAME && additionalNameOffset(set.type, rdata) !== offset) return;
  targets.push({ name: rdata.subarray(offset, nameEnd(rdata, offset)), writtenAt });
}

/** @returns where the targets end */
function encodeTargets(
  words: Int32Array,
  bytes: Uint8Array,
  start: number,
  targets: readonly Target[],
): number {
  const first = (start + TARGETS_HEADER_BYTES) as TargetOffset;
  let at = first;
  for (const { name, writtenAt } of targets) {
    writeTargetHeader(words, at, name.length, writtenAt);
    bytes.set(name, targetNameStart(at));
    at = nextTarget(at, name.length);
  }
  writeTargetsHeader(words, start, targets.length, at - first);
  return at;
}

/** Offset at which the labels of `apex` begin in the name at `offset`, or -1 if the name is not at or below the apex. */
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
