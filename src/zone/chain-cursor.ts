/** Finds names in the chain of a signed zone, in one version of it, and goes on to the next one. */

import { ChainKey, compareKeys } from './chain-key.ts';
import {
  blockCount,
  blockKeyIndex,
  blockKeyWords,
  blockSlot,
  comparePrefix,
  blockPrefixLength,
  findBlock,
  findList,
  listCount,
  listKeyIndex,
  nodeOfSlot,
  type BlockIndex,
  type ListIndex,
} from './chain-blocks.ts';
import type { NodeIndex } from './image-offsets.ts';
import type { ImagePlace } from './zone-image.ts';

/** A place in a chain; one object per reader, reused, so that look-ups make no garbage. */
export class ChainCursor {
  /** The key that `find` looks for. */
  readonly key = new ChainKey();
  list: ListIndex = 0;
  /** The block of the list, and its state in the version of the last call. */
  blockAt = 0;
  block: BlockIndex = 0;
  /** The entry of the block. */
  entry = 0;
  private readonly other = new ChainKey();
  private version = 0;

  /**
   * Goes to the last name at or before `key`; returns false, with the cursor before the first entry of a block, if there is
   * none in the block where the key belongs.
   */
  find(place: ImagePlace, version: number): boolean {
    const { words, image } = place;
    this.version = version;
    this.list = findList(words, image, version);
    this.block = 0;
    this.entry = -1;
    if (this.list === 0 || listCount(words, this.list) === 0) return false;
    this.enter(place, this.findInList(place));
    this.entry = this.findEntry(place);
    return this.entry >= 0;
  }

  /** Goes to the entry before, or from the first one to the last one. The list must not be empty. */
  previous(place: ImagePlace): void {
    if (--this.entry >= 0) return;
    this.enter(place, this.blockAt === 0 ? listCount(place.words, this.list) - 1 : this.blockAt - 1);
    this.entry = blockCount(place.words, this.block) - 1;
  }

  /** Goes to the next entry, or from the last one to the first one. The list must not be empty. */
  next(place: ImagePlace): void {
    if (++this.entry < blockCount(place.words, this.block)) return;
    this.enter(place, this.blockAt + 1 === listCount(place.words, this.list) ? 0 : this.blockAt + 1);
    this.entry = 0;
  }

  /** Goes to the first entry; returns false if there is none. */
  first(place: ImagePlace, version: number): boolean {
    const { words, image } = place;
    this.version = version;
    this.list = findList(words, image, version);
    if (this.list === 0 || listCount(words, this.list) === 0) return false;
    this.enter(place, 0);
    this.entry = 0;
    return true;
  }

  /** Whether the cursor is at that node; it must not have been used for another place since `leave`. */
  isAt(place: ImagePlace, version: number, node: NodeIndex): boolean {
    return this.block !== 0 && this.version === version && this.node(place) === node;
  }

  /** Forgets the place. */
  leave(): void {
    this.block = 0;
  }

  /** The node at the cursor. */
  node({ words, image }: ImagePlace): NodeIndex {
    return nodeOfSlot(words, image, this.version, blockSlot(words, this.block, this.entry));
  }

  /** Negative if the key comes before the name of that entry of the block, 0 if it is that name's. */
  compare(place: ImagePlace, entry: number): number {
    const { words, image } = place;
    const prefix = comparePrefix(place, this.block, this.key);
    if (prefix !== 0) return prefix;
    const prefixLength = blockPrefixLength(words, this.block);
    const index = blockKeyIndex(words, this.block, entry);
    const high = this.key.word(prefixLength);
    if (high !== words[index]) return high < words[index] ? -1 : 1;
    if (blockKeyWords(words, this.block) > 1) {
      const low = this.key.word(prefixLength + 4);
      if (low !== words[index + 1]) return low < words[index + 1] ? -1 : 1;
    }
    const node = nodeOfSlot(words, image, this.version, blockSlot(words, this.block, entry));
    if (node === 0) return 1;
    this.other.setNode(place, node);
    return compareKeys(this.key, this.other);
  }

  private enter({ words, image }: ImagePlace, at: number): void {
    this.blockAt = at;
    this.block = findBlock(words, image, this.version, this.list, at);
  }

  /** The place in the list of the block into which the key belongs: the last one whose first name is at or before it. */
  private findInList(place: ImagePlace): number {
    const { words } = place;
    const first = this.key.word(0);
    const second = this.key.word(4);
    const third = this.key.word(8);
    let low = 0;
    let high = listCount(words, this.list) - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const index = listKeyIndex(this.list, middle);
      let order = first - words[index];
      if (order === 0) order = second - words[index + 1];
      if (order === 0) order = third - words[index + 2];
      if (order === 0) order = this.compareWithFirst(place, middle);
      if (order >= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Compares the key with the first name of a block of the list. */
  private compareWithFirst(place: ImagePlace, at: number): number {
    this.enter(place, at);
    return this.compare(place, 0);
  }

  /** The last entry of the block at or before the key, or -1. */
  private findEntry(place: ImagePlace): number {
    const { words } = place;
    const { block } = this;
    const count = blockCount(words, block);
    const prefix = comparePrefix(place, block, this.key);
    if (prefix !== 0) return prefix < 0 ? -1 : count - 1;
    const prefixLength = blockPrefixLength(words, block);
    const keyHigh = this.key.word(prefixLength);
    const keyLow = this.key.word(prefixLength + 4);
    const keyWords = blockKeyWords(words, block);
    const first = blockKeyIndex(words, block, 0);
    let low = -1;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const index = first + keyWords * middle;
      let order = keyHigh - words[index];
      if (order === 0 && keyWords > 1) order = keyLow - words[index + 1];
      if (order === 0) order = this.compare(place, middle);
      if (order >= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
