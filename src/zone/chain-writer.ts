/**
 * Adds names to the chain of a signed zone and removes them. What no reader can see, because it is of the version that is
 * being written, changes in place; everything else is copied.
 */

import { assert } from '../base/assert.ts';
import {
  appendBlock,
  appendList,
  blockBytes,
  blockBytesLimit,
  blockCapacity,
  blockCount,
  blockPrefixLength,
  blockPrevious,
  blockSlot,
  blockVersion,
  copyBlockEntries,
  copyListEntries,
  findBlock,
  findList,
  listBytes,
  listCapacity,
  listCount,
  listPrevious,
  listVersion,
  MAX_BLOCK_BYTES,
  MAX_BLOCK_NAMES,
  MAX_PREFIX_OCTETS,
  NEWEST_VERSION,
  nodeOfSlot,
  publishBlock,
  setBlockCount,
  setBlockKey,
  setBlockPrefixLength,
  setBlockSlot,
  setListCount,
  setListEntry,
  sharedPrefix,
  type BlockIndex,
  type ListIndex,
} from './chain-blocks.ts';
import { ChainCursor } from './chain-cursor.ts';
import { ChainKey } from './chain-key.ts';
import type { ImageOffset, NodeIndex, SlotIndex } from './image-offsets.ts';
import { slotNumber } from './image-table.ts';
import { addGarbageBytes, countChainedName, setNewestChainOffset, type ImagePlace } from './zone-image.ts';

// One thread writes, one name at a time.
const cursor = new ChainCursor();
const other = new ChainKey();

/** Bytes that adding or removing one name takes at most. */
export function chainSizeLimit({ words, image }: ImagePlace): number {
  const list = findList(words, image, NEWEST_VERSION);
  const count = list === 0 ? 0 : listCount(words, list);
  const listLimit = listBytes(largerList(count));
  if (list === 0 || count === 0) return listLimit + blockBytesLimit(largerBlock(0));
  const names = blockCount(words, findBlock(words, image, NEWEST_VERSION, list, 0));
  if (count > 1 || names === MAX_BLOCK_NAMES) return listLimit + 2 * MAX_BLOCK_BYTES;
  return listLimit + blockBytesLimit(largerBlock(names));
}

/** Adds the name of a node, which is the newest of its slot, valid from `version` on. */
export function addToChain(place: ImagePlace, version: number, slot: SlotIndex, node: NodeIndex): void {
  const { words, image } = place;
  const number = slotNumber(words, image, slot);
  cursor.key.setNode(place, node);
  cursor.find(place, version);
  countChainedName(words, image, 1);
  const isFull = cursor.block !== 0 && blockCount(words, cursor.block) === MAX_BLOCK_NAMES;
  // Names that come in order fill the blocks.
  if (cursor.block === 0 || (isFull && cursor.entry === MAX_BLOCK_NAMES - 1)) {
    addBlock(place, version, number, isFull ? MAX_BLOCK_NAMES : largerBlock(0));
    return;
  }
  if (isFull) {
    splitBlock(place, version);
    cursor.find(place, version);
  }
  insertEntry(place, version, number);
}

/** Removes the name of a node, which is the newest of its slot, from `version` on. */
export function removeFromChain(place: ImagePlace, version: number, slot: SlotIndex, node: NodeIndex): void {
  const { words, image } = place;
  cursor.key.setNode(place, node);
  const isFound = cursor.find(place, version);
  const { block, entry } = cursor;
  const number = slotNumber(words, image, slot);
  assert(isFound && blockSlot(words, block, entry) === number, 'a chained name is in the chain');
  countChainedName(words, image, -1);
  const count = blockCount(words, block);
  if (count === 1) {
    removeFromList(place, version, cursor.blockAt);
    return;
  }
  const target = blockVersion(words, block) === version ? block : copyBlock(place, version, count, entry);
  copyBlockEntries(words, block, entry + 1, count - entry - 1, target, entry);
  setBlockCount(words, target, count - 1);
}

/** Adds a block with the cursor's name alone, after the cursor's block. */
function addBlock(place: ImagePlace, version: number, number: number, capacity: number): void {
  const { words } = place;
  const { key } = cursor;
  const block = appendBlock(place, version, 0, capacity, key, Math.min(key.length, MAX_PREFIX_OCTETS));
  setBlockCount(words, block, 1);
  setBlockSlot(words, block, 0, number);
  setBlockKey(words, block, 0, key);
  insertIntoList(place, version, cursor.block === 0 ? 0 : cursor.blockAt + 1, block, key);
}

