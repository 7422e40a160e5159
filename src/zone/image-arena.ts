/**
 * The blocks of the zone space's arena: allocates them, drops images to make room, and decides when a block that is out
 * of sight may be reused. Images that queries used since the hand last passed stay (the clock algorithm).
 */

import { BlockAllocator, MIN_BLOCK_BYTES } from './block-allocator.ts';
import type { BlockOffset, ImageStart } from './image-offsets.ts';
import { isReferenced, setReferenced } from './zone-image.ts';
import { ARENA_START_BYTES, endEpoch, hasEveryoneLeft, type ZoneSpace } from './zone-space.ts';

/** Longest wait for readers that may still read a retired block; an answer takes microseconds. */
const MAX_GRACE_WAIT_MS = 200;
/** The hand advances this much at a time: some thirty small zones, which share one wait for readers. */
const SWEEP_BYTES = 65_536;
/** For two rounds the hand spares images in use. A large block among images that are all in use needs a third round. */
const ROUNDS = 3;

export interface Block {
  readonly offset: BlockOffset;
  readonly sizeBytes: number;
}

export class ImageArena {
  private readonly space: ZoneSpace;
  private readonly blocks: BlockAllocator;
  private readonly sizeBytes: number;
  /** Takes an image out of sight of new readers. */
  private readonly hide: (image: ImageStart) => void;
  /** Blocks out of sight, with the last epoch whose readers may see them. */
  private readonly retired = new Map<BlockOffset, number>();
  /** Blocks that stay, whether referenced or not. */
  private readonly pinned = new Set<BlockOffset>();
  private hand = 0;
  /** An epoch that a reader did not leave within the longest wait; 0: none. */
  private stuckEpoch = 0;

  constructor(space: ZoneSpace, hide: (image: ImageStart) => void) {
    this.space = space;
    this.hide = hide;
    this.sizeBytes = space.memory.byteLength - ARENA_START_BYTES;
    this.blocks = new BlockAllocator(this.sizeBytes);
  }

  get usedBytes(): number {
    return this.blocks.usedBytes;
  }

  /** Allocates a block that stays until it is unpinned or retired; undefined if no room can be made. */
  allocatePinned(sizeBytes: number): Block | undefined {
    this.reclaim();
    const order = this.blocks.orderFor(sizeBytes);
    if (order > this.blocks.maxOrder) return undefined;
    let at = this.blocks.allocate(order);
    if (at === -1 && this.isReaderStuck()) return undefined;
    for (let swept = 0; at === -1 && swept < ROUNDS * this.sizeBytes;) {
      const dropsUsed = swept >= (ROUNDS - 1) * this.sizeBytes;
      swept += this.sweep(Math.max(SWEEP_BYTES, MIN_BLOCK_BYTES << order), dropsUsed);
      if (!this.awaitReaders()) return undefined;
      at = this.blocks.allocate(order);
    }
    if (at === -1) return undefined;
    const offset = (ARENA_START_BYTES + at) as BlockOffset;
    this.pinned.add(offset);
    return { offset, sizeBytes: MIN_BLOCK_BYTES << order };
  }

  /** The size of the smallest block that holds `sizeBytes`. */
  blockBytes(sizeBytes: number): number {
    return MIN_BLOCK_BYTES * 2 ** this.blocks.orderFor(sizeBytes);
  }

  pin(offset: BlockOffset): void {
    this.pinned.add(offset);
  }

  unpin(offset: BlockOffset): void {
    this.pinned.delete(offset);
  }

  /** Gives up a block that new readers no longer find but present readers may still read. */
  retire(offset: BlockOffset): void {
    this.pinned.delete(offset);
    this.retired.set(offset, endEpoch(this.space.words));
  }

  /** Frees a block that no reader ever saw. */
  freeUnseen(offset: BlockOffset): void {
    this.pinned.delete(offset);
    this.blocks.free(offset - ARENA_START_BYTES);
  }

  /** Advances the hand by about `length` bytes and drops every image there that is unused, or every image. */
  private sweep(length: number, dropsUsed: boolean): number {
    const { words } = this.space;
    const start = this.hand;
    let at = start;
    while (at < start + length && at < this.sizeBytes) {
      const block = this.blocks.blockAt(at);
      // The blocks without an image, which hold the directory, are pinned or retired.
      const image = (ARENA_START_BYTES + block.offset) as ImageStart;
      if (!block.free && !this.retired.has(image) && !this.pinned.has(image)) {
        if (dropsUsed || !isReferenced(words, image)) {
          this.hide(image);
          this.retire(image);
        } else setReferenced(words, image, false);
      }
      at = block.offset + block.sizeBytes;
    }
    this.hand = at + MIN_BLOCK_BYTES > this.sizeBytes ? 0 : at;
    return at - start;
  }

  /** Frees the retired blocks that no reader can see any more. */
  private reclaim(): void {
    for (const [offset, epoch] of this.retired) {
      if (!hasEveryoneLeft(this.space, epoch)) continue;
      this.retired.delete(offset);
      this.blocks.free(offset - ARENA_START_BYTES);
    }
  }

  /** Until the reader that outlasted a wait has left, there is no further wait, and no image is dropped in vain. */
  private isReaderStuck(): boolean {
    if (this.stuckEpoch !== 0 && hasEveryoneLeft(this.space, this.stuckEpoch)) this.stuckEpoch = 0;
    return this.stuckEpoch !== 0;
  }

  private awaitReaders(): boolean {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waitedMs = 0; waitedMs < MAX_GRACE_WAIT_MS; waitedMs++) {
      this.reclaim();
      if (this.retired.size === 0) return true;
      Atomics.wait(pause, 0, 0, 1);
    }
    this.stuckEpoch = endEpoch(this.space.words);
    return false;
  }
}
