/**
 * The blocks of the zone space's arena: who gets one, which images leave to make room, and when a block that is out
 * of sight may be used again. Images that queries used since the hand last passed stay (the clock algorithm).
 */

import { BlockAllocator, MIN_BLOCK_BYTES } from './block-allocator.ts';
import { header } from './zone-image.ts';
import { ARENA_START_BYTES, endEpoch, hasEveryoneLeft, type ZoneSpace } from './zone-space.ts';

/** How long room is waited for that readers may still look at; an answer takes microseconds. */
const MAX_GRACE_WAIT_MS = 200;
/** The hand passes this much at a time: some thirty small zones, so that the wait for readers is shared. */
const SWEEP_BYTES = 65_536;
/** Two times round the hand spares what queries go on using. A large block among zones that all are takes a third. */
const ROUNDS = 3;

export interface Block {
  /** Byte offset in the space. */
  readonly offset: number;
  readonly sizeBytes: number;
}

export class ImageArena {
  private readonly space: ZoneSpace;
  private readonly blocks: BlockAllocator;
  private readonly sizeBytes: number;
  /** Takes an image out of sight of new readers. */
  private readonly hide: (image: number) => void;
  /** Blocks out of sight, by offset, with the last epoch whose readers may see them. */
  private readonly retired = new Map<number, number>();
  /** Blocks that must stay, whether used or not. */
  private readonly pinned = new Set<number>();
  private hand = 0;
  /** An epoch some reader of which didn't leave when it was waited for; 0: none. */
  private stuckEpoch = 0;

  constructor(space: ZoneSpace, hide: (image: number) => void) {
    this.space = space;
    this.hide = hide;
    this.sizeBytes = space.memory.byteLength - ARENA_START_BYTES;
    this.blocks = new BlockAllocator(this.sizeBytes);
  }

  get usedBytes(): number {
    return this.blocks.usedBytes;
  }

  /** A block that stays until it is unpinned or retired; undefined when there is no room to be had. */
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
    const offset = ARENA_START_BYTES + at;
    this.pinned.add(offset);
    return { offset, sizeBytes: MIN_BLOCK_BYTES << order };
  }

  /** The size of the block that so many bytes would get. */
  blockBytes(sizeBytes: number): number {
    return MIN_BLOCK_BYTES * 2 ** this.blocks.orderFor(sizeBytes);
  }

  pin(offset: number): void {
    this.pinned.add(offset);
  }

  unpin(offset: number): void {
    this.pinned.delete(offset);
  }

  /** For a block that is out of sight now but may still be looked at. */
  retire(offset: number): void {
    this.pinned.delete(offset);
    this.retired.set(offset, endEpoch(this.space.words));
  }

  /** For a block that no reader ever saw. */
  freeUnseen(offset: number): void {
    this.pinned.delete(offset);
    this.blocks.free(offset - ARENA_START_BYTES);
  }

  /** Moves the hand on by about `length` bytes and drops every image there, used ones only when told to. */
  private sweep(length: number, dropsUsed: boolean): number {
    const { words } = this.space;
    const start = this.hand;
    let at = start;
    while (at < start + length && at < this.sizeBytes) {
      const block = this.blocks.blockAt(at);
      const image = ARENA_START_BYTES + block.offset;
      if (!block.free && !this.retired.has(image) && !this.pinned.has(image)) {
        const referenced = (image >> 2) + header.referenced;
        if (dropsUsed || words[referenced] === 0) {
          this.hide(image);
          this.retire(image);
        } else words[referenced] = 0;
      }
      at = block.offset + block.sizeBytes;
    }
    this.hand = at + MIN_BLOCK_BYTES > this.sizeBytes ? 0 : at;
    return at - start;
  }

  /** Gives back what nobody can see any more. */
  private reclaim(): void {
    for (const [offset, epoch] of this.retired) {
      if (!hasEveryoneLeft(this.space, epoch)) continue;
      this.retired.delete(offset);
      this.blocks.free(offset - ARENA_START_BYTES);
    }
  }

  /** Until whoever was waited for in vain has left, nobody waits again, nor drops images that can't make room. */
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
