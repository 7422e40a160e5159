/**
 * Allocates blocks of 2^n bytes of an arena (buddy system). Its own data is outside the arena, in the writer's memory,
 * so it never reads or writes a block.
 */

import { assert } from '../base/assert.ts';

/** The smallest block; a zone of ten records takes about this much. */
export const MIN_BLOCK_BYTES = 1024;

const NOT_A_BLOCK = -1;
/** Added to the order of a free block. */
const FREE = 64;
const NONE = -1;

export class BlockAllocator {
  /** The order of the block that begins at each unit, plus FREE if the block is free. */
  private readonly state: Int8Array;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  /** The first free block of each order. */
  private readonly firstFree: Int32Array;
  private readonly units: number;
  /** The largest block has 2^maxOrder units. */
  readonly maxOrder: number;
  usedBytes = 0;

  constructor(sizeBytes: number) {
    this.units = Math.floor(sizeBytes / MIN_BLOCK_BYTES);
    this.maxOrder = 31 - Math.clz32(this.units);
    this.state = new Int8Array(this.units).fill(NOT_A_BLOCK);
    this.next = new Int32Array(this.units);
    this.previous = new Int32Array(this.units);
    this.firstFree = new Int32Array(this.maxOrder + 1).fill(NONE);
    for (let unit = 0; unit < this.units;) {
      const order = this.largestOrderAt(unit);
      this.link(unit, order);
      unit += 1 << order;
    }
  }

  /** The smallest order whose blocks hold `sizeBytes`; may be larger than `maxOrder`. */
  orderFor(sizeBytes: number): number {
    return Math.max(0, 32 - Math.clz32(Math.ceil(sizeBytes / MIN_BLOCK_BYTES) - 1));
  }

  /** @returns the block's byte offset in the arena, or -1 if no block of that size is free */
  allocate(order: number): number {
    let found = order;
    while (found <= this.maxOrder && this.firstFree[found] === NONE) found++;
    if (found > this.maxOrder) return -1;
    const unit = this.firstFree[found];
    this.unlink(unit, found);
    while (found > order) {
      found--;
      this.link(unit + (1 << found), found);
    }
    this.state[unit] = order;
    this.usedBytes += MIN_BLOCK_BYTES << order;
    return unit * MIN_BLOCK_BYTES;
  }

  free(offset: number): void {
    let unit = offset / MIN_BLOCK_BYTES;
    let order = this.state[unit];
    assert(order >= 0 && order < FREE, 'freeing a block that is in use');
    this.usedBytes -= MIN_BLOCK_BYTES << order;
    this.state[unit] = NOT_A_BLOCK;
    for (; order < this.maxOrder; order++) {
      const buddy = unit ^ (1 << order);
      if (buddy >= this.units || this.state[buddy] !== order + FREE) break;
      this.unlink(buddy, order);
      unit = Math.min(unit, buddy);
    }
    this.link(unit, order);
  }

  /** The block, free or not, that covers the byte at `offset`. */
  blockAt(offset: number): { readonly offset: number; readonly sizeBytes: number; readonly free: boolean } {
    const unit = Math.floor(offset / MIN_BLOCK_BYTES);
    for (let order = 0; order <= this.maxOrder; order++) {
      const start = unit & ~((1 << order) - 1);
      const state = this.state[start];
      if (state === NOT_A_BLOCK || (state & (FREE - 1)) < order) continue;
      return {
        offset: start * MIN_BLOCK_BYTES,
        sizeBytes: MIN_BLOCK_BYTES << (state & (FREE - 1)),
        free: state >= FREE,
      };
    }
    throw new Error(`assertion failed: no block covers ${offset}`);
  }

  private largestOrderAt(unit: number): number {
    let order = unit === 0 ? this.maxOrder : Math.min(this.maxOrder, 31 - Math.clz32(unit & -unit));
    while (unit + (1 << order) > this.units) order--;
    return order;
  }

  private link(unit: number, order: number): void {
    const first = this.firstFree[order];
    this.next[unit] = first;
    this.previous[unit] = NONE;
    if (first !== NONE) this.previous[first] = unit;
    this.firstFree[order] = unit;
    this.state[unit] = order + FREE;
  }

  private unlink(unit: number, order: number): void {
    const next = this.next[unit];
    const previous = this.previous[unit];
    if (previous === NONE) this.firstFree[order] = next;
    else this.next[previous] = next;
    if (next !== NONE) this.previous[next] = previous;
    this.state[unit] = NOT_A_BLOCK;
  }
}
