/** Copies an image: the newest state of every name goes into a new image, without garbage. */

import { assert } from '../base/assert.ts';
import type { Steps } from '../base/steps.ts';
import { alignToWord } from './align-to-word.ts';
import {
  copyNodeFlags,
  isAbsent,
  nodeAt,
  nodeBytes,
  nodeChildren,
  nodeNameLength,
  nodeNameOffset,
  nodeSetCount,
  nodeSetOffset,
  nodeSetType,
  setNodeChildren,
  setNodeNameOffset,
  setNodeSet,
  setNodeVersion,
  setPreviousNode,
} from './image-node.ts';
import type { ImageOffset, NodeIndex, SetOffset, SlotIndex } from './image-offsets.ts';
import { setSlotNewest, SLOT_WORDS, slotHash, slotNewest, tableEnd, takeSlot } from './image-table.ts';
import { rrsetSizeBytes } from './record-set-block.ts';
import { soaAt, soaStateBytes, soaNegativeTtl, soaSetOffset, writeSoaState } from './soa-state.ts';
import {
  addImageHints,
  allocate,
  imageHints,
  imageSerial,
  imageTable,
  newestSoaOffset,
  setImageSerial,
  setNewestSoaOffset,
  type ImagePlace,
} from './zone-image.ts';

/** The words of 256 slots, which one step copies: up to 80 µs. */
const COPIED_WORDS = 256 * SLOT_WORDS;

/**
 * Copies the newest state of every name in `from` into the new image `to`, which must have room. The copy is at version
 * 1. Neither image may be changed before the last step.
 */
export function* copyImage(from: ImagePlace, to: ImagePlace): Steps<void> {
  const table = imageTable(from.words, from.image);
  const end = tableEnd(from);
  for (let at: number = table; at < end; at += COPIED_WORDS) {
    if (at !== table) yield;
    copySlots(from, at, Math.min(end, at + COPIED_WORDS), to);
  }
  const soa = newestSoaOffset(from.words, from.image);
  if (soa !== 0) copySoa(from, soa, to);
  addImageHints(to.words, to.image, imageHints(from.words, from.image));
  setImageSerial(to.words, to.image, imageSerial(from.words, from.image));
}

function copySlots(from: ImagePlace, first: number, end: number, to: ImagePlace): void {
  const { words, image } = from;
  for (let at = first; at < end; at += SLOT_WORDS) {
    const slot = at as SlotIndex;
    const newest = slotNewest(words, slot);
    if (newest === 0) continue;
    const node = nodeAt(image, newest);
    if (!isAbsent(words, node)) copyNode(from, node, slotHash(words, slot), to);
  }
}

function copySoa(from: ImagePlace, offset: ImageOffset, to: ImagePlace): void {
  const state = soaAt(from.image, offset);
  const at = allocate(to, soaStateBytes(to.words, to.image));
  assert(at !== 0, 'room for a copied SOA state');
  writeSoaState(to.words, soaAt(to.image, at), {
    version: 1,
    previous: 0,
    set: copySet(from, soaSetOffset(from.words, state), to),
    negativeTtl: soaNegativeTtl(from.words, state),
  });
  setNewestSoaOffset(to.words, to.image, at);
}

function copyNode(from: ImagePlace, node: NodeIndex, hash: number, to: ImagePlace): void {
  const { words } = to;
  const count = nodeSetCount(from.words, node);
  const at = allocate(to, nodeBytes(count));
  assert(at !== 0, 'room for a copied node');
  const copy = nodeAt(to.image, at);
  setNodeVersion(words, copy, 1);
  setPreviousNode(words, copy, 0);
  copyNodeFlags(words, copy, from.words, node);
  setNodeChildren(words, copy, nodeChildren(from.words, node));
  const name = nodeNameOffset(from.words, node);
  setNodeNameOffset(words, copy, appendBytes(from, name, nodeNameLength(from.words, node), to));
  for (let i = 0; i < count; i++) {
    const set = copySet(from, nodeSetOffset(from.words, node, i), to);
    setNodeSet(words, copy, i, nodeSetType(from.words, node, i), set);
  }
  setSlotNewest(words, takeSlot(to, hash), at);
}

function copySet(from: ImagePlace, offset: ImageOffset, to: ImagePlace): ImageOffset {
  const size = rrsetSizeBytes(from.words, (from.image + offset) as SetOffset);
  return appendBytes(from, offset, size, to);
}

function appendBytes(from: ImagePlace, offset: ImageOffset, length: number, to: ImagePlace): ImageOffset {
  const at = allocate(to, alignToWord(length));
  assert(at !== 0, 'room for a copy');
  const start = from.image + offset;
  to.bytes.set(from.bytes.subarray(start, start + length), to.image + at);
  return at;
}
