/**
 * Makes and removes the signatures of large domains in slices:
 *
 *     each second: domains with `SigningWork`, accounts in turn ─▶ one slice of each ─▶ again, while there is any
 *
 * The keys are where writes are decided; nothing here sees them. Several processes on one database may take the same slice:
 * each command names the work that was seen, so the second one changes nothing. After a restart, work goes on where it was.
 */
import { interleave } from '../base/interleave.ts';
import type { SigningReads, WorkedDomain } from '../store/signing-reads.ts';
import type { Store } from '../store/store.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';
import { FailingDomains } from './failing-domains.ts';
import { readPages } from './read-pages.ts';
import { WatchLoop } from './watch-loop.ts';
import { spread, type WatchOptions } from './watch-options.ts';

export interface SigningSlicesOptions extends WatchOptions {
  readonly store: Pick<Store, 'write'> & { readonly signing: Pick<SigningReads, 'domainsInSigning'> };
}

export interface SigningSlicesFigures {
  /** Domains with work at the last look, counted to `MAX_WATCHED`. */
  readonly inProgress: number;
  /** Slices since the start. */
  readonly slices: number;
  /** Slices since the start that have failed. */
  readonly failures: number;
}

/** Somebody waits for the work to begin. The query reads an index that is empty most of the time. */
const LOOK_INTERVAL_MS = 1000;

/** Rows of one query. */
const PAGE_ROWS = 100;

/** The most domains that are looked at; those beyond wait until others are done. */
const MAX_WATCHED = 10_000;

/**
 * After that time, the domains are read again, so that an account that comes with work waits no longer for the domains of
 * others.
 */
const PASS_MS = 1000;

/** Another process has taken the slice: it is left alone for so long, so that both do not do the same work. */
const YIELD_MS = 5000;

/** The owner has to remove the cause of a problem first, and expects the work to go on soon. */
const PROBLEM_MS = 30_000;

const LONGEST_BACK_OFF_MS = 60_000;

export class SigningSlices {
  private readonly options: SigningSlicesOptions;
  private readonly failing = new FailingDomains();
  private readonly loop: WatchLoop;
  /** The monotonic time until which a domain is left alone, by its id. */
  private readonly restingUntilMs = new Map<number, number>();
  private inProgress = 0;
  private slices = 0;
  private failures = 0;

  constructor(options: SigningSlicesOptions) {
    this.options = options;
    this.loop = new WatchLoop({
      log: options.log,
      away: 'the store cannot be used to sign large domains; it is tried again',
      back: 'large domains are signed on',
    });
  }

  start(): void {
    this.loop.start(this.pauseMs(false), async () => this.pauseMs(await this.look()));
  }

  /** Resolves when the slice in progress has ended. */
  async close(): Promise<void> {
    await this.loop.close();
  }

  figures(): SigningSlicesFigures {
    const { inProgress, slices, failures } = this;
    return { inProgress, slices, failures };
  }

  /** Takes slices of all domains in turn for about `PASS_MS`; returns false if none was taken. Never rejects. */
  async look(): Promise<boolean> {
    const before = this.slices;
    if (!(await this.loop.pass(() => this.lookOnce()))) this.failures++;
    return this.slices > before;
  }

  private async lookOnce(): Promise<void> {
    const domains = await this.findDomains();
    this.inProgress = domains.length;
    this.forgetOthers(domains);
    if (this.options.canSign && this.options.findClockDoubt() === undefined) await this.pass(domains);
  }

  private pauseMs(hasTaken: boolean): number {
    const backOffMs = this.loop.backOffMs(LOOK_INTERVAL_MS, LONGEST_BACK_OFF_MS);
    return spread(backOffMs ?? (hasTaken ? 0 : LOOK_INTERVAL_MS), this.options);
  }

  private async findDomains(): Promise<readonly WorkedDomain[]> {
    const { signing } = this.options.store;
    const found: WorkedDomain[] = [];
    const pages = readPages(PAGE_ROWS, (last: WorkedDomain | undefined) =>
      signing.domainsInSigning(PAGE_ROWS, last?.id ?? 0),
    );
    for await (const page of pages) {
      found.push(...page);
      if (found.length >= MAX_WATCHED) break;
    }
    return found;
  }

  private async pass(domains: readonly WorkedDomain[]): Promise<void> {
    const { monotonic } = this.options;
    const startedMs = monotonic.elapsedMs();
    let waiting = interleave(domains, ({ accountId }) => accountId);
    while (waiting.length > 0) {
      const left: WorkedDomain[] = [];
      for (const domain of waiting) {
        const nowMs = monotonic.elapsedMs();
        if (this.loop.signal.aborted || nowMs - startedMs > PASS_MS) return;
        if (this.isResting(domain.id, nowMs)) continue;
        const next = await this.takeSlice(domain);
        if (next !== undefined) left.push(next);
      }
      waiting = left;
    }
  }

  private isResting(id: number, nowMs: number): boolean {
    return (this.restingUntilMs.get(id) ?? 0) > nowMs || this.failing.isResting(id, nowMs);
  }

  /**
   * Returns the domain with the work that is left; undefined: there is none, or it has to wait. A refused or failed command
   * concerns its domain alone.
   *
   * @throws StoreUnavailable or CommitInDoubt, which concern all domains
   */
  private async takeSlice(domain: WorkedDomain): Promise<WorkedDomain | undefined> {
    const { store, log, monotonic } = this.options;
    const { id, name, work } = domain;
    try {
      const result = await store.write({ kind: 'signSlice', domain: name, work });
      if (!result.ok) {
        // It has been deleted meanwhile.
        if (result.refusal.code !== 'unknown_domain') this.noteFailure(domain, result.refusal.message);
        return undefined;
      }
      if (this.failing.remove(id)) log.info({ domain: name }, 'a large domain is signed on');
      const { moved, work: left } = result.value;
      if (!moved) this.restingUntilMs.set(id, monotonic.elapsedMs() + spread(YIELD_MS, this.options));
      else this.slices++;
      if (left !== null && left.problem !== null)
        this.restingUntilMs.set(id, monotonic.elapsedMs() + PROBLEM_MS);
      return moved && left !== null && left.problem === null ? { ...domain, work: left } : undefined;
    } catch (error) {
      if (error instanceof StoreUnavailable || error instanceof CommitInDoubt) throw error;
      this.noteFailure(domain, error);
      return undefined;
    }
  }

  private noteFailure({ id, name }: WorkedDomain, reason: unknown): void {
    const { log, monotonic } = this.options;
    this.failures++;
    if (!this.failing.addFailure(id, monotonic.elapsedMs())) return;
    const fields = reason instanceof Error ? { domain: name, err: reason } : { domain: name, reason };
    log.warn(fields, 'a large domain cannot be signed on; this is tried again and again');
  }

  private forgetOthers(domains: readonly WorkedDomain[]): void {
    const ids = new Set(domains.map(({ id }) => id));
    for (const id of this.restingUntilMs.keys()) if (!ids.has(id)) this.restingUntilMs.delete(id);
  }
}
