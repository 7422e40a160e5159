/**
 * Shares the memory for zone images between accounts. An account's share is the whole divided by the number of accounts
 * that have zones in memory; what one does not use is lent to others until it is needed.
 *
 * Counts some 70 bytes for each image, in the writer's memory.
 */

import type { BlockOffset } from './image-offsets.ts';

/** Levels of accounts by the bytes that they hold: powers of two from 1 KiB to 2 GiB. */
const LEVELS = 32;
const SMALLEST_LEVEL_BYTES = 1024;

/** Accounts of the highest level that are compared: within a level, they hold the same up to a factor of two. */
const COMPARED_ACCOUNTS = 64;

export interface Holding {
  readonly account: string;
  /** In the order in which they were loaded, or spared last. */
  readonly images: Set<BlockOffset>;
  usedBytes: number;
}

export class AccountShares {
  private readonly totalBytes: number;
  private readonly holdings = new Map<string, Holding>();
  private readonly owners = new Map<BlockOffset, Holding>();
  private readonly levels = Array.from({ length: LEVELS }, () => new Set<Holding>());

  constructor(totalBytes: number) {
    this.totalBytes = totalBytes;
  }

  /** The share of each account once this one has a zone in memory; undefined: of those that have. */
  share(account: string | undefined): number {
    const isNew = account !== undefined && !this.holdings.has(account);
    return this.totalBytes / Math.max(1, this.holdings.size + (isNew ? 1 : 0));
  }

  find(account: string): Holding | undefined {
    return this.holdings.get(account);
  }

  usedBy(account: string): number {
    return this.holdings.get(account)?.usedBytes ?? 0;
  }

  ownerOf(image: BlockOffset): string | undefined {
    return this.owners.get(image)?.account;
  }

  add(image: BlockOffset, bytes: number, account: string): void {
    const holding = this.holdings.get(account) ?? { account, images: new Set(), usedBytes: 0 };
    this.holdings.set(account, holding);
    holding.images.add(image);
    this.owners.set(image, holding);
    this.resize(holding, bytes);
  }

  /** @param bytes of its block */
  remove(image: BlockOffset, bytes: number): void {
    const holding = this.owners.get(image);
    if (holding === undefined) return;
    this.owners.delete(image);
    holding.images.delete(image);
    this.resize(holding, -bytes);
    if (holding.images.size === 0) this.holdings.delete(holding.account);
  }

  /** Returns an account that holds more than the share, and at least half as much as any other one does. */
  findMostOver(share: number, except: ReadonlySet<Holding>): Holding | undefined {
    for (const level of this.levels.toReversed()) {
      let most: Holding | undefined;
      let compared = 0;
      for (const holding of level) {
        if (except.has(holding)) continue;
        if (most === undefined || holding.usedBytes > most.usedBytes) most = holding;
        if (++compared === COMPARED_ACCOUNTS) break;
      }
      if (most !== undefined) return most.usedBytes > share ? most : undefined;
    }
    return undefined;
  }

  private resize(holding: Holding, bytes: number): void {
    this.levelOf(holding).delete(holding);
    holding.usedBytes += bytes;
    if (holding.images.size > 0) this.levelOf(holding).add(holding);
  }

  private levelOf({ usedBytes }: Holding): Set<Holding> {
    const level = 31 - Math.clz32(Math.max(1, usedBytes / SMALLEST_LEVEL_BYTES));
    return this.levels[level];
  }
}
