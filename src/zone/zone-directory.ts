/**
 * The directory of hosted domain names with the places of their images: an open hash table inside the zone space.
 * Readers find the closest enclosing zone of a name without a lock; only the writer changes the table.
 *
 *     block: │ slots − 1, used slots, REMOVED, – │ slot: hash, second hash, image, – │ …
 *
 * The head takes the place of slot 0 and looks like a removed name to a probe. So the table is as large as its block,
 * a power of two.
 */

import { assert } from '../base/assert.ts';
import { NO_IMAGE, type BlockOffset, type ImageStart } from './image-offsets.ts';
import { secondHash, type NameScan } from './name-scan.ts';
import { imageApexEquals } from './zone-image.ts';
import { directoryOffset, MAX_SPACE_BYTES, publishDirectory, type ZoneSpace } from './zone-space.ts';

/** In place of an image: the name is hosted, and its image is not in memory. */
export const NOT_LOADED = 1 as ImageStart;
const REMOVED = 2 as ImageStart;

// Words of the head.
const MASK = 0;
const USED_SLOTS = 1;
// Words of a slot.
const HASH = 0;
const SECOND_HASH = 1;
const IMAGE = 2;
const SLOT_WORDS = 4;

const MIN_SLOTS = 64;
/** When names take more than this share of the slots, the table grows. */
const MAX_FILL = 0.6;
/** When names and removed names take more than this share of the slots, the table is rebuilt. */
const MAX_USED = 0.85;

/** The result of `findZone()`; one object per reader, reused. */
export interface FoundZone {
  /** `NOT_LOADED` if the zone is hosted but not in memory, 0 if no hosted zone encloses the name. */
  image: ImageStart;
  /** The label of the name at which the zone's apex begins. */
  apexLabel: number;
}

/** Finds the zone with the longest apex that encloses the name's suffix from `fromLabel` on. */
export function findZone(space: ZoneSpace, name: NameScan, fromLabel: number, found: FoundZone): void {
  const { words } = space;
  const table = directoryOffset(words) >> 2;
  for (let label = fromLabel; label <= name.labels; label++) {
    const slot = findSlot(space, table, name, label);
    if (slot === -1) continue;
    found.image = slotImage(words, slot);
    if (found.image === REMOVED) continue;
    found.apexLabel = label;
    return;
  }
  found.image = NO_IMAGE;
}

/** Word index of the slot of the suffix from `label` on, or -1. */
function findSlot(space: ZoneSpace, table: number, name: NameScan, label: number): number {
  const { words } = space;
  const mask = words[table + MASK];
  const hash = name.hashes[label];
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const slot = table + i * SLOT_WORDS;
    const image = slotImage(words, slot);
    if (image === 0) return -1;
    if (image === REMOVED || words[slot + HASH] !== hash) continue;
    if (image === NOT_LOADED) {
      if (words[slot + SECOND_HASH] === secondHash(name, label)) return slot;
    } else if (imageApexEquals(space, image, name, label)) return slot;
  }
}

/** The slot's image, `NOT_LOADED`, `REMOVED`, or 0 if the slot is empty. */
function slotImage(words: Int32Array, slot: number): ImageStart {
  return Atomics.load(words, slot + IMAGE) as ImageStart;
}

/** Bytes, a power of two, of a table that holds `names` names before it must grow. */
export function directorySize(names: number): number {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(MIN_SLOTS, (names + 1) / MAX_FILL)));
  return slots * SLOT_WORDS * 4;
}

/**
 * The most names that a zone space of that size is to host: half of it may be the directory, the rest is for zones. 16 MiB
 * have room for 314,571 names, 512 MiB for ten million.
 */
export function maxHostedNames(sizeBytes: number): number {
  const slots = 2 ** Math.floor(Math.log2(sizeBytes / 2 / (SLOT_WORDS * 4)));
  // The head takes a slot.
  return Math.floor(slots * MAX_FILL) - 1;
}

/**
 * The size of a space for zones in `sizeBytes` and a directory of these names: more than `sizeBytes` only if the directory
 * would take more than half of it. Names beyond the largest space (60 million) find no room.
 */
export function spaceSize(sizeBytes: number, names: number): number {
  if (names <= maxHostedNames(sizeBytes)) return sizeBytes;
  return Math.min(sizeBytes + 2 * directorySize(names), MAX_SPACE_BYTES);
}

/** Whether the table has room for so many names more without growing. */
export function hasRoomFor(space: ZoneSpace, names: number): boolean {
  const { words } = space;
  const table = directoryOffset(words) >> 2;
  return words[table + USED_SLOTS] + names <= (words[table + MASK] + 1) * MAX_FILL;
}

/** @param names the names in the table */
export function isDirectoryFull(space: ZoneSpace, names: number): boolean {
  const table = directoryOffset(space.words) >> 2;
  const slots = space.words[table + MASK] + 1;
  return names + 2 > slots * MAX_FILL || space.words[table + USED_SLOTS] + 1 > slots * MAX_USED;
}