/** Inserts the cursor's name after the cursor, into a block that is not full. */
function insertEntry(place: ImagePlace, version: number, number: number): void {
  const { words } = place;
  const { block, key } = cursor;
  const at = cursor.entry + 1;
  const count = blockCount(words, block);
  const shared = sharedPrefix(place, block, key);
  const isWritable = blockVersion(words, block) === version && count < blockCapacity(words, block);
  const target = isWritable ? block : copyBlock(place, version, largerBlock(count), at);
  copyBlockEntries(words, block, at, count - at, target, at + 1);
  setBlockSlot(words, target, at, number);
  setBlockCount(words, target, count + 1);
  if (shared === blockPrefixLength(words, target)) setBlockKey(words, target, at, key);
  else {
    setBlockPrefixLength(words, target, shared);
    for (let i = 0; i <= count; i++) setBlockKey(words, target, i, keyOfEntry(place, target, i));
  }
}

/** Replaces the cursor's block by a copy of its first `count` entries. */
function copyBlock(place: ImagePlace, version: number, capacity: number, count: number): BlockIndex {
  const { words, image } = place;
  const { block } = cursor;
  const isSeen = blockVersion(words, block) !== version;
  const previous = isSeen ? ((block * 4 - image) as ImageOffset) : blockPrevious(words, block);
  const prefixLength = blockPrefixLength(words, block);
  const copy = appendBlock(place, version, previous, capacity, keyOfEntry(place, block, 0), prefixLength);
  copyBlockEntries(words, block, 0, count, copy, 0);
  publishBlock(words, cursor.list, cursor.blockAt, (copy * 4 - image) as ImageOffset);
  addGarbageBytes(words, image, blockBytes(words, block));
  return copy;
}

/** Moves the second half of the cursor's block to a block of its own. */
function splitBlock(place: ImagePlace, version: number): void {
  const { words } = place;
  const { block, blockAt } = cursor;
  const half = MAX_BLOCK_NAMES / 2;
  const key = keyOfEntry(place, block, half);
  const prefixLength = blockPrefixLength(words, block);
  const second = appendBlock(place, version, 0, MAX_BLOCK_NAMES, key, prefixLength);
  copyBlockEntries(words, block, half, half, second, 0);
  setBlockCount(words, second, half);
  insertIntoList(place, version, blockAt + 1, second, key);
  if (blockVersion(words, block) === version) setBlockCount(words, block, half);
  else setBlockCount(words, copyBlock(place, version, MAX_BLOCK_NAMES, half), half);
}

function insertIntoList(
  place: ImagePlace,
  version: number,
  at: number,
  block: BlockIndex,
  key: ChainKey,
): void {
  const { words, image } = place;
  const list = writableList(place, version);
  const count = listCount(words, list);
  copyListEntries(words, list, at, count - at, list, at + 1);
  setListEntry(words, list, at, key, (block * 4 - image) as ImageOffset);
  setListCount(words, list, count + 1);
}

function removeFromList(place: ImagePlace, version: number, at: number): void {
  const { words, image } = place;
  const { block } = cursor;
  const list = writableList(place, version);
  const count = listCount(words, list);
  copyListEntries(words, list, at + 1, count - at - 1, list, at);
  setListCount(words, list, count - 1);
  addGarbageBytes(words, image, blockBytes(words, block));
}

/** The cursor's list, or a copy of it that no reader sees, with room for another entry. */
function writableList(place: ImagePlace, version: number): ListIndex {
  const { words, image } = place;
  const { list } = cursor;
  if (list === 0) cursor.list = appendList(place, version, 0, largerList(0));
  else {
    const count = listCount(words, list);
    const isSeen = listVersion(words, list) !== version;
    if (!isSeen && count < listCapacity(words, list)) return list;
    const previous = isSeen ? ((list * 4 - image) as ImageOffset) : listPrevious(words, list);
    cursor.list = appendList(place, version, previous, largerList(count));
    copyListEntries(words, list, 0, count, cursor.list, 0);
    setListCount(words, cursor.list, count);
    addGarbageBytes(words, image, listBytes(listCapacity(words, list)));
  }
  setNewestChainOffset(words, image, (cursor.list * 4 - image) as ImageOffset);
  return cursor.list;
}

/** The key of a name that is in the newest chain. */
function keyOfEntry(place: ImagePlace, block: BlockIndex, at: number): ChainKey {
  const { words, image } = place;
  other.setNode(place, nodeOfSlot(words, image, NEWEST_VERSION, blockSlot(words, block, at)));
  return other;
}

/** A block of a copied chain, which a loading zone goes on to fill, is copied once and then has room until it is split. */
function largerBlock(names: number): number {
  return Math.min(MAX_BLOCK_NAMES, names + (names >> 2) + 8);
}

function largerList(blocks: number): number {
  return blocks + (blocks >> 2) + 1;
}
