/**
 * The index of a signed zone's chain: all names that own an NSEC or NSEC3 record, in order, in blocks behind a list of
 * blocks. It finds the record that covers a name that does not exist.
 *
 *     list:  │ version │ previous list │ count │ capacity │ key, block │ key, block │ …
 *     block: │ version │ previous block │ count, capacity │ lengths of prefix and keys │ prefix │ keys │ slots │
 *
 * A block's keys are octets after the prefix that all its names share, and most comparisons end there: eight of a name, and
 * four of a hash, which differs from the others of its block in its first octets. A slot, by its number in the hash table,
 * leads to the name's nodes. The key of the list is the beginning of what was the first
 * name of the block when the block became part of the list.
 *
 * Like all of an image, lists and blocks that a reader could see do not change, except that the list of the newest
 * version refers to the newest state of each block.
 */

import { alignToWord } from './align-to-word.ts';
import type { ChainKey } from './chain-key.ts';
import { nodeAt, nodeVersion, previousNode } from './image-node.ts';
import type { ImageOffset, ImageStart, NodeIndex } from './image-offsets.ts';
import { publishedNewest, slotOfNumber } from './image-table.ts';
import { allocateCounted, imageDenial, newestChainOffset, type ImagePlace } from './zone-image.ts';

declare const listIndex: unique symbol;
declare const blockIndex: unique symbol;
/** Index into the words of the memory: a list of blocks; 0: none. */
export type ListIndex = 0 | (number & { readonly [listIndex]: true });
/** Index into the words of the memory: a block of a chain; 0: none. */
export type BlockIndex = 0 | (number & { readonly [blockIndex]: true });

/** In place of a version: whatever is the newest. */
export const NEWEST_VERSION = 0x7fffffff;

/** Seven steps of a search. A change of the chain copies a block, at most 1.6 KB with NSEC and 1.1 KB with NSEC3. */
export const MAX_BLOCK_NAMES = 128;
/** A copied block has room for a third more names before it is split. */
export const COPIED_BLOCK_NAMES = 96;
/** A longer prefix would save comparisons only among names that are longer still. */
export const MAX_PREFIX_OCTETS = 60;

// Words of lists and blocks.
const VERSION = 0;
const PREVIOUS = 1;
const COUNT = 2;
const CAPACITY = 3;
const ENTRIES = 4;
const LIST_ENTRY_WORDS = 4;
const LIST_KEY_WORDS = 3;
const LENGTHS = 3;
const PREFIX = 4;
const NAME_KEY_WORDS = 2;
const HASH_KEY_WORDS = 1;
const CAPACITY_SHIFT = 16;

// Parts of the word of lengths, above the octets of the prefix.
const PREFIX_WORDS_SHIFT = 16;
const MAX_PREFIX_WORDS = 0xff;
const KEY_WORDS_SHIFT = 24;

export const MAX_BLOCK_BYTES = blockBytesLimit(MAX_BLOCK_NAMES);

/**
 * Bytes that a copy of a chain may take beyond what its entries take: it has blocks that are less full than the original's,
 * so that it has more of them.
 */
export function chainSpareBytes(names: number): number {
  return names === 0 ? 0 : Math.ceil(names / COPIED_BLOCK_NAMES) * (blockBytesLimit(0) + listBytes(1));
}

export function listBytes(capacity: number): number {
  return (ENTRIES + capacity * LIST_ENTRY_WORDS) * 4;
}

/** Bytes that a block takes at most. */
export function blockBytesLimit(capacity: number): number {
  return (PREFIX + capacity * (NAME_KEY_WORDS + 1)) * 4 + MAX_PREFIX_OCTETS;
}

export function blockBytes(words: Int32Array, block: BlockIndex): number {
  return (slotsIndex(words, block) + blockCapacity(words, block) - block) * 4;
}

/** The list that is valid in `version`; 0 if the zone is not signed. */
export function findList(words: Int32Array, image: ImageStart, version: number): ListIndex {
  let offset: number = newestChainOffset(words, image);
  while (offset !== 0) {
    const list = (image + offset) >> 2;
    if (words[list + VERSION] <= version) return list as ListIndex;
    offset = words[list + PREVIOUS];
  }
  return 0;
}

export function listVersion(words: Int32Array, list: ListIndex): number {
  return words[list + VERSION];
}

