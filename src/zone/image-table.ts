/**
 * The hash table of an image's names: open addressing, a power of two slots. A slot refers to the newest node of its
 * name, from which the older ones are reached; a slot that was taken stays taken.
 *
 *     slot: │ hash │ newest node │
 */

import { nodeAt, nodeNameLength, nodeNameOffset } from './image-node.ts';
import type { ImageOffset, ImageStart, NodeIndex, SlotIndex } from './image-offsets.ts';
import type { NameScan } from './name-scan.ts';
import { countName, imageApexLength, imageTable, imageTableMask, type ImagePlace } from './zone-image.ts';

const HASH = 0;
const NEWEST = 1;
export const SLOT_WORDS = 2;

/** The slot of the suffix of `name`, which is in the zone, from `label` on; 0 if the image never held that name. */
export function findSlot(place: ImagePlace, name: NameScan, label: number): SlotIndex {
  const { words, image } = place;
  const hash = name.hashes[label];
  const mask = imageTableMask(words, image);
  const table = imageTable(words, image);
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const slot = (table + i * SLOT_WORDS) as SlotIndex;
    const newest = publishedNewest(words, slot);
    if (newest === 0) return 0;
    if (slotHash(words, slot) !== hash) continue;
    if (isNameOf(place, nodeAt(image, newest), name, label)) return slot;
  }
}

/** Whether the suffix of `name` from `label` on, which is in the zone, is the name of the node. */
export function isNameOf(place: ImagePlace, node: NodeIndex, name: NameScan, label: number): boolean {
  const { words, bytes, image } = place;
  const start = name.starts[label];
  const length = nodeNameLength(words, node);
  if (name.length - start - imageApexLength(words, image) !== length) return false;
  const nameAt = image + nodeNameOffset(words, node);
  for (let i = 0; i < length; i++) if (name.bytes[start + i] !== bytes[nameAt + i]) return false;
  return true;
}

export function slotHash(words: Int32Array, slot: SlotIndex): number {
  return words[slot + HASH];
}

/** The newest node of the slot's name, for readers; 0 if the slot is empty. */
export function publishedNewest(words: Int32Array, slot: SlotIndex): ImageOffset {
  return Atomics.load(words, slot + NEWEST) as ImageOffset;
}

/** Readers find `newest` from now on; its version says which of them see it. */
export function publishNewest(words: Int32Array, slot: SlotIndex, newest: ImageOffset): void {
  Atomics.store(words, slot + NEWEST, newest);
}

/** `publishedNewest()` for the one thread that writes. */
export function slotNewest(words: Int32Array, slot: SlotIndex): ImageOffset {
  return words[slot + NEWEST] as ImageOffset;
}

/** `publishNewest()` for an image that no reader sees yet. */
export function setSlotNewest(words: Int32Array, slot: SlotIndex, newest: ImageOffset): void {
  words[slot + NEWEST] = newest;
}

/** Takes an empty slot for a name that the table does not hold; its newest node must be set next. */
export function takeSlot({ words, image }: ImagePlace, hash: number): SlotIndex {
  const mask = imageTableMask(words, image);
  const table = imageTable(words, image);
  let i = hash & mask;
  while (words[table + i * SLOT_WORDS + NEWEST] !== 0) i = (i + 1) & mask;
  const slot = (table + i * SLOT_WORDS) as SlotIndex;
  words[slot + HASH] = hash;
  countName(words, image);
  return slot;
}

/** The place of a slot in the table, which stays the same as long as the image does. */
export function slotNumber(words: Int32Array, image: ImageStart, slot: SlotIndex): number {
  return (slot - imageTable(words, image)) / SLOT_WORDS;
}

export function slotOfNumber(words: Int32Array, image: ImageStart, number: number): SlotIndex {
  return (imageTable(words, image) + number * SLOT_WORDS) as SlotIndex;
}

/** The index after the last slot. */
export function tableEnd({ words, image }: ImagePlace): SlotIndex {
  return (imageTable(words, image) + (imageTableMask(words, image) + 1) * SLOT_WORDS) as SlotIndex;
}
