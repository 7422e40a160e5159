// A semaphore whose permits are shared fairly between keys (accounts): each key holds a limited number of them, and
// waiting keys are served in turn.

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
  /** Callbacks that take the permit; oldest first. */
  readonly waiting: (() => void)[];
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

  /** Returns undefined if no permit is free for this key. */
  tryAcquire(key: string): Release | undefined {
    const state = this.keys.get(key) ?? { held: 0, waiting: [] };
    return this.hasPermitFor(state) ? this.grant(key, state) : undefined;
  }

  /** Resolves to undefined if too many wait already, if the wait times out or if the signal is aborted. */
  acquire(key: string, getSignal?: GetSignal): Promise<Release | undefined> {
    const release = this.tryAcquire(key);
    const { maxWaiting, maxWaitingPerKey } = this.limits;
    const waitingForKey = this.keys.get(key)?.waiting.length ?? 0;
    if (release !== undefined || this.waiting >= maxWaiting || waitingForKey >= maxWaitingPerKey)
      return Promise.resolve(release);
    const signal = getSignal?.();
    return signal?.aborted === true ? Promise.resolve(undefined) : this.wait(key, signal);
  }

  private wait(key: string, signal: AbortSignal | undefined): Promise<Release | undefined> {
    const state = this.keys.get(key) ?? { held: 0, waiting: [] };
    this.keys.set(key, state);
    return new Promise((resolve) => {
      const leave = (release: Release | undefined): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        state.waiting.splice(state.waiting.indexOf(takePermit), 1);
        this.waiting--;
        resolve(release);
      };
      const takePermit = (): void => leave(this.grant(key, state));
      const giveUp = (): void => {
        leave(undefined);
        this.forgetIdle(key, state);
      };
      const timer = setTimeout(giveUp, this.limits.waitMs);
      signal?.addEventListener('abort', giveUp);
      state.waiting.push(takePermit);
      this.waiting++;
    });
  }

  private hasPermitFor(state: KeyState): boolean {
    return this.held < this.limits.permits && state.held < this.limits.permitsPerKey;
  }

  private grant(key: string, state: KeyState): Release {
    this.held++;
    state.held++;
    this.moveLast(key, state);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held--;
      state.held--;
      this.moveLast(key, state);
      this.forgetIdle(key, state);
      this.grantNext();
    };
  }

  private grantNext(): void {
    for (const state of this.keys.values()) {
      const takePermit = state.waiting.at(0);
      if (takePermit !== undefined && this.hasPermitFor(state)) return takePermit();
    }
  }

  private moveLast(key: string, state: KeyState): void {
    this.keys.delete(key);
    this.keys.set(key, state);
  }

  private forgetIdle(key: string, { held, waiting }: KeyState): void {
    if (held === 0 && waiting.length === 0) this.keys.delete(key);
  }
}
