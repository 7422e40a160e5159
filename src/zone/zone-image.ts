/**
 * The zone image: one block of memory with one zone, ready for answers. References inside an image count bytes from its
 * start, so copying the block moves the image.
 *
 *     │ header │ apex name │ … nodes, names, record sets, SOA states, the hash table of names: as allocated │ free │
 *     … in a signed zone, signatures and the chain of names as well
 *
 * Nothing that a reader could see is ever changed, except hints. A new state of a name is a new node in front of the
 * previous one, valid from a version on. A reader takes the image's version once and then sees exactly that version of
 * every name: no answer mixes two states of a zone, and no reader waits. This file reads and writes the header.
 */

import { assert } from '../base/assert.ts';
import type { DomainName } from '../dns/name.ts';
import type { Denial } from '../dns/proven-types.ts';
import { alignToWord } from './align-to-word.ts';
import type { ImageOffset, ImageStart, SlotIndex } from './image-offsets.ts';
import { suffixEquals, type NameScan } from './name-scan.ts';

/** The zone space, or private memory in which an image is being built. */
export interface ImageMemory {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
}

/** An image and the memory that holds it. */
export interface ImagePlace extends ImageMemory {
  readonly image: ImageStart;
}

/** The zone that an image holds. */
export interface ZoneIdentity {
  /** Lower case. */
  readonly apex: DomainName;
  readonly domainId: number;
  /** Whose zone it is; empty if that is not known. */
  readonly account: string;
}

/** Hints are only ever set. Without a hint, readers skip a look-up that could find nothing. */
export const imageHint = {
  cuts: 1,
  wildcards: 2,
  /** The image holds signatures and the chain of names; set before readers see it, or never. */
  signed: 4,
  /** The chain is that of NSEC3 records. */
  nsec3: 8,
} as const;

// Words of the header. Readers load VERSION, SOA and CHAIN atomically; any thread may set REFERENCED at any time.
const VERSION = 0;
const REFERENCED = 1;
const USED = 2;
const SIZE = 3;
const TABLE = 4;
const TABLE_MASK = 5;
const TABLE_USED = 6;
const GARBAGE = 7;
const HINTS = 8;
const SOA = 9;
const SERIAL = 10;
const DOMAIN_ID = 11;
const APEX_LENGTH = 12;
const CHAIN = 13;
const CHAINED_NAMES = 14;
const LAST_RUN = 15;
const HEADER_BYTES = 64;

/** Overwrites the place with a header at version 1 and the apex name. */
export function writeHeader(
  { words, bytes, image }: ImagePlace,
  zone: ZoneIdentity,
  sizeBytes: number,
): void {
  const start = image >> 2;
  words.fill(0, start, start + HEADER_BYTES / 4);
  words[start + VERSION] = 1;
  words[start + SIZE] = sizeBytes;
  words[start + DOMAIN_ID] = zone.domainId;
  words[start + APEX_LENGTH] = zone.apex.length;
  bytes.set(zone.apex, image + HEADER_BYTES);
  words[start + USED] = HEADER_BYTES + alignToWord(zone.apex.length);
}

/** The version that is complete now. */
export function imageVersion(words: Int32Array, image: ImageStart): number {
  return Atomics.load(words, (image >> 2) + VERSION);
}

/** Readers see `version` from the next query on. */
export function publishVersion(words: Int32Array, image: ImageStart, version: number): void {
  Atomics.store(words, (image >> 2) + VERSION, version);
}

/** Whether a query used the image since the flag was last cleared. */
export function isReferenced(words: Int32Array, image: ImageStart): boolean {
  return words[(image >> 2) + REFERENCED] !== 0;
}

export function setReferenced(words: Int32Array, image: ImageStart, isUsed: boolean): void {
  words[(image >> 2) + REFERENCED] = isUsed ? 1 : 0;
}

export function imageSizeBytes(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + SIZE];
}

/** Bytes allocated from the image's start; the rest is free. */
export function imageUsedBytes(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + USED];
}

export function setImageUsedBytes(words: Int32Array, image: ImageStart, usedBytes: number): void {
  words[(image >> 2) + USED] = usedBytes;
}

/** Bytes of nodes, sets and SOA states that later ones replaced. */
export function imageGarbageBytes(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + GARBAGE];
}

export function addGarbageBytes(words: Int32Array, image: ImageStart, bytes: number): void {
  words[(image >> 2) + GARBAGE] += bytes;
}

/** A set of bits of `imageHint`. */
export function imageHints(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + HINTS];
}

