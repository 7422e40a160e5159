/**
 * The blocks of the zone space's arena: allocates them, drops images to make room, and decides when a block that is out
 * of sight may be reused. Room is made in this order:
 *
 *   1. an account that would hold more than its share drops its own images
 *   2. for an account within its share, those that hold more than theirs drop images, down to the share; if that is not
 *      enough, because free memory is in pieces, any images are dropped, side by side
 *   3. for a zone that is larger than the share, images are dropped in the overflow, one half of the arena, and nowhere else
 *
 * Images that queries used since they were last considered are spared as long as possible (the clock algorithm).
 */

import { AccountShares, type Holding } from './account-shares.ts';
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
/** An account with fewer images drops them one by one; with more of them, the hand looks for them side by side. */
const MAX_SINGLE_DROPS = 256;
/** Accounts over their share that make room for one block, before any images are dropped: each costs a wait for readers. */
const MAX_BORROWERS = 16;

/** A part of the arena in which some images may be dropped. */
interface Range {
  readonly startBytes: number;
  readonly endBytes: number;
  readonly mayDrop: (image: ImageStart) => boolean;
  /** Whether there may be more to drop. */
  readonly goesOn: () => boolean;
}

export interface Block {
  readonly offset: BlockOffset;
  readonly sizeBytes: number;
}

