// Requests that wait until the nameservers serve what was written. One loop looks for all of them, one domain after the
// other, and only while somebody waits: however many wait, they cost the store one look at a time.
import type { Domain } from '../model/domain.ts';
import { refused, success, type Result } from '../model/result.ts';
import type { Store, ZoneServing } from '../store/store.ts';
import { isServed } from './propagation.ts';

/** Each holds one of the HTTP server's 4,096 connections: three quarters of them stay for everything else. */
export const MAX_WAITS = 1024;

/** An eighth of all: no customer can keep the others from waiting. */
export const MAX_WAITS_PER_ACCOUNT = 128;

/** Nameservers are current some 10 ms after a write, so most waits end with the first look. */
const FIRST_LOOK_MS = 10;

/** Who is not current by then is behind for a reason: shorter would tell hardly earlier, and cost the store more. */
const LOOK_INTERVAL_MS = 50;

/** What is waited for. */
export interface AwaitedSerial {
  readonly domain: Domain;
  readonly serial: number;
  readonly timeoutMs: number;
}

type Waited = Result<readonly ZoneServing[]>;

interface Wait extends AwaitedSerial {
  /** What was seen last. */
  seen: readonly ZoneServing[];
  readonly resolve: (waited: Waited) => void;
  readonly reject: (error: unknown) => void;
  /** Lets go of timer and listener. */
  readonly release: () => void;
}

export class PropagationWaits {
  private readonly store: Pick<Store, 'zoneServing'>;
  private readonly waits = new Set<Wait>();
  private isLooking = false;
  private isClosed = false;

  constructor(store: Pick<Store, 'zoneServing'>) {
    this.store = store;
  }

  /**
   * Resolves as soon as all live nameservers serve that serial or a later one, or when the time is up, with what was
   * seen last; refused where too many wait, and when the waits are closed. Rejects with `StoreUnavailable`.
   *
   * @param seen what the caller saw just now.
   * @param gone aborted when nobody wants the answer any more: ends the wait.
   */
  wait(awaited: AwaitedSerial, seen: readonly ZoneServing[], gone: AbortSignal): Promise<Waited> {
    if (this.isClosed || gone.aborted) return Promise.resolve(ended);
    if (this.isFull(awaited.domain.accountId)) return Promise.resolve(tooMany);
    return new Promise((resolve, reject) => {
      const leave = (): void => this.end(wait, ended);
      const timer = setTimeout(() => this.end(wait, success(wait.seen)), awaited.timeoutMs);
      const release = (): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', leave);
      };
      const wait: Wait = { ...awaited, seen, resolve, reject, release };
      gone.addEventListener('abort', leave);
      this.waits.add(wait);
      void this.lookWhileWaitedFor();
    });
  }

  /** Ends all waits, and refuses further ones. */
  close(): void {
    this.isClosed = true;
    for (const wait of this.waits) this.end(wait, ended);
  }

  private isFull(accountId: string): boolean {
    if (this.waits.size >= MAX_WAITS) return true;
    let count = 0;
    for (const { domain } of this.waits) if (domain.accountId === accountId) count += 1;
    return count >= MAX_WAITS_PER_ACCOUNT;
  }

  private end(wait: Wait, waited: Waited): void {
    this.forget(wait);
    wait.resolve(waited);
  }

  private forget(wait: Wait): void {
    this.waits.delete(wait);
    wait.release();
  }

  private async lookWhileWaitedFor(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    for (let pauseMs = FIRST_LOOK_MS; this.waits.size > 0; pauseMs = LOOK_INTERVAL_MS) {
      await pause(pauseMs);
      for (const waiting of this.byDomain()) await this.look(waiting);
    }
    this.isLooking = false;
  }

  /** @param waiting all for the same domain. */
  private async look(waiting: readonly Wait[]): Promise<void> {
    const first = waiting.find((wait) => this.waits.has(wait));
    if (first === undefined) return;
    try {
      const servings = await this.store.zoneServing(first.domain);
      for (const wait of waiting) {
        wait.seen = servings;
        if (isServed(servings, wait.serial)) this.end(wait, success(servings));
      }
    } catch (error) {
      for (const wait of waiting) {
        this.forget(wait);
        wait.reject(error);
      }
    }
  }

  private byDomain(): Iterable<readonly Wait[]> {
    const waiting = new Map<number, Wait[]>();
    for (const wait of this.waits) {
      const same = waiting.get(wait.domain.id);
      if (same === undefined) waiting.set(wait.domain.id, [wait]);
      else same.push(wait);
    }
    return waiting.values();
  }
}

const ended = refused('busy', 'The service is stopping, ask again');
const tooMany = refused('busy', 'Too many requests wait for nameservers already, ask again');

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