export function addImageHints(words: Int32Array, image: ImageStart, hints: number): void {
  words[(image >> 2) + HINTS] |= hints;
}

export function isSignedImage({ words, image }: ImagePlace): boolean {
  return (imageHints(words, image) & imageHint.signed) !== 0;
}

/** The kind of the chain; undefined if the zone is not signed. */
export function imageDenial(words: Int32Array, image: ImageStart): Denial | undefined {
  const hints = imageHints(words, image);
  if ((hints & imageHint.signed) === 0) return undefined;
  return (hints & imageHint.nsec3) === 0 ? 'nsec' : 'nsec3';
}

/** The newest state of the SOA record. */
export function newestSoaOffset(words: Int32Array, image: ImageStart): ImageOffset {
  return Atomics.load(words, (image >> 2) + SOA) as ImageOffset;
}

export function setNewestSoaOffset(words: Int32Array, image: ImageStart, offset: ImageOffset): void {
  Atomics.store(words, (image >> 2) + SOA, offset);
}

/** The serial of the newest SOA record. */
export function imageSerial(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + SERIAL] >>> 0;
}

export function setImageSerial(words: Int32Array, image: ImageStart, serial: number): void {
  words[(image >> 2) + SERIAL] = serial;
}

export function imageDomainId(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + DOMAIN_ID];
}

/** Octets of the apex name. */
export function imageApexLength(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + APEX_LENGTH];
}

/** Bytes from the start of the memory to the apex name. */
export function imageApexStart(image: ImageStart): number {
  return image + HEADER_BYTES;
}

/** Whether the suffix of `name` from `label` on is the image's apex. */
export function imageApexEquals(
  { words, bytes }: ImageMemory,
  image: ImageStart,
  name: NameScan,
  label: number,
): boolean {
  return suffixEquals(name, label, bytes, image + HEADER_BYTES, words[(image >> 2) + APEX_LENGTH]);
}

/** The first slot of the hash table. */
export function imageTable(words: Int32Array, image: ImageStart): SlotIndex {
  return ((image + words[(image >> 2) + TABLE]) >> 2) as SlotIndex;
}

/** The number of slots − 1; the number is a power of two. */
export function imageTableMask(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + TABLE_MASK];
}

export function setImageTable(
  words: Int32Array,
  image: ImageStart,
  offset: ImageOffset,
  slots: number,
): void {
  words[(image >> 2) + TABLE] = offset;
  words[(image >> 2) + TABLE_MASK] = slots - 1;
}

/** Names in the hash table, absent ones included. */
export function imageNames(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + TABLE_USED];
}

export function countName(words: Int32Array, image: ImageStart): void {
  words[(image >> 2) + TABLE_USED]++;
}

/** The newest state of the chain's index; 0 if the zone is not signed. */
export function newestChainOffset(words: Int32Array, image: ImageStart): ImageOffset {
  return Atomics.load(words, (image >> 2) + CHAIN) as ImageOffset;
}

export function setNewestChainOffset(words: Int32Array, image: ImageStart, offset: ImageOffset): void {
  Atomics.store(words, (image >> 2) + CHAIN, offset);
}

/** Names in the newest chain. */
export function chainedNames(words: Int32Array, image: ImageStart): number {
  return words[(image >> 2) + CHAINED_NAMES];
}

export function countChainedName(words: Int32Array, image: ImageStart, step: 1 | -1): void {
  words[(image >> 2) + CHAINED_NAMES] += step;
}

/** The latest run of signatures; for the writer. */
export function lastRunOffset(words: Int32Array, image: ImageStart): ImageOffset {
  return words[(image >> 2) + LAST_RUN] as ImageOffset;
}

export function setLastRunOffset(words: Int32Array, image: ImageStart, offset: ImageOffset): void {
  words[(image >> 2) + LAST_RUN] = offset;
}

/** Takes bytes of room that was counted before. */
export function allocateCounted(place: ImagePlace, bytes: number): ImageOffset {
  const offset = allocate(place, bytes);
  assert(offset !== 0, 'room is counted before it is taken');
  return offset;
}

/** Takes bytes (a multiple of 4) of the image's room; 0 if there are too few left. */
export function allocate({ words, image }: ImagePlace, bytes: number): ImageOffset {
  const used = words[(image >> 2) + USED];
  if (used + bytes > words[(image >> 2) + SIZE]) return 0;
  words[(image >> 2) + USED] = used + bytes;
  return used as ImageOffset;
}
