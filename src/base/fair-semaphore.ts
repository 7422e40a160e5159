// A semaphore whose permits are shared fairly between keys (accounts): each key holds a limited number of them, and
// waiting keys are served in turn. Work of different weight takes several permits, for example one for each megabyte.

export interface SemaphoreLimits {
  readonly permits: number;
  readonly permitsPerKey: number;
  /** 0: `acquire` never waits. */
  readonly maxWaiting: number;
  readonly maxWaitingPerKey: number;
  readonly waitMs: number;
}

/**
 * Returns a signal that is aborted when the client goes away. A function, because most requests never need the signal, and
 * aborting one is costly (Node creates an error with a stack trace).
 */
export type GetSignal = () => AbortSignal;

/** Gives the permit back; further calls do nothing. */
export type Release = () => void;

interface KeyState {
  held: number;
  /** Oldest first. */
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly weight: number;
  readonly takePermits: () => void;
}

export class FairSemaphore {
  private readonly limits: SemaphoreLimits;
  /** Keys that hold permits or wait for one; the key served least recently is first. */
  private readonly keys = new Map<string, KeyState>();
  private held = 0;
  private waiting = 0;

  constructor(limits: SemaphoreLimits) {
    this.limits = limits;
  }

  /**
   * Returns undefined if the permits for this key are not free, or are kept for heavier work that waits for them.
   *
   * @param weight number of permits; more than a key may hold counts as all that it may hold
   */
  tryAcquire(key: string, weight = 1): Release | undefined {
    const state = this.keys.get(key) ?? { held: 0, waiting: [] };
    const permits = Math.min(weight, this.limits.permitsPerKey);
    if (!this.hasPermitsFor(state, permits) || this.findNext() !== undefined) return undefined;
    return this.grant(key, state, permits);
  }

  /** Returns the permits that a key holds. */
  heldBy(key: string): number {
    return this.keys.get(key)?.held ?? 0;
  }

  /** Resolves to undefined if too many wait already, if the wait times out or if the signal is aborted. */
  acquire(key: string, getSignal?: GetSignal, weight = 1): Promise<Release | undefined> {
    const release = this.tryAcquire(key, weight);
    const { maxWaiting, maxWaitingPerKey } = this.limits;
    const waitingForKey = this.keys.get(key)?.waiting.length ?? 0;
    if (release !== undefined || this.waiting >= maxWaiting || waitingForKey >= maxWaitingPerKey)
      return Promise.resolve(release);
    const signal = getSignal?.();
    return signal?.aborted === true ? Promise.resolve(undefined) : this.wait(key, signal, weight);
  }

  private wait(key: string, signal: AbortSignal | undefined, weight: number): Promise<Release | undefined> {
    const state = this.keys.get(key) ?? { held: 0, waiting: [] };
    this.keys.set(key, state);
    return new Promise((resolve) => {
      const leave = (release: Release | undefined): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        state.waiting.splice(state.waiting.indexOf(entry), 1);
        this.waiting--;
        resolve(release);
      };
      const permits = Math.min(weight, this.limits.permitsPerKey);
      const entry = { weight: permits, takePermits: () => leave(this.grant(key, state, permits)) };
      const giveUp = (): void => {
        leave(undefined);
        this.forgetIdle(key, state);
        // Others may have waited behind it.
        this.grantNext();
      };
      const timer = setTimeout(giveUp, this.limits.waitMs);
      signal?.addEventListener('abort', giveUp);
      state.waiting.push(entry);
      this.waiting++;
    });
  }

  private hasPermitsFor({ held }: KeyState, weight: number): boolean {
    return this.held + weight <= this.limits.permits && held + weight <= this.limits.permitsPerKey;
  }

  private grant(key: string, state: KeyState, weight: number): Release {
    this.held += weight;
    state.held += weight;
    this.moveLast(key, state);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held -= weight;
      state.held -= weight;
      this.moveLast(key, state);
      this.forgetIdle(key, state);
      this.grantNext();
    };
  }

  private grantNext(): void {
    for (let next = this.findNext(); next !== undefined; next = this.findNext()) {
      if (this.held + next.weight > this.limits.permits) return;
      next.takePermits();
    }
  }

  /**
   * Returns the waiting work whose turn it is. If too few permits are free for it, lighter work must not overtake it, or it
   * would wait forever.
   */
  private findNext(): Waiting | undefined {
    if (this.waiting === 0) return undefined;
    for (const { held, waiting } of this.keys.values()) {
      const next = waiting.at(0);
      if (next !== undefined && held + next.weight <= this.limits.permitsPerKey) return next;
    }
    return undefined;
  }

  private moveLast(key: string, state: KeyState): void {
    this.keys.delete(key);
    this.keys.set(key, state);
  }

  private forgetIdle(key: string, { held, waiting }: KeyState): void {
    if (held === 0 && waiting.length === 0) this.keys.delete(key);
  }
}
