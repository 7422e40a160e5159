/**
 * Carries rollovers and withdrawals on:
 *
 *     each minute: domains with a rollover, accounts in turn ─▶ look at servers ─▶ `nextAction` ─▶ command, or a rest
 *
 * The keys are where writes are decided; nothing here sees them. Several processes on one database may watch the same
 * domain: each command names the step that was seen, so the second one finds nothing to do.
 */
import { interleave } from '../../base/interleave.ts';
import { runConcurrently } from '../../base/run-concurrently.ts';
import type { RolloverDomain } from '../../store/signing-reads.ts';
import type { Store } from '../../store/store.ts';
import { FailingDomains } from '../failing-domains.ts';
import { readPages } from '../read-pages.ts';
import { WatchLoop } from '../watch-loop.ts';
import { spread, type WatchOptions } from '../watch-options.ts';
import { carryOn, type RolloverContext } from './carry-on.ts';
import { RolloverRests } from './rollover-rests.ts';

export interface RolloverWatchOptions extends WatchOptions, Omit<RolloverContext, 'nowSeconds'> {
  readonly store: RolloverContext['store'] & Pick<Store, 'signing'>;
}

export interface RolloverFigures {
  /** Domains with a rollover or a withdrawal at the last look, counted to `MAX_WATCHED`. */
  readonly inProgress: number;
  /** Commands since the start that have carried one on. */
  readonly moved: number;
  /** Looks and commands since the start that have failed. */
  readonly failures: number;
}

/** Steps last for an hour at least. */
const LOOK_INTERVAL_MS = 60_000;

/** Rows of one query. */
const PAGE_ROWS = 1000;

/** The most domains that are watched; those beyond wait until others are done. */
const MAX_WATCHED = 100_000;

/** A look takes up to sixteen seconds if servers are silent, and a few milliseconds of the processor. */
const LOOKS_AT_ONCE = 4;

/** After that time, a pass begins again with the first domain of each account: nobody waits behind one with thousands. */
const PASS_MS = 300_000;

export class RolloverWatch {
  private readonly options: RolloverWatchOptions;
  private readonly loop: WatchLoop;
  private readonly failing = new FailingDomains();
  private readonly rests = new RolloverRests();
  private inProgress = 0;
  private moved = 0;
  private failures = 0;

  constructor(options: RolloverWatchOptions) {
    this.options = options;
    this.loop = new WatchLoop({
      log: options.log,
      away: 'the store cannot be used for key rollovers; it is tried again',
      back: 'key rollovers go on',
    });
  }

  start(): void {
    const pauseMs = (): number => spread(LOOK_INTERVAL_MS, this.options);
    this.loop.start(pauseMs(), () => this.look().then(pauseMs));
  }

  /** Resolves when the looks in progress have ended. */
  async close(): Promise<void> {
    await this.loop.close();
  }

  figures(): RolloverFigures {
    const { inProgress, moved, failures } = this;
    return { inProgress, moved, failures };
  }

  /** Looks at all domains that do not rest, and carries on what can be. Never rejects. */
  async look(): Promise<void> {
    if (!(await this.loop.pass(() => this.lookOnce()))) this.failures++;
  }

  private async lookOnce(): Promise<void> {
    const domains = await this.findDomains();
    this.inProgress = domains.length;
    this.forgetOthers(domains);
    if (this.options.canSign && this.options.findClockDoubt() === undefined) await this.lookAtAll(domains);
  }

  private async findDomains(): Promise<readonly RolloverDomain[]> {
    const { signing } = this.options.store;
    const found: RolloverDomain[] = [];
    const pages = readPages(PAGE_ROWS, (last: RolloverDomain | undefined) =>
      signing.domainsInRollover(PAGE_ROWS, last?.id ?? 0),
    );
    for await (const page of pages) {
      found.push(...page);
      if (found.length >= MAX_WATCHED) break;
    }
    return found;
  }

  private async lookAtAll(domains: readonly RolloverDomain[]): Promise<void> {
    const { monotonic } = this.options;
    const startedMs = monotonic.elapsedMs();
    const isOver = (): boolean => this.loop.signal.aborted || monotonic.elapsedMs() - startedMs > PASS_MS;
    const due = domains.filter(({ id }) => !this.isResting(id, startedMs));
    const inTurn = interleave(due, ({ accountId }) => accountId);
    await runConcurrently(inTurn, LOOKS_AT_ONCE, async (domain) => {
      if (!isOver()) await this.lookAt(domain);
    });
  }

  private isResting(id: number, nowMs: number): boolean {
    return this.rests.isResting(id, nowMs) || this.failing.isResting(id, nowMs);
  }

  /** A failure concerns its domain alone, but a store that is away concerns all. */
  private async lookAt(domain: RolloverDomain): Promise<void> {
    const { clock, monotonic, log } = this.options;
    const { id, name } = domain;
    const nowSeconds = Math.floor(clock.nowMs() / 1000);
    const result = await carryOn(domain, { ...this.options, nowSeconds });
    const nowMs = monotonic.elapsedMs();
    switch (result.kind) {
      case 'moved':
        this.moved++;
        this.rests.end(id);
        break;
      case 'waiting':
        this.rests.add(id, nowMs, result.untilSeconds === null ? null : result.untilSeconds - nowSeconds);
        break;
      case 'failed':
        this.failures++;
        if (this.failing.addFailure(id, nowMs))
          log.warn({ domain: name, reason: result.reason }, 'a key rollover cannot go on; it is tried again');
        return;
    }
    if (this.failing.remove(id)) log.info({ domain: name }, 'a key rollover goes on again');
  }

  private forgetOthers(domains: readonly RolloverDomain[]): void {
    const ids = new Set(domains.map(({ id }) => id));
    this.rests.keepOnly(ids);
  }
}
