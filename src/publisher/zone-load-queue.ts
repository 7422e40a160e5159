/**
 * Schedules zone loads. The first slice of a load runs immediately, and most zones need no more. Larger zones take turns,
 * one slice each, and the event loop runs other work between two slices.
 *
 *     requested ─▶ first slice ─┬─▶ loaded
 *                               ├─▶ running: one slice per turn of the event loop, the zones in turn
 *                               └─▶ waiting, nothing read: until a running load ends
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

interface ZoneLoadQueueOptions extends ZoneLoadOptions, LoadingLimits {
  readonly log: Log;
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
  /** It found no room while others were running, so it must run alone. */
  needsAll: boolean;
}

export class ZoneLoadQueue {
  private readonly options: ZoneLoadQueueOptions;
  private readonly long = new Map<ZoneName, LongLoad>();
  private running: LongLoad[] = [];
  private readonly waiting: LongLoad[] = [];
  private turn: NodeJS.Immediate | undefined;
  /** When requests for zones that could not be loaded stop being ignored, by zone. */
  private readonly retryAtMs = new Map<ZoneName, number>();

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
