/** Copies the chain of a signed zone to another image, in full blocks. */

import { assert } from '../base/assert.ts';
import type { Steps } from '../base/steps.ts';
import {
  appendBlock,
  appendList,
  blockSlot,
  commonPrefix,
  COPIED_BLOCK_NAMES,
  listCount,
  NEWEST_VERSION,
  setBlockCount,
  setBlockKey,
  setBlockSlot,
  setListCount,
  setListEntry,
  type ListIndex,
} from './chain-blocks.ts';
import { ChainCursor } from './chain-cursor.ts';
import { ChainKey } from './chain-key.ts';
import { nodeAt } from './image-node.ts';
import type { ImageOffset, NodeIndex, SlotIndex } from './image-offsets.ts';
import { slotNewest, slotNumber, slotOfNumber } from './image-table.ts';
import { chainedNames, countChainedName, setNewestChainOffset, type ImagePlace } from './zone-image.ts';

// Keys of names that are compared; in use within one step.
const first = new ChainKey();
const last = new ChainKey();

/**
 * Copies the newest chain, with one block per step: up to 80 µs.
 *
 * @param copyNode copies a node of `from`, given with its slot, and returns the slot of the copy
 */
export function* copyChain(
  from: ImagePlace,
  to: ImagePlace,
  copyNode: (node: NodeIndex, slot: SlotIndex) => SlotIndex,
): Steps<void> {
  const { words, image } = from;
  const names = chainedNames(words, image);
  const cursor = new ChainCursor();
  if (!cursor.first(from, NEWEST_VERSION)) return;
  const list = appendList(to, 1, 0, Math.ceil(names / COPIED_BLOCK_NAMES));
  setNewestChainOffset(to.words, to.image, (list * 4 - to.image) as ImageOffset);
  for (let copied = 0; copied < names;) {
    const slots: SlotIndex[] = [];
    for (; slots.length < COPIED_BLOCK_NAMES && copied < names; copied++) {
      const slot = slotOfNumber(words, image, blockSlot(words, cursor.block, cursor.entry));
      slots.push(copyNode(nodeAt(image, slotNewest(words, slot)), slot));
      cursor.next(from);
    }
    copyBlock(to, list, slots);
    yield;
  }
  assert(cursor.blockAt === 0 && cursor.entry === 0, 'all names of the chain are copied');
}

/** Appends a block with the names of these slots to the chain. */
function copyBlock(to: ImagePlace, list: ListIndex, slots: readonly SlotIndex[]): void {
  const { words, image } = to;
  setKey(first, to, slots[0]);
  setKey(last, to, slots[slots.length - 1]);
  const block = appendBlock(to, 1, 0, slots.length, first, commonPrefix(first, last));
  setBlockCount(words, block, slots.length);
  const at = listCount(words, list);
  setListEntry(words, list, at, first, (block * 4 - image) as ImageOffset);
  setListCount(words, list, at + 1);
  slots.forEach((slot, i) => {
    setKey(last, to, slot);
    setBlockSlot(words, block, i, slotNumber(words, image, slot));
    setBlockKey(words, block, i, last);
    countChainedName(words, image, 1);
  });
}

function setKey(key: ChainKey, place: ImagePlace, slot: SlotIndex): void {
  key.setNode(place, nodeAt(place.image, slotNewest(place.words, slot)));
}