export function listPrevious(words: Int32Array, list: ListIndex): ImageOffset {
  return words[list + PREVIOUS] as ImageOffset;
}

export function listCount(words: Int32Array, list: ListIndex): number {
  return words[list + COUNT];
}

export function setListCount(words: Int32Array, list: ListIndex, count: number): void {
  words[list + COUNT] = count;
}

export function listCapacity(words: Int32Array, list: ListIndex): number {
  return words[list + CAPACITY];
}

/** An empty list. */
export function appendList(
  place: ImagePlace,
  version: number,
  previous: ImageOffset,
  capacity: number,
): ListIndex {
  const { words, image } = place;
  const list = (image + allocateCounted(place, listBytes(capacity))) >> 2;
  words[list + VERSION] = version;
  words[list + PREVIOUS] = previous;
  words[list + COUNT] = 0;
  words[list + CAPACITY] = capacity;
  return list as ListIndex;
}

/** Copies `count` entries of a list into the same or another list. */
export function copyListEntries(
  words: Int32Array,
  from: ListIndex,
  first: number,
  count: number,
  to: ListIndex,
  at: number,
): void {
  const start = from + ENTRIES + first * LIST_ENTRY_WORDS;
  words.copyWithin(to + ENTRIES + at * LIST_ENTRY_WORDS, start, start + count * LIST_ENTRY_WORDS);
}

/** Sets an entry of a list that no reader sees; `key` is that of the block's first name. */
export function setListEntry(
  words: Int32Array,
  list: ListIndex,
  at: number,
  key: ChainKey,
  block: ImageOffset,
): void {
  const entry = list + ENTRIES + at * LIST_ENTRY_WORDS;
  for (let i = 0; i < LIST_KEY_WORDS; i++) words[entry + i] = key.word(4 * i);
  words[entry + LIST_KEY_WORDS] = block;
}

/** The first word of the key of entry `at`; two more follow. */
export function listKeyIndex(list: ListIndex, at: number): number {
  return list + ENTRIES + at * LIST_ENTRY_WORDS;
}

/** Readers find `block` from now on; its version says which of them see it. */
export function publishBlock(words: Int32Array, list: ListIndex, at: number, block: ImageOffset): void {
  Atomics.store(words, list + ENTRIES + at * LIST_ENTRY_WORDS + LIST_KEY_WORDS, block);
}

/** The state of a block of the list that is valid in `version`. */
export function findBlock(
  words: Int32Array,
  image: ImageStart,
  version: number,
  list: ListIndex,
  at: number,
): BlockIndex {
  let offset = Atomics.load(words, list + ENTRIES + at * LIST_ENTRY_WORDS + LIST_KEY_WORDS);
  while (offset !== 0) {
    const block = (image + offset) >> 2;
    if (words[block + VERSION] <= version) return block as BlockIndex;
    offset = words[block + PREVIOUS];
  }
  return 0;
}

/** An empty block. */
export function appendBlock(
  place: ImagePlace,
  version: number,
  previous: ImageOffset,
  capacity: number,
  prefix: ChainKey,
  prefixLength: number,
): BlockIndex {
  const { words, bytes, image } = place;
  const keyWords = imageDenial(words, image) === 'nsec3' ? HASH_KEY_WORDS : NAME_KEY_WORDS;
  const prefixWords = alignToWord(prefixLength) / 4;
  const sizeBytes = (PREFIX + prefixWords + capacity * (keyWords + 1)) * 4;
  const block = ((image + allocateCounted(place, sizeBytes)) >> 2) as BlockIndex;
  words[block + VERSION] = version;
  words[block + PREVIOUS] = previous;
  words[block + COUNT] = capacity << CAPACITY_SHIFT;
  words[block + LENGTHS] = prefixLength | (prefixWords << PREFIX_WORDS_SHIFT) | (keyWords << KEY_WORDS_SHIFT);
  const start = prefixStart(block);
  for (let i = 0; i < prefixLength; i++) bytes[start + i] = prefix.bytes[i];
  return block;
}

export function blockVersion(words: Int32Array, block: BlockIndex): number {
  return words[block + VERSION];
}

export function blockPrevious(words: Int32Array, block: BlockIndex): ImageOffset {
  return words[block + PREVIOUS] as ImageOffset;
}

export function blockCount(words: Int32Array, block: BlockIndex): number {
  return words[block + COUNT] & 0xffff;
}

