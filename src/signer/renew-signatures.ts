/**
 * Keeps signatures from expiring:
 *
 *     each minute: is the clock right? ─▶ domains that are due, the most overdue first ─▶ command for each ─▶ rest
 *
 * The keys are where writes are decided; nothing here sees them. Several processes on one database may renew the same
 * domain: the second command finds nothing to do. Every step can be repeated.
 */
import type { DueDomain } from '../store/signing-reads.ts';
import type { Store } from '../store/store.ts';
import { restAfter } from '../store/writer-rest.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';
import { FailingDomains } from './failing-domains.ts';
import { WatchLoop } from './watch-loop.ts';
import { pause, spread, type WatchOptions } from './watch-options.ts';

export interface RenewalOptions extends WatchOptions {
  readonly store: Pick<Store, 'write' | 'signing'>;
}

export interface RenewalFigures {
  /** Domains that were due at the last look, counted to `MAX_COUNTED`. */
  readonly due: number;
  /** For how long the most overdue domain has been due; 0 if none is. */
  readonly overdueSeconds: number;
  /** Commands since the start that have renewed signatures. */
  readonly renewed: number;
  /** Commands since the start that have failed. */
  readonly failures: number;
  /** Why nothing is renewed; undefined if it is. */
  readonly clockDoubt: string | undefined;
}

/** A domain is due two weeks before its signatures expire, so minutes do not matter. */
const LOOK_INTERVAL_MS = 60_000;

/** Rows of one query. */
const PAGE_ROWS = 100;

/** Counting so many rows of an index takes about a millisecond. */
const MAX_COUNTED = 10_000;

/** A command looks at a thousand names, and a domain has at most ten million records. */
const MAX_COMMANDS = 10_000;

/** A store that is away for a moment should be used soon, and one that is away for a night must not be asked each second. */
const FIRST_BACK_OFF_MS = 1000;

export class Renewal {
  private readonly options: RenewalOptions;
  private readonly failing = new FailingDomains();
  private readonly loop: WatchLoop;
  private due = 0;
  private oldestAtSeconds: number | undefined;
  private renewed = 0;
  private failures = 0;
  private clockDoubt: string | undefined;

  constructor(options: RenewalOptions) {
    this.options = options;
    this.loop = new WatchLoop({
      log: options.log,
      away: 'the store cannot be used to renew signatures; it is tried again',
      back: 'the renewal of signatures goes on',
    });
  }

  start(): void {
    this.loop.start(spread(FIRST_BACK_OFF_MS, this.options), () => this.look());
  }

  /** Resolves when the command in progress has ended; no other one is sent. */
  async close(): Promise<void> {
    await this.loop.close();
  }

  figures(): RenewalFigures {
    const { due, oldestAtSeconds, renewed, failures, clockDoubt } = this;
    const overdueSeconds =
      oldestAtSeconds === undefined ? 0 : Math.max(0, this.nowSeconds() - oldestAtSeconds);
    return { due, overdueSeconds, renewed, failures, clockDoubt };
  }

  /** Renews everything that is due; returns the milliseconds until the next look. Never rejects. */
  async look(): Promise<number> {
    this.clockDoubt = this.options.findClockDoubt();
    if (!(await this.loop.pass(() => this.lookOnce()))) this.failures++;
    return this.loop.backOffMs(FIRST_BACK_OFF_MS, LOOK_INTERVAL_MS) ?? spread(LOOK_INTERVAL_MS, this.options);
  }

  private async lookOnce(): Promise<void> {
    await this.count();
    if (this.options.canSign && this.clockDoubt === undefined) await this.renewDue();
    await this.count();
  }

  private async count(): Promise<void> {
    const { store } = this.options;
    const nowSeconds = this.nowSeconds();
    const oldest = (await store.signing.domainsDueForRenewal(nowSeconds, 1)).at(0);
    this.oldestAtSeconds = oldest?.renewAtSeconds;
    this.due = oldest === undefined ? 0 : await store.signing.countDueForRenewal(nowSeconds, MAX_COUNTED);
  }

  /** Each domain once: those that go on failing do not keep the ones after them waiting. */
  private async renewDue(): Promise<void> {
    const { store, monotonic } = this.options;
    let after: DueDomain | undefined;
    do {
      const page = await store.signing.domainsDueForRenewal(this.nowSeconds(), PAGE_ROWS, after);
      for (const domain of page) {
        if (this.loop.signal.aborted) return;
        if (!this.failing.isResting(domain.id, monotonic.elapsedMs())) await this.renewDomain(domain);
      }
      after = page.length < PAGE_ROWS ? undefined : page.at(-1);
    } while (after !== undefined);
  }

  private async renewDomain(domain: DueDomain): Promise<void> {
    const { monotonic } = this.options;
    let from: string | undefined;
    for (let commands = 0; commands < MAX_COMMANDS; commands++) {
      const startedMs = monotonic.elapsedMs();
      from = await this.renewSome(domain, from);
      const isRested = await pause(restAfter(monotonic.elapsedMs() - startedMs), this.loop.signal);
      if (from === undefined || !isRested) return;
    }
  }

  /**
   * Returns where the next command goes on; undefined if the domain needs none. A refused or failed command concerns its
   * domain alone.
   *
   * @throws StoreUnavailable or CommitInDoubt, which concern all domains
   */
  private async renewSome({ id, name }: DueDomain, from: string | undefined): Promise<string | undefined> {
    try {
      const result = await this.options.store.write({ kind: 'renewSignatures', domain: name, from });
      if (!result.ok) {
        // It has been deleted meanwhile.
        if (result.refusal.code === 'unknown_domain') return undefined;
        this.noteFailure(id, name, result.refusal.message);
        return undefined;
      }
      if (result.changed) this.renewed++;
      if (this.failing.remove(id)) this.options.log.info({ domain: name }, 'signatures are renewed again');
      return result.value.next ?? undefined;
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof CommitInDoubt) throw error;
      this.noteFailure(id, name, error);
      return undefined;
    }
  }

  private noteFailure(id: number, domain: string, reason: unknown): void {
    const { log, monotonic } = this.options;
    this.failures++;
    if (!this.failing.addFailure(id, monotonic.elapsedMs())) return;
    const fields = reason instanceof Error ? { domain, err: reason } : { domain, reason };
    log.warn(fields, 'signatures cannot be renewed; this domain is tried again and again');
  }

  private nowSeconds(): number {
    return Math.floor(this.options.clock.nowMs() / 1000);
  }
}
