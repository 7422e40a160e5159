/**
 * Looks again and again whether control of unverified domains was shown:
 *
 *     unverified domains ─┬▶ older than four weeks ─▶ deleted
 *                         ├▶ the service no longer asks for control ─▶ served
 *                         └▶ due: look at parent zone and nameservers, some at a time ─▶ proof ─▶ verified, and served
 *
 * Pauses grow from a minute to six hours. A domain is changed only if it is still the one that was seen, so that several
 * processes on one database may watch the same domains.
 */
import { interleave } from '../base/interleave.ts';
import { runConcurrently } from '../base/run-concurrently.ts';
import type { DomainName } from '../dns/name.ts';
import { APEX, ownerDomainName } from '../model/record-name.ts';
import { readPages } from '../signer/read-pages.ts';
import { RolloverRests } from '../signer/rollover/rollover-rests.ts';
import { WatchLoop } from '../signer/watch-loop.ts';
import { spread, type WatchOptions } from '../signer/watch-options.ts';
import type { ClaimReads, UnverifiedDomain } from '../store/claim-reads.ts';
import type { Store } from '../store/store.ts';
import { serviceAuthor } from '../writes/author.ts';
import type { ClaimLook } from './claim-looks.ts';
import { findProof, type WantedProof } from './find-proof.ts';
import { WatchedDomains, type WatchedLimits } from './watched-domains.ts';

export interface ClaimWatchOptions extends Omit<WatchOptions, 'canSign'> {
  readonly store: Pick<Store, 'write'> & { readonly claims: Pick<ClaimReads, 'unverifiedDomains'> };
  /** Nobody has to show control: what is unverified from before is served. */
  readonly isOpen: boolean;
  /** @param lane looks of the same lane follow each other; less than `CLAIM_LOOKS_AT_ONCE` */
  readonly look: (domain: UnverifiedDomain, name: DomainName, lane: number) => Promise<ClaimLook>;
  readonly wantedOf: (domain: UnverifiedDomain) => Promise<WantedProof>;
  readonly limits?: ClaimWatchLimits;
}

export interface ClaimWatchLimits extends WatchedLimits {
  readonly pageRows: number;
}

export interface ClaimFigures {
  /** Unverified domains of all accounts. */
  readonly unverified: number;
  /** Since the start, by this process. */
  readonly verified: number;
  readonly expired: number;
  /** Passes since the start that have failed. */
  readonly failures: number;
}

/** A new domain is looked at within a minute or so. */
const LOOK_INTERVAL_MS = 30_000;

/** After that time, new domains come first again. */
const LOOKS_MS = 30_000;

/** A domain that is not proven in days is proven by somebody who asks for a look, see `ClaimLooks`. */
const LONGEST_REST_MS = 6 * 3_600_000;

/** A look takes up to sixteen seconds if servers are silent. */
export const CLAIM_LOOKS_AT_ONCE = 4;

export const claimWatchLimits: ClaimWatchLimits = {
  /** As many as can be looked at within the longest rest, if each takes a second. They are kept in memory in a pass. */
  domains: 100_000,
  /** The most domains of one account that are looked at without being asked for, so that nobody delays all others. */
  ofAccount: 1_000,
  /** Domains that are deleted in one pass: a second of the writer, in short commands. */
  expiredAtOnce: 500,
  /** Rows of one query; each query uses an index. */
  pageRows: 1_000,
};

export class ClaimWatch {
  private readonly options: ClaimWatchOptions;
  private readonly loop: WatchLoop;
  private readonly rests = new RolloverRests(LONGEST_REST_MS);
  private unverified = 0;
  private verified = 0;
  private expired = 0;
  private failures = 0;
  private isFull = false;
  /** So that domains that cannot be deleted delay no others. */
  private expiredAfterId = 0;

