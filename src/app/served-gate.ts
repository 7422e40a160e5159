// Rule 35 between two processes: a write is answered when the nameserver process beside this one serves it.
//
//   new write ─▶ gate open? ─▶ commit ─▶ wake ─▶ served ─▶ answer
//                  └ closed: wait ─▶ StoreUnavailable, nothing committed
//
// The gate is closed while the nameserver process is away, does not follow the store, or is late with what was committed.
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';
import type { ServedWrites } from '../store/after-commit.ts';
import type { LinkClient } from './link-client.ts';

/**
 * Waits are counted in ticks and not on a clock: after this process was stopped there is one late tick, and then the messages
 * that have arrived meanwhile are read.
 */
const TICK_MS = 250;

/** A new write waits two seconds, as long as a nameserver process takes to start on a busy machine. */
const ADMISSION_TICKS = 8;

/** A committed write waits ten seconds: a restart takes one, and clients and proxies give up after some 30. */
const SERVED_TICKS = 40;

/** A healthy nameserver process serves a batch within milliseconds; one that needs a second takes no further ones. */
const LATE_TICKS = 4;

/** The nameserver process sends its state each second; after three it is stopped, or hangs. */
const SILENT_TICKS = 12;

/** Writes that wait for the gate: as many as a store queues. */
const MAX_WAITING_WRITES = 8192;

interface Wait {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly sinceTick: number;
}

/** `away`: not connected; `silent`: it sends nothing; `behind`: late, or without a connection to the database. */
export type NameserverCondition = 'serving' | 'away' | 'silent' | 'behind';

export class ServedGate implements ServedWrites {
  private readonly link: LinkClient;
  private readonly timer: NodeJS.Timeout;
  private tick = 0;
  private heardAtTick = 0;
  private known: NameserverCondition = 'away';
  /** Committed and not served yet; oldest first. */
  private committed: (Wait & { readonly seq: number })[] = [];
  /** Not admitted yet; oldest first. */
  private readonly waiting: Wait[] = [];

  constructor(link: LinkClient) {
    this.link = link;
    link.onMessage(() => this.hear());
    this.timer = setInterval(() => this.count(), TICK_MS);
  }

  /** Whether the nameserver process serves what is written. */
  get condition(): NameserverCondition {
    return this.known;
  }

  isServing(): boolean {
    return this.known === 'serving';
  }

  beforeWrite(): Promise<void> | undefined {
    if (this.known === 'serving') return undefined;
    if (this.waiting.length >= MAX_WAITING_WRITES) return Promise.reject(this.refusal());
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject, sinceTick: this.tick });
    });
  }

  afterCommit(seq: number): Promise<void> {
    const { state } = this.link;
    if (state !== undefined && state.seq >= seq) return Promise.resolve();
    this.link.wake(seq);
    return new Promise((resolve, reject) => {
      this.committed.push({ seq, resolve, reject, sinceTick: this.tick });
    });
  }

  /** Refuses what waits for admission. */
  close(): void {
    clearInterval(this.timer);
    for (const { reject } of this.waiting.splice(0)) reject(this.refusal());
  }

  private hear(): void {
    this.heardAtTick = this.tick;
    const { state } = this.link;
    const last = this.committed.at(-1);
    if (state !== undefined && last !== undefined) {
      this.answer(state.seq);
      // A nameserver process that has just started knows of no wake.
      if (this.known !== 'serving' && this.committed.length > 0) this.link.wake(last.seq);
    }
    this.judge();
  }

  private answer(servedSeq: number): void {
    const { committed } = this;
    this.committed = committed.filter(({ seq }) => seq > servedSeq);
    for (const { seq, resolve } of committed) if (seq <= servedSeq) resolve();
  }

  private count(): void {
    this.tick++;
    while (this.isOlder(this.committed[0], SERVED_TICKS))
      this.committed.shift()?.reject(new CommitInDoubt('it is committed, but not served in time'));
    while (this.isOlder(this.waiting[0], ADMISSION_TICKS)) this.waiting.shift()?.reject(this.refusal());
    this.judge();
  }

  private judge(): void {
    this.known = this.findCondition();
    if (this.known === 'serving') for (const { resolve } of this.waiting.splice(0)) resolve();
  }

  private findCondition(): NameserverCondition {
    const { state } = this.link;
    if (state === undefined) return 'away';
    if (this.tick - this.heardAtTick >= SILENT_TICKS) return 'silent';
    if (state.phase !== 'following' || this.isOlder(this.committed[0], LATE_TICKS)) return 'behind';
    return 'serving';
  }

  private isOlder(wait: Wait | undefined, ticks: number): boolean {
    return wait !== undefined && this.tick - wait.sinceTick >= ticks;
  }

  private refusal(): StoreUnavailable {
    return new StoreUnavailable(`the nameserver process is ${this.known}; nothing was written`);
  }
}