/** Copies the directory to the block at `offset`, whose size is a power of two, and shows it to readers there. */
export function moveDirectory(space: ZoneSpace, offset: BlockOffset, sizeBytes: number): void {
  const { words } = space;
  const table = offset >> 2;
  const slots = sizeBytes / 4 / SLOT_WORDS;
  words.fill(0, table, table + slots * SLOT_WORDS);
  words[table + MASK] = slots - 1;
  words[table + USED_SLOTS] = 1;
  words[table + IMAGE] = REMOVED;
  const former = directoryOffset(words) >> 2;
  const formerSlots = former === 0 ? 0 : words[former + MASK] + 1;
  for (let i = 0; i < formerSlots; i++) {
    const slot = former + i * SLOT_WORDS;
    const image = slotImage(words, slot);
    if (image !== 0 && image !== REMOVED)
      insertSlot(words, table, words[slot + HASH], words[slot + SECOND_HASH], image);
  }
  publishDirectory(words, offset);
}

/** Adds the suffix of `name` from `label` on as hosted. It must not be hosted yet, and there must be room. */
export function addToDirectory(space: ZoneSpace, name: NameScan, label: number): void {
  const table = directoryOffset(space.words) >> 2;
  insertSlot(space.words, table, name.hashes[label], secondHash(name, label), NOT_LOADED);
}

/**
 * Adds names as hosted, by their hashes, to a table that no reader sees yet and in which no zone is loaded. There must be room.
 * Slots of a large table are not in the processor's cache: without atomic stores, it fetches those of several names at once.
 *
 * @returns the number of names that were not hosted before
 */
export function addAllToDirectory(space: ZoneSpace, hashes: Int32Array, secondHashes: Int32Array): number {
  const { words } = space;
  const table = directoryOffset(words) >> 2;
  let added = 0;
  for (let i = 0; i < hashes.length; i++) {
    const slot = ownOrEmptySlot(words, table, hashes[i], secondHashes[i]);
    if (words[slot + IMAGE] !== 0) continue;
    words[slot + HASH] = hashes[i];
    words[slot + SECOND_HASH] = secondHashes[i];
    words[slot + IMAGE] = NOT_LOADED;
    added++;
  }
  words[table + USED_SLOTS] += added;
  return added;
}

/** The image of the zone whose apex is `name`; `NOT_LOADED`, or 0 if the name is not hosted. */
export function imageOf(space: ZoneSpace, name: NameScan): ImageStart {
  const slot = findSlot(space, directoryOffset(space.words) >> 2, name, 0);
  return slot === -1 ? NO_IMAGE : slotImage(space.words, slot);
}

/** Shows an image to readers from the next query on. The name must be hosted. */
export function setImage(space: ZoneSpace, name: NameScan, image: ImageStart): void {
  const slot = findSlot(space, directoryOffset(space.words) >> 2, name, 0);
  assert(slot !== -1, 'the zone is in the directory');
  Atomics.store(space.words, slot + IMAGE, image);
}

/** The name must be hosted. */
export function removeFromDirectory(space: ZoneSpace, name: NameScan): void {
  const { words } = space;
  const table = directoryOffset(words) >> 2;
  const mask = words[table + MASK];
  const slot = findSlot(space, table, name, 0);
  assert(slot !== -1, 'the zone is in the directory');
  Atomics.store(words, slot + IMAGE, REMOVED);
  // A probe ends at an empty slot, so removed names before one become empty slots again. Slot 0 is the head.
  let i = (slot - table) / SLOT_WORDS;
  if (slotImage(words, table + ((i + 1) & mask) * SLOT_WORDS) !== 0) return;
  for (; i !== 0 && slotImage(words, table + i * SLOT_WORDS) === REMOVED; i = (i - 1) & mask) {
    Atomics.store(words, table + i * SLOT_WORDS + IMAGE, 0);
    words[table + USED_SLOTS]--;
  }
}

/**
 * Takes the slot of a removed name, or an empty one. A reader that passes meanwhile sees the slot as removed or empty until
 * the image is stored, which is last.
 */
function insertSlot(words: Int32Array, table: number, hash: number, second: number, image: ImageStart): void {
  const mask = words[table + MASK];
  let i = hash & mask;
  while (i === 0 || !isFree(words, table + i * SLOT_WORDS)) i = (i + 1) & mask;
  const slot = table + i * SLOT_WORDS;
  if (words[slot + IMAGE] === 0) words[table + USED_SLOTS]++;
  words[slot + HASH] = hash;
  words[slot + SECOND_HASH] = second;
  Atomics.store(words, slot + IMAGE, image);
}

/** Word index of the slot of a name whose zone is not loaded, or of the empty slot that it gets. */
function ownOrEmptySlot(words: Int32Array, table: number, hash: number, second: number): number {
  const mask = words[table + MASK];
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const slot = table + i * SLOT_WORDS;
    const image = words[slot + IMAGE];
    if (image === 0) return slot;
    if (image === NOT_LOADED && words[slot + HASH] === hash && words[slot + SECOND_HASH] === second)
      return slot;
  }
}

function isFree(words: Int32Array, slot: number): boolean {
  const image = slotImage(words, slot);
  return image === 0 || image === REMOVED;
}