const anything = { mayDrop: () => true, goesOn: () => true };

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
  /** Counts the images of accounts. */
  private readonly shares: AccountShares;
  private hand = 0;
  private directory = 0;
  /** An epoch that a reader did not leave within the longest wait; 0: none. */
  private stuckEpoch = 0;

  constructor(space: ZoneSpace, hide: (image: ImageStart) => void) {
    this.space = space;
    this.hide = hide;
    this.sizeBytes = space.memory.byteLength - ARENA_START_BYTES;
    this.blocks = new BlockAllocator(this.sizeBytes);
    this.shares = new AccountShares(this.sizeBytes);
  }

  get usedBytes(): number {
    return this.blocks.usedBytes;
  }

  /**
   * Allocates a block that stays until it is unpinned or retired; undefined if no room can be made.
   *
   * @param account whose zone is in it; undefined: it holds the directory
   */
  allocatePinned(sizeBytes: number, account?: string): Block | undefined {
    this.reclaim();
    const order = this.blocks.orderFor(sizeBytes);
    if (order > this.blocks.maxOrder) return undefined;
    let at = this.blocks.allocate(order);
    if (at === -1 && this.isReaderStuck()) return undefined;
    if (at === -1) at = this.makeRoom(order, account);
    if (at === -1) return undefined;
    const offset = (ARENA_START_BYTES + at) as BlockOffset;
    const bytes = MIN_BLOCK_BYTES << order;
    this.pinned.add(offset);
    if (account === undefined) this.directory = offset;
    else this.shares.add(offset, bytes, account);
    return { offset, sizeBytes: bytes };
  }

  /** The account whose zone is in the block. */
  accountOf(offset: BlockOffset): string | undefined {
    return this.shares.ownerOf(offset);
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
    this.release(offset);
    this.retired.set(offset, endEpoch(this.space.words));
  }

  /** Frees a block that no reader ever saw. */
  freeUnseen(offset: BlockOffset): void {
    this.pinned.delete(offset);
    this.release(offset);
    this.blocks.free(offset - ARENA_START_BYTES);
  }

  private release(offset: BlockOffset): void {
    this.shares.remove(offset, this.blocks.blockAt(offset - ARENA_START_BYTES).sizeBytes);
  }

  /** Returns the place of a free block, or -1. */
  private makeRoom(order: number, account: string | undefined): number {
    const bytes = MIN_BLOCK_BYTES << order;
    const share = this.shares.share(account);
    const isOver = (): boolean => account !== undefined && this.shares.usedBy(account) + bytes > share;
    const own = account === undefined ? undefined : this.shares.find(account);
    let at = own !== undefined && isOver() ? this.dropFrom(own, order, 0) : -1;
    if (at === -1 && !isOver()) at = this.dropLent(order, share);
    if (at !== -1) return at;
    if (!isOver()) return this.sweepFor(order, { ...anything, startBytes: 0, endBytes: this.sizeBytes });
    return bytes > share ? this.sweepFor(order, this.overflow()) : -1;
  }

  /** The half without the directory, so that the largest blocks fit into it. */
  private overflow(): Range {
    const largest = MIN_BLOCK_BYTES * 2 ** this.blocks.maxOrder;
    const middle = largest === this.sizeBytes ? largest / 2 : largest;
    const isLower = this.directory - ARENA_START_BYTES >= middle;
    const [startBytes, endBytes] = isLower ? [0, middle] : [middle, this.sizeBytes];
    return { ...anything, startBytes, endBytes };
  }

  /** Makes room for a block among what accounts hold beyond their share. */
  private dropLent(order: number, share: number): number {
    const done = new Set<Holding>();
    let at = -1;
    while (at === -1 && done.size < MAX_BORROWERS) {
      const holding = this.shares.findMostOver(share, done);
      if (holding === undefined) return -1;
      done.add(holding);
      at = this.dropFrom(holding, order, share);
    }
    return at;
  }

  /** Drops images of one account until a block is free, or it holds no more than so many bytes. */
  private dropFrom(holding: Holding, order: number, downToBytes: number): number {
    const { account, images } = holding;
    const isOver = (): boolean => holding.usedBytes > downToBytes;
    const mayDrop = (image: ImageStart): boolean => isOver() && this.shares.ownerOf(image) === account;
    const goesOn = (): boolean => isOver() && images.size > MAX_SINGLE_DROPS;
    let at = this.sweepFor(order, { startBytes: 0, endBytes: this.sizeBytes, mayDrop, goesOn });
    // Readers are waited for once a batch, which takes no more than an eighth of what the account has.
    const batchBytes = Math.max(MIN_BLOCK_BYTES << order, Math.min(SWEEP_BYTES, holding.usedBytes / 8));
    // Twice, because images in use are spared once.
    for (let left = 2 * images.size; left > 0 && at === -1 && isOver();) {
      for (const beforeBytes = holding.usedBytes; left > 0 && isOver(); left--) {
        if (beforeBytes - holding.usedBytes >= batchBytes) break;
        this.dropOrSpareOldest(images as Set<ImageStart>);
      }
      if (!this.awaitReaders()) return -1;
      at = this.blocks.allocate(order);
    }
    return at;
  }

  /** A spared image goes to the end of the line. */
  private dropOrSpareOldest(images: Set<ImageStart>): void {
    const oldest = images.values().next();
    if (oldest.done === true || this.considerDropping(oldest.value, false)) return;
    images.delete(oldest.value);
    images.add(oldest.value);
  }

  /** Drops images side by side until a block is free. */
  private sweepFor(order: number, range: Range): number {
    const length = range.endBytes - range.startBytes;
    let at = -1;
    for (let swept = 0; at === -1 && swept < ROUNDS * length && range.goesOn();) {
      const dropsUsed = swept >= (ROUNDS - 1) * length;
      swept += this.sweep(Math.max(SWEEP_BYTES, MIN_BLOCK_BYTES << order), dropsUsed, range);
      if (!this.awaitReaders()) return -1;
      at = this.blocks.allocate(order);
    }
    return at;
  }

  /** Advances the hand by about `length` bytes and drops every image there that is unused, or every image. */
  private sweep(length: number, dropsUsed: boolean, { startBytes, endBytes, mayDrop }: Range): number {
    if (this.hand < startBytes || this.hand + MIN_BLOCK_BYTES > endBytes) this.hand = startBytes;
    const start = this.hand;
    let at = start;
    while (at < start + length && at < endBytes) {
      const block = this.blocks.blockAt(at);
      // The blocks without an image, which hold the directory, are pinned or retired.
      const image = (ARENA_START_BYTES + block.offset) as ImageStart;
      if (!block.free && !this.retired.has(image) && mayDrop(image)) this.considerDropping(image, dropsUsed);
      at = block.offset + block.sizeBytes;
    }
    this.hand = at + MIN_BLOCK_BYTES > this.sizeBytes ? 0 : at;
    return at - start;
  }

  /** Drops an image unless it is pinned or in use; returns whether it did. */
  private considerDropping(image: ImageStart, dropsUsed: boolean): boolean {
    if (this.pinned.has(image)) return false;
    const { words } = this.space;
    if (!dropsUsed && isReferenced(words, image)) {
      setReferenced(words, image, false);
      return false;
    }
    this.hide(image);
    this.retire(image);
    return true;
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
