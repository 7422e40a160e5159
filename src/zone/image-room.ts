/** Creating an image, and how much an image has room for. */

import { assert } from '../base/assert.ts';
import type { Steps } from '../base/steps.ts';
import { chainSpareBytes } from './chain-blocks.ts';
import { SLOT_WORDS, tableEnd } from './image-table.ts';
import {
  allocate,
  chainedNames,
  imageGarbageBytes,
  imageNames,
  imageSizeBytes,
  imageTable,
  imageTableMask,
  imageUsedBytes,
  setImageTable,
  writeHeader,
  type ImagePlace,
  type ZoneIdentity,
} from './zone-image.ts';

const MIN_TABLE_SLOTS = 8;
/** Names fill at most this share of the table's slots. */
const MAX_TABLE_FILL = 0.7;
/** Words of the table cleared in one step: some 50 µs. */
const CLEARED_WORDS = 65_536;

/** Creates an image that contains only the apex name, at version 1; overwrites the memory at its place. */
export function* createImage(
  place: ImagePlace,
  zone: ZoneIdentity,
  sizeBytes: number,
  names: number,
): Steps<void> {
  const { words, image } = place;
  writeHeader(place, zone, sizeBytes);
  const slots = tableSlotsFor(names);
  const offset = allocate(place, slots * SLOT_WORDS * 4);
  assert(offset !== 0, 'room for the table');
  setImageTable(words, image, offset, slots);
  const end = tableEnd(place);
  for (let at: number = imageTable(words, image); at < end; at += CLEARED_WORDS) {
    words.fill(0, at, Math.min(end, at + CLEARED_WORDS));
    if (at + CLEARED_WORDS < end) yield;
  }
}

/** Bytes of an image that holds `contentBytes` (counted as in `liveBytes`) and a table for `names` names. */
export function imageBytesFor(contentBytes: number, names: number): number {
  return Math.ceil(contentBytes) + tableSlotsFor(names) * SLOT_WORDS * 4;
}

/** Bytes in use, without the table and without garbage; at least as many as a copy takes. */
export function liveBytes({ words, image }: ImagePlace): number {
  const tableBytes = (imageTableMask(words, image) + 1) * SLOT_WORDS * 4;
  const spareBytes = chainSpareBytes(chainedNames(words, image));
  return imageUsedBytes(words, image) - imageGarbageBytes(words, image) - tableBytes + spareBytes;
}

/** Bytes that are free. */
export function room({ words, image }: ImagePlace): number {
  return imageSizeBytes(words, image) - imageUsedBytes(words, image);
}

/** Whether `names` more names leave enough slots of the table empty. */
export function hasRoomForNames({ words, image }: ImagePlace, names: number): boolean {
  const slots = imageTableMask(words, image) + 1;
  return imageNames(words, image) + names <= Math.max(slots * MAX_TABLE_FILL, MIN_TABLE_SLOTS - 1);
}

function tableSlotsFor(names: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(MIN_TABLE_SLOTS, (names + 1) / MAX_TABLE_FILL)));
}
