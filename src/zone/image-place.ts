/** An image as a stretch of memory that fills up from its start: making one, and taking room in it. */

import { assert } from '../base/assert.ts';
import type { DomainName } from '../dns/name.ts';
import type { Steps } from '../base/steps.ts';
import { header, HEADER_BYTES, TABLE_SLOT_WORDS } from './zone-image.ts';

const MIN_TABLE_SLOTS = 8;
/** Names fill at most this share of the table's slots. */
const MAX_TABLE_FILL = 0.7;
/** Of a table, cleared in one step: some 50 µs. */
const CLEARED_WORDS = 65_536;

/** An image and the memory it stands in. */
export interface ImagePlace {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  /** Byte offset of the image, a multiple of 4. */
  readonly image: number;
}

/** Makes an image with nothing but the apex. Its version is 1. Whatever stood in the place is overwritten. */
export function* createImage(
  place: ImagePlace,
  sizeBytes: number,
  apex: DomainName,
  domainId: number,
  names: number,
): Steps<void> {
  const { words, bytes, image } = place;
  const base = image >> 2;
  const tableSlots = tableSlotsFor(names);
  words.fill(0, base, base + HEADER_BYTES / 4);
  words[base + header.version] = 1;
  words[base + header.size] = sizeBytes;
  words[base + header.domainId] = domainId;
  words[base + header.apexLength] = apex.length;
  bytes.set(apex, image + HEADER_BYTES);
  words[base + header.used] = HEADER_BYTES + align(apex.length);
  const table = allocate(place, tableSlots * TABLE_SLOT_WORDS * 4);
  assert(table !== 0, 'room for the table');
  words[base + header.table] = table;
  words[base + header.tableMask] = tableSlots - 1;
  const end = ((image + table) >> 2) + tableSlots * TABLE_SLOT_WORDS;
  for (let at = (image + table) >> 2; at < end; at += CLEARED_WORDS) {
    words.fill(0, at, Math.min(end, at + CLEARED_WORDS));
    if (at + CLEARED_WORDS < end) yield;
  }
}

/** Bytes to hold `contentBytes` (as of `liveBytes`) and a table for `names` names. */
export function imageSize(contentBytes: number, names: number): number {
  return Math.ceil(contentBytes) + tableSlotsFor(names) * TABLE_SLOT_WORDS * 4;
}

/** Bytes in use without what nobody sees any more, and without the table. */
export function liveBytes({ words, image }: ImagePlace): number {
  const base = image >> 2;
  const tableBytes = (words[base + header.tableMask] + 1) * TABLE_SLOT_WORDS * 4;
  return words[base + header.used] - words[base + header.garbage] - tableBytes;
}

export function imageNames({ words, image }: ImagePlace): number {
  return words[(image >> 2) + header.tableUsed];
}

/** Bytes that are left. */
export function room({ words, image }: ImagePlace): number {
  const base = image >> 2;
  return words[base + header.size] - words[base + header.used];
}

/** Whether so many names more still leave the table with empty slots enough. */
export function hasRoomForNames({ words, image }: ImagePlace, names: number): boolean {
  const base = image >> 2;
  const most = Math.max((words[base + header.tableMask] + 1) * MAX_TABLE_FILL, MIN_TABLE_SLOTS - 1);
  return words[base + header.tableUsed] + names <= most;
}

function tableSlotsFor(names: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(MIN_TABLE_SLOTS, (names + 1) / MAX_TABLE_FILL)));
}

/** Takes bytes of the image's room. @returns where they are, from the image's start, or 0 when there is no room */
export function allocate(place: ImagePlace, size: number): number {
  const base = place.image >> 2;
  const at = place.words[base + header.used];
  if (at + size > place.words[base + header.size]) return 0;
  place.words[base + header.used] = at + size;
  return at;
}

export function align(size: number): number {
  return (size + 3) & ~3;
}
