/**
 * Which domain names are hosted here, and where the images of the loaded ones stand: an open hash table inside the
 * zone space. Readers find the closest enclosing zone of a name without a lock; only the writer changes the table.
 *
 *     block: │ slots − 1, used slots, REMOVED, – │ slot: hash, second hash, image, – │ …
 *
 * The head stands in the place of slot 0, which looks removed to whoever comes by: so the table is as large as its
 * block, a power of two.
 */

import { assert } from '../base/assert.ts';
import { imageApexEquals } from './zone-image.ts';
import { secondHash, type NameScan } from './name-scan.ts';
import { directoryOffset, publishDirectory, type ZoneSpace } from './zone-space.ts';

const SLOT_WORDS = 4;
const EMPTY = 0;
/** Hosted, its image not in memory. */
export const NOT_LOADED = 1;
const REMOVED = 2;

const MIN_SLOTS = 64;
/** Filled beyond this share of its slots, the table is made anew. */
const MAX_FILL = 0.6;

/** What a look-up found; one object a reader, used again. */
export interface FoundZone {
  /** Byte offset of the image, `NOT_LOADED`, or 0 when no hosted zone encloses the name. */
  image: number;
  /** The name's label with which the zone's apex begins. */
  apexLabel: number;
}

/** The zone with the longest apex that encloses the name's suffix from `fromLabel` on. */
export function findZone(space: ZoneSpace, name: NameScan, fromLabel: number, found: FoundZone): void {
  const { words } = space;
  const table = directoryOffset(words) >> 2;
  for (let label = fromLabel; label <= name.labels; label++) {
    const slot = findSlot(space, table, name, label);
    if (slot === -1) continue;
    found.image = Atomics.load(words, slot + 2);
    if (found.image === REMOVED) continue;
    found.apexLabel = label;
    return;
  }
  found.image = 0;
}

/** Word index of the slot of the suffix from `label` on, or -1. */
function findSlot(space: ZoneSpace, table: number, name: NameScan, label: number): number {
  const { words, bytes } = space;
  const mask = words[table];
  const hash = name.hashes[label];
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const slot = table + i * SLOT_WORDS;
    const image = Atomics.load(words, slot + 2);
    if (image === EMPTY) return -1;
    if (image === REMOVED || words[slot] !== hash) continue;
    if (image === NOT_LOADED) {
      if (words[slot + 1] === secondHash(name, label)) return slot;
    } else if (imageApexEquals(words, bytes, image, name, label)) return slot;
  }
}

/** Bytes, a power of two, for a table with room for `names` names before it must grow. */
export function directorySize(names: number): number {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(MIN_SLOTS, (names + 1) / MAX_FILL)));
  return slots * SLOT_WORDS * 4;
}

/** True when one name more would fill the table too far. */
export function isDirectoryFull(space: ZoneSpace): boolean {
  const table = directoryOffset(space.words) >> 2;
  return space.words[table + 1] + 1 > (space.words[table] + 1) * MAX_FILL;
}

/** Makes the block at `offset`, of a power of two bytes, the directory, with all that the present one holds. */
export function moveDirectory(space: ZoneSpace, offset: number, sizeBytes: number): void {
  const { words } = space;
  const table = offset >> 2;
  const slots = sizeBytes / 4 / SLOT_WORDS;
  words.fill(0, table, table + slots * SLOT_WORDS);
  words[table] = slots - 1;
  words[table + 1] = 1;
  words[table + 2] = REMOVED;
  const former = directoryOffset(words) >> 2;
  const formerSlots = former === 0 ? 0 : words[former] + 1;
  for (let i = 0; i < formerSlots; i++) {
    const slot = former + i * SLOT_WORDS;
    const image = words[slot + 2];
    if (image !== EMPTY && image !== REMOVED) insertSlot(words, table, words[slot], words[slot + 1], image);
  }
  publishDirectory(words, offset);
}

/** Adds the suffix of `name` from `label` on as hosted. It must not be there yet, and there must be room. */
export function addToDirectory(space: ZoneSpace, name: NameScan, label: number): void {
  assert(!isDirectoryFull(space), 'room in the directory');
  const table = directoryOffset(space.words) >> 2;
  insertSlot(space.words, table, name.hashes[label], secondHash(name, label), NOT_LOADED);
}

/** The name's own zone: byte offset of its image, `NOT_LOADED`, or 0 when it is not hosted. */
export function imageOf(space: ZoneSpace, name: NameScan): number {
  const slot = findSlot(space, directoryOffset(space.words) >> 2, name, 0);
  return slot === -1 ? 0 : space.words[slot + 2];
}

/** Sets where the name's image stands, from the next query on. The name must be hosted. */
export function setImage(space: ZoneSpace, name: NameScan, image: number): void {
  const slot = findSlot(space, directoryOffset(space.words) >> 2, name, 0);
  assert(slot !== -1, 'the zone is in the directory');
  Atomics.store(space.words, slot + 2, image);
}

export function removeFromDirectory(space: ZoneSpace, name: NameScan): void {
  setImage(space, name, REMOVED);
}

/** A slot once taken keeps its place until the table is made anew, so that no reader's probe breaks off early. */
function insertSlot(words: Int32Array, table: number, hash: number, second: number, image: number): void {
  const mask = words[table];
  let i = hash & mask;
  let slot = table + i * SLOT_WORDS;
  while (words[slot + 2] !== EMPTY) {
    i = (i + 1) & mask;
    slot = table + i * SLOT_WORDS;
  }
  words[slot] = hash;
  words[slot + 1] = second;
  Atomics.store(words, slot + 2, image);
  words[table + 1]++;
}
