/**
 * Schedules zone loads. The first slice of a load runs immediately, and most zones need no more. Larger zones take turns,
 * one slice each, and the event loop runs other work between two slices. Turns go round by account, so the zones of one
 * account delay each other and hardly those of others.
 *
 *     requested ─▶ first slice ─┬─▶ loaded
 *         │                     ├─▶ running: one slice per turn of the event loop, the accounts in turn
 *         └─ its account has ──▶└─▶ waiting, nothing read: until a running load ends
 *            loaded much just now
 */

import type { Log } from '../base/log.ts';
import type { DomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { ZoneLoad, type LoadState, type ZoneLoadOptions } from './zone-load.ts';

/** Longest delay of other work on the main thread; a thousandth of a slice is spent on switching. */
export const SLICE_MS = 2;
/** Each running load holds a snapshot of the store with 8 MiB of pages, and memory of the zone space. */
export const MAX_RUNNING_LOADS = 4;
/** Further loads that run, each for an account that has no other one running. */
const MAX_FIRST_LOADS = 4;
/**
 * Records in zones of one account that are loaded immediately in one turn of the event loop, some 30 ms, or 500 zones of ten
 * records.
 */
const IMMEDIATE_RECORDS = 10_000;
/** Counted for each zone besides its records: what reading its row and showing it takes. */
const RECORDS_PER_ZONE = 10;
/** How often a load that finds no room waits until other loads have ended, and tries again. */
const MAX_TRIES = 5;
/** Every query requests the zone again: after a failed load, requests are ignored for this many times its duration. */
const RETRY_AFTER_TIMES = 19;

export interface LoadingLimits extends Pick<
  ZoneLoadOptions,
  'slicedFromRecords' | 'slicedFromBytes' | 'maxWaitingRecords'
> {
  /** 0: each slice is one step. */
  readonly sliceMs: number;
  readonly maxRunning: number;
}

/** How a load has ended; `failed`: its zone could not be read. */
export type EndState = Exclude<LoadState, 'loading'> | 'failed';

interface ZoneLoadQueueOptions extends ZoneLoadOptions, LoadingLimits {
  readonly log: Log;
  /** Called at the end of every load, when the image is shown or there is none. */
  readonly onEnded: (name: ZoneName, state: EndState) => void;
  readonly observer?: ZoneLoadObserver | undefined;
}

/** Receives the outcome of every load, for metrics. */
export interface ZoneLoadObserver {
  /** @param durationMs time of all its slices together */
  zoneLoaded(durationMs: number): void;
  zoneLoadFailed(): void;
}

/** A load that its first slice did not complete. */
interface LongLoad {
  readonly load: ZoneLoad;
  readonly done: Promise<void>;
  /** Resolves `done`. */
  readonly settle: () => void;
  readonly account: string;
  /** How often it found no room while others were running: from then on, it runs without others of its account. */
  tries: number;
  /** The number of loads that had ended when it last found no room. */
  triedAfter: number;
}

export class ZoneLoadQueue {
  private readonly options: ZoneLoadQueueOptions;
  private readonly long = new Map<ZoneName, LongLoad>();
  private running: LongLoad[] = [];
  /** By account, in the order of their requests. */
  private readonly waiting = new Map<string, LongLoad[]>();
  private turn: NodeJS.Immediate | undefined;
  /** When requests for zones that could not be loaded stop being ignored, by zone. */
  private readonly retryAtMs = new Map<ZoneName, number>();
  /** Records in first slices in this turn of the event loop, by account. */
  private readonly immediateRecords = new Map<string, number>();
  /** The last turn of each account, since loads began to wait or run. */
  private readonly servedAt = new Map<string, number>();
  private turns = 0;
  private ended = 0;

  constructor(options: ZoneLoadQueueOptions) {
    this.options = options;
  }

  /** Loads a zone that is not in memory. Undefined if the load ended at once, loaded or not; else resolves when it ends. */
  start(name: ZoneName, apex: DomainName): Promise<void> | undefined {
    const started = this.long.get(name);
    if (started !== undefined) return started.done;
    if (performance.now() < (this.retryAtMs.get(name) ?? 0)) return undefined;
    this.retryAtMs.delete(name);
    const load = new ZoneLoad(name, apex, this.options);
    const account = this.accountOf(name);
    const state = this.hasJustLoadedMuch(account) ? 'loading' : this.runFirstSlice(load, account);
    const lacksRoom = state === 'no room' && this.running.length > 0;
    if (state !== 'loading' && !lacksRoom) {
      this.finish(load, state);
      return undefined;
    }
    const long = longLoad(load, account, lacksRoom ? 1 : 0, this.ended);
    this.long.set(name, long);
    this.enqueue(long);
    return long.done;
  }

  /**
   * Loads a zone whose former image is shown, and replaces the image. Waits for its turn even if it is small: an update may
   * replace many zones at once. A load of the zone that has begun must have taken in the update.
   */
  reload(name: ZoneName, apex: DomainName): void {
    if (this.long.has(name)) return;
    const load = new ZoneLoad(name, apex, this.options);
    const long = longLoad(load, this.accountOf(name), 0, this.ended);
    this.long.set(name, long);
    this.enqueue(long);
  }

  /** Requests are no longer ignored after a failed load. */
  allow(name: ZoneName): void {
    this.retryAtMs.delete(name);
  }

  /** A damaged row is reported by the load. */
  private accountOf(name: ZoneName): string {
    try {
      return this.options.source.accountOf(name);
    } catch {
      return '';
    }
  }

  private hasJustLoadedMuch(account: string): boolean {
    return (this.immediateRecords.get(account) ?? 0) >= IMMEDIATE_RECORDS;
  }

  private runFirstSlice(load: ZoneLoad, account: string): LoadState | 'failed' {
    if (this.immediateRecords.size === 0) setImmediate(() => this.immediateRecords.clear()).unref();
    const state = this.runSlice(load);
    const records = RECORDS_PER_ZONE + Math.min(load.recordCount, this.options.slicedFromRecords);
    this.immediateRecords.set(account, (this.immediateRecords.get(account) ?? 0) + records);
    return state;
  }

  /** Passes on a committed update, before it is applied to loaded zones. */
  take(name: ZoneName, update: ZoneUpdate): void {
    if (update.kind === 'deleted') this.retryAtMs.delete(name);
    this.long.get(name)?.load.take(update);
  }

  close(): void {
    clearImmediate(this.turn);
    for (const { load, settle } of this.long.values()) {
      load.abandon();
      settle();
    }
    this.long.clear();
  }

  private enqueue(long: LongLoad): void {
    this.wait(long);
    this.admit();
    if (!this.running.includes(long)) long.load.abandon();
    this.scheduleTurn();
  }

  private wait(long: LongLoad): void {
    const others = this.waiting.get(long.account);
    if (others === undefined) this.waiting.set(long.account, [long]);
    else others.push(long);
  }

  private admit(): void {
    for (let next = this.findNext(); next !== undefined; next = this.findNext()) {
      const [account, loads] = next;
      this.running.push(...loads.splice(0, 1));
      if (loads.length === 0) this.waiting.delete(account);
    }
  }

  /** Returns the loads of the account with the fewest running ones, then the longest time since its last turn. */
  private findNext(): [account: string, waiting: LongLoad[]] | undefined {
    let next: [string, LongLoad[]] | undefined;
    let best = [Infinity, Infinity] as const;
    for (const entry of this.waiting) {
      const [account, loads] = entry;
      const first = loads.at(0);
      const own = this.running.filter((long) => long.account === account);
      const rank = [own.length, this.servedAt.get(account) ?? 0] as const;
      if (rank[0] > best[0] || (rank[0] === best[0] && rank[1] >= best[1])) continue;
      if (first === undefined || !this.hasPlaceFor(first, own)) continue;
      next = entry;
      best = rank;
    }
    return next;
  }

  private hasPlaceFor({ tries, triedAfter }: LongLoad, own: readonly LongLoad[]): boolean {
    const { length: count } = this.running;
    if (count === 0) return true;
    if (own.some((other) => other.tries > 0)) return false;
    if (tries > 0 && (own.length > 0 || triedAfter === this.ended)) return false;
    const { maxRunning } = this.options;
    return count < maxRunning || (own.length === 0 && count < maxRunning + MAX_FIRST_LOADS);
  }

  private scheduleTurn(): void {
    if (this.turn !== undefined || this.running.length === 0) return;
    this.turn = setImmediate(() => {
      this.turn = undefined;
      this.takeTurn();
      this.scheduleTurn();
    });
  }

  /** One slice, or as many small zones as take no longer. */
  private takeTurn(): void {
    const untilMs = performance.now() + this.options.sliceMs;
    do this.runNext();
    while (this.running.length > 0 && performance.now() < untilMs);
    if (this.long.size === 0) this.servedAt.clear();
  }

  private runNext(): void {
    const long = this.takeLeastServed();
    if (long === undefined) return;
    this.servedAt.set(long.account, ++this.turns);
    const state = this.runSlice(long.load);
    if (state === 'loading') this.running.push(long);
    else if (state === 'no room' && this.running.length > 0 && long.tries < MAX_TRIES) {
      long.tries++;
      long.triedAfter = this.ended;
      this.wait(long);
    } else {
      this.ended++;
      this.long.delete(long.load.name);
      this.finish(long.load, state);
      long.settle();
    }
    this.admit();
  }

  /** The running load of the account whose last turn was the longest ago. */
  private takeLeastServed(): LongLoad | undefined {
    const servedAt = ({ account }: LongLoad): number => this.servedAt.get(account) ?? 0;
    const least = this.running.reduce<LongLoad | undefined>(
      (best, long) => (best === undefined || servedAt(long) < servedAt(best) ? long : best),
      undefined,
    );
    if (least !== undefined) this.running.splice(this.running.indexOf(least), 1);
    return least;
  }

  private runSlice(load: ZoneLoad): LoadState | 'failed' {
    try {
      return load.runSlice(this.options.sliceMs);
    } catch (error) {
      this.options.log.error({ zone: load.name, err: error }, 'a zone could not be loaded');
      return 'failed';
    }
  }

  private finish(load: ZoneLoad, state: EndState): void {
    const { observer, onEnded } = this.options;
    if (state === 'loaded') observer?.zoneLoaded(load.spentMs);
    else if (state !== 'gone') this.fail(load, state);
    onEnded(load.name, state);
  }

  private fail({ name, spentMs }: ZoneLoad, state: EndState): void {
    const { log, observer } = this.options;
    observer?.zoneLoadFailed();
    if (state === 'no room') log.error({ zone: name }, 'the zone does not fit into the zone memory');
    if (state === 'overtaken') log.error({ zone: name }, 'the zone changes faster than it can be loaded');
    this.retryAtMs.set(name, performance.now() + RETRY_AFTER_TIMES * spentMs);
  }
}

function longLoad(load: ZoneLoad, account: string, tries: number, triedAfter: number): LongLoad {
  let settle = (): void => undefined;
  const done = new Promise<void>((resolve) => (settle = resolve));
  return { load, done, settle, account, tries, triedAfter };
}
