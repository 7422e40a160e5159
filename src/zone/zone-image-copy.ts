/**
 * Copies an image: the newest state of every name goes into a new image, without garbage. The names of a chain are copied
 * first, in its order.
 */

import { assert } from '../base/assert.ts';
import type { Steps } from '../base/steps.ts';
import { alignToWord } from './align-to-word.ts';
import { copyChain } from './chain-copy.ts';
import {
  copyNodeFlags,
  isAbsent,
  isChained,
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
import { copySigning, nodeSigningBytes } from './owner-signing.ts';
import { rrsetSizeBytes } from './record-set-block.ts';
import { copySignatures } from './signature-list.ts';
import {
  setSoaSignaturesBytes,
  soaAt,
  soaFirstSignature,
  soaNegativeTtl,
  soaSetOffset,
  soaSignaturesBytes,
  soaStateBytes,
  writeSoaState,
} from './soa-state.ts';
import {
  addImageHints,
  allocate,
  imageHints,
  imageSerial,
  imageTable,
  isSignedImage,
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
  const copying: Copying = { from, to, runs: new Map() };
  addImageHints(to.words, to.image, imageHints(from.words, from.image));
  const isSigned = isSignedImage(from);
  if (isSigned) yield* copyChain(from, to, (node, slot) => copyNode(copying, node, slot));
  const table = imageTable(from.words, from.image);
  const end = tableEnd(from);
  for (let at: number = table; at < end; at += COPIED_WORDS) {
    if (at !== table) yield;
    copySlots(copying, at, Math.min(end, at + COPIED_WORDS));
  }
  const soa = newestSoaOffset(from.words, from.image);
  if (soa !== 0) copySoa(copying, soa);
  setImageSerial(to.words, to.image, imageSerial(from.words, from.image));
}

interface Copying {
  readonly from: ImagePlace;
  readonly to: ImagePlace;
  /** Offsets of the copies of runs of signatures by those of the originals. */
  readonly runs: Map<number, ImageOffset>;
}

/** Copies the names that are not in the chain. */
function copySlots(copying: Copying, first: number, end: number): void {
  const { words, image } = copying.from;
  for (let at = first; at < end; at += SLOT_WORDS) {
    const slot = at as SlotIndex;
    const newest = slotNewest(words, slot);
    if (newest === 0) continue;
    const node = nodeAt(image, newest);
    if (!isAbsent(words, node) && !isChained(words, node)) copyNode(copying, node, slot);
  }
}

function copySoa({ from, to, runs }: Copying, offset: ImageOffset): void {
  const state = soaAt(from.image, offset);
  const signaturesBytes = soaSignaturesBytes(from, state);
  const at = allocate(to, soaStateBytes(to) + signaturesBytes);
  assert(at !== 0, 'room for a copied SOA state');
  const copy = soaAt(to.image, at);
  writeSoaState(to.words, copy, {
    version: 1,
    previous: 0,
    set: copySet(from, soaSetOffset(from.words, state), to),
    negativeTtl: soaNegativeTtl(from.words, state),
  });
  if (isSignedImage(to)) {
    const first = setSoaSignaturesBytes(to.words, copy, signaturesBytes);
    const signature = soaFirstSignature(from.words, state);
    if (signature !== 0) copySignatures(from, signature, to, first, runs);
  }
  setNewestSoaOffset(to.words, to.image, at);
}

/** @returns the slot of the copy */
function copyNode({ from, to, runs }: Copying, node: NodeIndex, slot: SlotIndex): SlotIndex {
  const { words } = to;
  const count = nodeSetCount(from.words, node);
  // Right before the node, as in the original.
  const nameAt = appendBytes(from, nodeNameOffset(from.words, node), nodeNameLength(from.words, node), to);
  const at = allocate(to, nodeBytes(count) + nodeSigningBytes(from.words, from.image, node));
  assert(at !== 0, 'room for a copied node');
  const copy = nodeAt(to.image, at);
  setNodeVersion(words, copy, 1);
  setPreviousNode(words, copy, 0);
  copyNodeFlags(words, copy, from.words, node);
  setNodeChildren(words, copy, nodeChildren(from.words, node));
  setNodeNameOffset(words, copy, nameAt);
  for (let i = 0; i < count; i++) {
    const set = copySet(from, nodeSetOffset(from.words, node, i), to);
    setNodeSet(words, copy, i, nodeSetType(from.words, node, i), set);
  }
  copySigning(from, node, to, copy, runs);
  const taken = takeSlot(to, slotHash(from.words, slot));
  setSlotNewest(words, taken, at);
  return taken;
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
