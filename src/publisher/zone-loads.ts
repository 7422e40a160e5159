/**
 * Who loads when. A zone is loaded at once as far as a slice goes, which most zones don't fill; larger ones take turns, a
 * slice each, and between two slices the event loop does what else there is to do.
 *
 *     asked for ─▶ first slice ─┬─▶ loaded
 *                               ├─▶ running: a slice a turn of the event loop, one zone after the other
 *                               └─▶ waiting, nothing read: until one of those that run is done
 */

import type { Log } from '../base/log.ts';
import type { DomainName } from '../dns/name.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { ZoneLoad, type LoadState, type ZoneLoadOptions } from './zone-load.ts';

/** Whatever else the main thread does waits no longer; a thousandth of it goes into changing turns. */
export const SLICE_MS = 2;
/** Each holds a snapshot of the store with 8 MiB of pages, and memory of the zone space that no other zone can have. */
export const MAX_RUNNING_LOADS = 4;
/** A load that failed is tried again after this many times as long as it took: every query for the zone asks for it. */
const RETRY_AFTER_TIMES = 19;

export interface LoadingLimits extends Pick<ZoneLoadOptions, 'slicedFromRecords' | 'maxWaitingRecords'> {
  /** 0: one step at a time. */
  readonly sliceMs: number;
  readonly maxRunning: number;
}

interface ZoneLoadsOptions extends ZoneLoadOptions, LoadingLimits {
  readonly log: Log;
  readonly observer?: ZoneLoadObserver | undefined;
}

/** Whoever wants to know, as metrics do. */
export interface ZoneLoadObserver {
  /** The time is what its slices took together. */
  zoneLoaded(durationMs: number): void;
  zoneLoadFailed(): void;
}

/** A load that its first slice did not finish. */
interface LongLoad {
  readonly load: ZoneLoad;
  readonly done: Promise<void>;
  /** Resolves `done`. */
  readonly settle: () => void;
  /** It found no room beside others. */
  needsAll: boolean;
}

export class ZoneLoads {
  private readonly options: ZoneLoadsOptions;
  private readonly long = new Map<ZoneName, LongLoad>();
  private running: LongLoad[] = [];
  private readonly waiting: LongLoad[] = [];
  private turn: NodeJS.Immediate | undefined;
  /** When zones that could not be loaded may be tried again, by their names. */
  private readonly retryAtMs = new Map<ZoneName, number>();

  constructor(options: ZoneLoadsOptions) {
    this.options = options;
  }

  /** Loads a zone that is not in memory. Undefined: that is done with, well or not; else resolves when it is. */
  start(name: ZoneName, apex: DomainName): Promise<void> | undefined {
    const begun = this.long.get(name);
    if (begun !== undefined) return begun.done;
    if (performance.now() < (this.retryAtMs.get(name) ?? 0)) return undefined;
    this.retryAtMs.delete(name);
    const load = new ZoneLoad(name, apex, this.options);
    const state = this.runSlice(load);
    const needsAll = state === 'no room' && this.running.length > 0;
    if (state !== 'loading' && !needsAll) {
      this.finish(load, state);
      return undefined;
    }
    const long = longLoad(load, needsAll);
    this.long.set(name, long);
    this.enqueue(long);
    return long.done;
  }

  /** A committed update, before it is applied to what is loaded. */
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
    this.waiting.push(long);
    this.admit();
    if (!this.running.includes(long)) long.load.abandon();
    this.scheduleTurn();
  }

  private admit(): void {
    for (let next = this.waiting[0]; this.hasPlaceFor(next); next = this.waiting[0]) {
      this.running.push(next);
      this.waiting.shift();
    }
  }

  private hasPlaceFor(next: LongLoad | undefined): next is LongLoad {
    if (next === undefined) return false;
    if (this.running.length === 0) return true;
    if (next.needsAll || this.running[0].needsAll) return false;
    return this.running.length < this.options.maxRunning;
  }

  private scheduleTurn(): void {
    if (this.turn !== undefined || this.running.length === 0) return;
    this.turn = setImmediate(() => {
      this.turn = undefined;
      this.takeTurn();
      this.scheduleTurn();
    });
  }

  private takeTurn(): void {
    const long = this.running.shift();
    if (long === undefined) return;
    const state = this.runSlice(long.load);
    if (state === 'loading') this.running.push(long);
    else if (state === 'no room' && this.running.length > 0) {
      long.needsAll = true;
      this.waiting.push(long);
    } else {
      this.long.delete(long.load.name);
      this.finish(long.load, state);
      long.settle();
    }
    this.admit();
  }

  private runSlice(load: ZoneLoad): LoadState | 'failed' {
    try {
      return load.runSlice(this.options.sliceMs);
    } catch (error) {
      this.options.log.error({ zone: load.name, err: error }, 'a zone could not be loaded');
      return 'failed';
    }
  }

  private finish({ name, spentMs }: ZoneLoad, state: LoadState | 'failed'): void {
    const { log, observer } = this.options;
    if (state === 'loaded') observer?.zoneLoaded(spentMs);
    if (state === 'loaded' || state === 'gone') return;
    observer?.zoneLoadFailed();
    if (state === 'no room') log.error({ zone: name }, 'the zone does not fit into the zone memory');
    if (state === 'overtaken') log.error({ zone: name }, 'the zone changes faster than it can be loaded');
    this.retryAtMs.set(name, performance.now() + RETRY_AFTER_TIMES * spentMs);
  }
}

function longLoad(load: ZoneLoad, needsAll: boolean): LongLoad {
  let settle = (): void => undefined;
  const done = new Promise<void>((resolve) => (settle = resolve));
  return { load, done, settle, needsAll };
}
