// Rule 35 between two processes: a write is answered when the nameserver process beside this one serves it.
//
//   new write ─▶ gate open? ─▶ commit ─▶ wake ─▶ served ─▶ answer
//                  └ closed: wait ─▶ StoreUnavailable, nothing committed
//
// The gate is closed while the nameserver process is away, does not follow the store, or is late with what was committed.
// Domains that are served in a former version concern nobody but their own writers, who wait until the new one is loaded.
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';
import type { ZoneName } from '../model/domain.ts';
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

/**
 * A write to a domain that is served in a former version waits forty seconds: the nameserver process ends that after thirty
 * (`MAX_FORMER_MS`), whatever has happened. A zone copy may have fetched the content before, for some seconds.
 */
const SHOWN_TICKS = 160;

/** A healthy nameserver process serves a batch within milliseconds; one that needs a second takes no further ones. */
const LATE_TICKS = 4;

/**
 * Each wait is longer by a tick for so many changes that are not served yet: a zone copy that has to apply them does so in that
 * time. Followers skip most of an import, which is 400,000 changes at most, and no sign of a process that is late.
 */
const CHANGES_PER_TICK = 16_000;

/** Twice what an import takes. */
const MAX_EXTRA_TICKS = 50;

/** The nameserver process sends its state each second; after three it is stopped, or hangs. */
const SILENT_TICKS = 12;

/** Writes that wait for the gate: as many as a store queues. */
const MAX_WAITING_WRITES = 8192;

interface Wait {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly sinceTick: number;
}

interface CommittedWait extends Wait {
  readonly seq: number;
  /** See `CHANGES_PER_TICK`. */
  readonly extraTicks: number;
}

/** A write whose changes are applied, to a domain that is served in a former version. */
interface ShownWait extends Wait {
  readonly domain: ZoneName;
  readonly seq: number;
  /** When the nameserver process last said that it was loading the domain. */
  loadingAtTick: number;
}

/** `away`: not connected; `silent`: it sends nothing; `behind`: late, or without a connection to the database. */
export type NameserverCondition = 'serving' | 'away' | 'silent' | 'behind';

export class ServedGate implements ServedWrites {
  readonly wakePath: string | undefined;
  private readonly link: LinkClient;
  private readonly timer: NodeJS.Timeout;
  private tick = 0;
  private heardAtTick = 0;
  private wokenSeq = 0;
  private known: NameserverCondition = 'away';
  /** Committed and not served yet; oldest first. */
  private committed: CommittedWait[] = [];
  /** Applied and not shown yet; oldest first. */
  private hidden: ShownWait[] = [];
  /** Not admitted yet; oldest first. */
  private readonly waiting: Wait[] = [];

  /** @param wakePath see `ServedWrites` */
  constructor(link: LinkClient, wakePath?: string) {
    this.link = link;
    this.wakePath = wakePath;
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

  serves(name: ZoneName): boolean {
    const doubt = this.link.state?.doubt;
    if (doubt === undefined || doubt.zones === undefined) return doubt?.about !== 'all';
    return !doubt.zones.includes(name);
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
    if (this.wakePath === undefined) this.wake(seq);
    const extraTicks = state?.phase === 'following' ? ticksFor(seq - state.seq) : 0;
    return new Promise((resolve, reject) => {
      this.committed.push({ seq, extraTicks, resolve, reject, sinceTick: this.tick });
    });
  }

  whenShown(domain: ZoneName, seq: number): Promise<void> | undefined {
    if (this.isShown(domain, seq)) return undefined;
    const { tick } = this;
    return new Promise((resolve, reject) => {
      this.hidden.push({ domain, seq, resolve, reject, sinceTick: tick, loadingAtTick: tick });
    });
  }

  formerSerial(domain: ZoneName): number | null | undefined {
    return this.link.state?.former.find(({ name }) => name === domain)?.serial;
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
      if (this.known !== 'serving' && this.committed.length > 0) this.wake(last.seq);
    }
    this.answerShown();
    this.judge();
  }

  private answer(servedSeq: number): void {
    const { committed } = this;
    this.committed = committed.filter(({ seq }) => seq > servedSeq);
    for (const { seq, resolve } of committed) if (seq <= servedSeq) resolve();
  }

  private answerShown(): void {
    const { hidden } = this;
    if (hidden.length === 0) return;
    this.hidden = hidden.filter(({ domain, seq }) => !this.isShown(domain, seq));
    const left = new Set(this.hidden);
    for (const wait of hidden) if (!left.has(wait)) wait.resolve();
  }

  /** False also while nothing is known of the nameserver process: a successor may not have the change yet. */
  private isShown(domain: ZoneName, seq: number): boolean {
    const { state } = this.link;
    return state !== undefined && state.seq >= seq && this.formerSerial(domain) === undefined;
  }

  private count(): void {
    this.tick++;
    this.wakeAgain();
    this.giveUpHidden();
    while (this.isLate(SERVED_TICKS))
      this.committed.shift()?.reject(new CommitInDoubt('it is committed, but not served in time'));
    while (this.isOlder(this.waiting[0], ADMISSION_TICKS)) this.waiting.shift()?.reject(this.refusal());
    this.judge();
  }

  /** The writer's own wake may be lost, with the process that should have read it. */
  private wakeAgain(): void {
    const last = this.committed.at(-1);
    if (last !== undefined && last.seq > this.wokenSeq && this.isLate(1)) this.wake(last.seq);
  }

  private wake(seq: number): void {
    this.wokenSeq = seq;
    this.link.wake(seq);
  }

  private giveUpHidden(): void {
    for (const wait of this.hidden) {
      if (this.formerSerial(wait.domain) !== undefined) wait.loadingAtTick = this.tick;
      const isLost = this.tick - wait.loadingAtTick >= SERVED_TICKS;
      if (!isLost && !this.isOlder(wait, SHOWN_TICKS)) continue;
      this.hidden = this.hidden.filter((other) => other !== wait);
      wait.reject(new CommitInDoubt('it is committed, but not served in time'));
    }
  }

  private judge(): void {
    this.known = this.findCondition();
    if (this.known === 'serving') for (const { resolve } of this.waiting.splice(0)) resolve();
  }

  private findCondition(): NameserverCondition {
    const { state } = this.link;
    if (state === undefined) return 'away';
    if (this.tick - this.heardAtTick >= SILENT_TICKS) return 'silent';
    if (state.phase !== 'following' || this.isLate(LATE_TICKS)) return 'behind';
    return 'serving';
  }

  /** Whether the oldest committed write has waited for so long. */
  private isLate(ticks: number): boolean {
    const first = this.committed.at(0);
    return this.isOlder(first, ticks + (first?.extraTicks ?? 0));
  }

  private isOlder(wait: Wait | undefined, ticks: number): boolean {
    return wait !== undefined && this.tick - wait.sinceTick >= ticks;
  }

  private refusal(): StoreUnavailable {
    return new StoreUnavailable(`the nameserver process is ${this.known}; nothing was written`);
  }
}

function ticksFor(changes: number): number {
  return Math.min(Math.floor(changes / CHANGES_PER_TICK), MAX_EXTRA_TICKS);
}
