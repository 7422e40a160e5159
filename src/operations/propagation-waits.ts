// Requests that wait until all nameservers serve a serial. One loop polls the store for all of them, one domain at a time
// and only while requests wait. So however many wait, the store handles one query at a time.
import type { Domain } from '../model/domain.ts';
import { refused, success, type Result } from '../model/result.ts';
import type { Store, ServedSerial } from '../store/store.ts';
import { isServed } from './propagation.ts';

/** Each holds one of the HTTP server's 4,096 connections; three quarters remain for other requests. */
export const MAX_WAITS = 1024;

/** An eighth of all, so that one account cannot keep the others from waiting. */
export const MAX_WAITS_PER_ACCOUNT = 128;

/** Nameservers are usually current about 10 ms after a write, so most waits end with the first poll. */
const FIRST_POLL_MS = 10;

/** A nameserver that is still behind has a reason to be; polling more often would cost more and help little. */
const POLL_INTERVAL_MS = 50;

export interface AwaitedSerial {
  readonly domain: Domain;
  readonly serial: number;
  readonly timeoutMs: number;
}

type Waited = Result<readonly ServedSerial[]>;

interface Wait extends AwaitedSerial {
  /** The latest served serials. */
  seen: readonly ServedSerial[];
  readonly resolve: (waited: Waited) => void;
  readonly reject: (error: unknown) => void;
  /** Releases timer and listener. */
  readonly release: () => void;
}

export class PropagationWaits {
  private readonly store: Pick<Store, 'servedSerials'>;
  private readonly waits = new Set<Wait>();
  private isPolling = false;
  private isClosed = false;

  constructor(store: Pick<Store, 'servedSerials'>) {
    this.store = store;
  }

  /**
   * Resolves with the latest served serials as soon as all live nameservers serve that serial or a later one, or when the
   * time is up. Refused if too many requests wait, and when the waits are closed. Rejects with `StoreUnavailable`.
   *
   * @param seen the served serials that the caller has just read
   * @param signal ends the wait
   */
  wait(awaited: AwaitedSerial, seen: readonly ServedSerial[], signal: AbortSignal): Promise<Waited> {
    if (this.isClosed || signal.aborted) return Promise.resolve(ended);
    if (this.isFull(awaited.domain.accountId)) return Promise.resolve(tooMany);
    return new Promise((resolve, reject) => {
      const leave = (): void => this.end(wait, ended);
      const timer = setTimeout(() => this.end(wait, success(wait.seen)), awaited.timeoutMs);
      const release = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      };
      const wait: Wait = { ...awaited, seen, resolve, reject, release };
      signal.addEventListener('abort', leave);
      this.waits.add(wait);
      void this.pollWhileWaitedFor();
    });
  }

  /** Ends all waits and refuses new ones. */
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

  private async pollWhileWaitedFor(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    for (let pauseMs = FIRST_POLL_MS; this.waits.size > 0; pauseMs = POLL_INTERVAL_MS) {
      await pause(pauseMs);
      for (const waiting of this.byDomain()) await this.poll(waiting);
    }
    this.isPolling = false;
  }

  /** @param waiting waits for the same domain */
  private async poll(waiting: readonly Wait[]): Promise<void> {
    const first = waiting.find((wait) => this.waits.has(wait));
    if (first === undefined) return;
    try {
      const served = await this.store.servedSerials(first.domain);
      for (const wait of waiting) {
        wait.seen = served;
        if (isServed(served, wait.serial)) this.end(wait, success(served));
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

const ended = refused('busy', 'The service is stopping; try again');
const tooMany = refused('busy', 'Too many requests are waiting for nameservers; try again');

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