export function setBlockCount(words: Int32Array, block: BlockIndex, count: number): void {
  words[block + COUNT] = (blockCapacity(words, block) << CAPACITY_SHIFT) | count;
}

export function blockCapacity(words: Int32Array, block: BlockIndex): number {
  return words[block + COUNT] >>> CAPACITY_SHIFT;
}

export function blockPrefixLength(words: Int32Array, block: BlockIndex): number {
  return words[block + LENGTHS] & 0xffff;
}

/** Shortens the prefix; the keys must be set again. */
export function setBlockPrefixLength(words: Int32Array, block: BlockIndex, length: number): void {
  words[block + LENGTHS] = (words[block + LENGTHS] & ~0xffff) | length;
}

/** How many octets of the block's prefix the key begins with. */
export function sharedPrefix({ words, bytes }: ImagePlace, block: BlockIndex, key: ChainKey): number {
  const length = blockPrefixLength(words, block);
  const start = prefixStart(block);
  let shared = 0;
  while (shared < length && bytes[start + shared] === key.bytes[shared]) shared++;
  return shared;
}

/** Negative if `key` comes before the block's prefix, positive if after it, 0 if it begins with the prefix. */
export function comparePrefix({ words, bytes }: ImagePlace, block: BlockIndex, key: ChainKey): number {
  const length = blockPrefixLength(words, block);
  const start = prefixStart(block);
  for (let i = 0; i < length; i++) {
    if (bytes[start + i] !== key.bytes[i]) return key.bytes[i] - bytes[start + i];
  }
  return 0;
}

/** The number of octets that both keys begin with, no more than a prefix may have. */
export function commonPrefix(one: ChainKey, other: ChainKey): number {
  const end = Math.min(one.length, other.length, MAX_PREFIX_OCTETS);
  let common = 0;
  while (common < end && one.bytes[common] === other.bytes[common]) common++;
  return common;
}

/** Words of each key: one or two. */
export function blockKeyWords(words: Int32Array, block: BlockIndex): number {
  return words[block + LENGTHS] >>> KEY_WORDS_SHIFT;
}

/** The first word of the key of entry `at`. */
export function blockKeyIndex(words: Int32Array, block: BlockIndex, at: number): number {
  const prefixWords = (words[block + LENGTHS] >>> PREFIX_WORDS_SHIFT) & MAX_PREFIX_WORDS;
  return block + PREFIX + prefixWords + at * blockKeyWords(words, block);
}

export function setBlockKey(words: Int32Array, block: BlockIndex, at: number, key: ChainKey): void {
  const prefixLength = blockPrefixLength(words, block);
  const index = blockKeyIndex(words, block, at);
  words[index] = key.word(prefixLength);
  if (blockKeyWords(words, block) > 1) words[index + 1] = key.word(prefixLength + 4);
}

/** The number of the entry's slot in the hash table. */
export function blockSlot(words: Int32Array, block: BlockIndex, at: number): number {
  return words[slotsIndex(words, block) + at];
}

export function setBlockSlot(words: Int32Array, block: BlockIndex, at: number, slot: number): void {
  words[slotsIndex(words, block) + at] = slot;
}

/** Copies `count` entries into the same block, or into one with the same prefix. */
export function copyBlockEntries(
  words: Int32Array,
  from: BlockIndex,
  first: number,
  count: number,
  to: BlockIndex,
  at: number,
): void {
  const keys = blockKeyIndex(words, from, first);
  words.copyWithin(blockKeyIndex(words, to, at), keys, keys + count * blockKeyWords(words, from));
  const slots = slotsIndex(words, from) + first;
  words.copyWithin(slotsIndex(words, to) + at, slots, slots + count);
}

/** The node, valid in `version`, of the name whose slot has that number. */
export function nodeOfSlot(words: Int32Array, image: ImageStart, version: number, number: number): NodeIndex {
  let node = nodeAt(image, publishedNewest(words, slotOfNumber(words, image, number)));
  while (node !== 0 && nodeVersion(words, node) > version) node = previousNode(words, image, node);
  return node;
}

function slotsIndex(words: Int32Array, block: BlockIndex): number {
  return blockKeyIndex(words, block, blockCapacity(words, block));
}

function prefixStart(block: BlockIndex): number {
  return (block + PREFIX) * 4;
}