  constructor(options: ClaimWatchOptions) {
    this.options = options;
    this.loop = new WatchLoop({
      log: options.log,
      away: 'unverified domains cannot be looked after; this is tried again',
      back: 'unverified domains are looked after again',
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

  figures(): ClaimFigures {
    const { unverified, verified, expired, failures } = this;
    return { unverified, verified, expired, failures };
  }

  /** One pass. Never rejects. */
  async look(): Promise<void> {
    if (!(await this.loop.pass(() => this.lookOnce()))) this.failures++;
  }

  private async lookOnce(): Promise<void> {
    const watched = await this.readAll();
    const domains = watched.all();
    this.unverified = watched.count;
    this.noteFull(watched.isFull);
    this.rests.keepOnly(new Set(domains.map(({ id }) => id)));
    await this.deleteExpired(watched.expired);
    await this.lookAtAll(domains);
  }

  /** Reads all, because those of one account may fill any number of pages. */
  private async readAll(): Promise<WatchedDomains> {
    const { store, clock, limits = claimWatchLimits } = this.options;
    const { expiredAfterId } = this;
    const watched = new WatchedDomains({ limits, nowMs: clock.nowMs(), expiredAfterId });
    const { pageRows } = limits;
    const pages = readPages(pageRows, (last: UnverifiedDomain | undefined) =>
      store.claims.unverifiedDomains(pageRows, last?.id ?? 0),
    );
    for await (const page of pages) {
      for (const domain of page) watched.add(domain);
      if (this.loop.signal.aborted) break;
    }
    return watched;
  }

  /** Not while the clock may be ahead. */
  private async deleteExpired(domains: readonly UnverifiedDomain[]): Promise<void> {
    const { store, clock, findClockDoubt, limits = claimWatchLimits } = this.options;
    if (findClockDoubt() !== undefined) return;
    this.expiredAfterId = domains.length < limits.expiredAtOnce ? 0 : domains[domains.length - 1].id;
    for (const { id, name, sinceSeconds } of domains) {
      if (this.loop.signal.aborted) return;
      const about = { domain: name, id, sinceSeconds };
      const author = serviceAuthor(clock.nowMs());
      const result = await store.write({ kind: 'expireClaim', author, ...about });
      if (result.ok && result.value.expired) this.expired++;
    }
  }

  private async lookAtAll(domains: readonly UnverifiedDomain[]): Promise<void> {
    const { monotonic } = this.options;
    const startedMs = monotonic.elapsedMs();
    const isOver = (): boolean => this.loop.signal.aborted || monotonic.elapsedMs() - startedMs > LOOKS_MS;
    const due = domains.filter(({ id }) => !this.rests.isResting(id, startedMs));
    const inTurn = interleave(due, ({ accountId }) => accountId);
    const lanes = Array.from({ length: CLAIM_LOOKS_AT_ONCE }, (_, lane) => lane);
    await runConcurrently(inTurn, lanes.length, async (domain) => {
      if (isOver()) return;
      const lane = lanes.pop() ?? 0;
      await this.lookAt(domain, lane);
      lanes.push(lane);
    });
  }

  private async lookAt(domain: UnverifiedDomain, lane: number): Promise<void> {
    const { store, look, wantedOf, monotonic, clock, isOpen } = this.options;
    const { id, name } = domain;
    if (isOpen && (await this.open(domain))) return;
    const found = await look(domain, ownerDomainName(APEX, name), lane);
    // Customers who ask for a look come first.
    if (found.kind === 'unknown' && found.isBusy === true) return;
    this.rests.add(id, monotonic.elapsedMs(), null);
    const proof = found.kind === 'asked' ? findProof(found.sight, await wantedOf(domain)) : undefined;
    if (proof === undefined) return;
    const author = serviceAuthor(clock.nowMs());
    const result = await store.write({ kind: 'settleClaim', author, domain: name, id, proof });
    if (result.ok && result.value.settled) this.verified++;
  }

  /** Returns whether the domain is served now; not if it is above or below a domain of another account. */
  private async open({ id, name }: UnverifiedDomain): Promise<boolean> {
    const { store, clock } = this.options;
    const author = serviceAuthor(clock.nowMs());
    const result = await store.write({ kind: 'openClaim', author, domain: name, id });
    return result.ok && result.value.settled;
  }

  private noteFull(isFull: boolean): void {
    if (isFull && !this.isFull)
      this.options.log.warn(
        {},
        'so many accounts have unverified domains that some are looked at only when asked for',
      );
    this.isFull = isFull;
  }
}
