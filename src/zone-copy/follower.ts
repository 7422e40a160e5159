// Applies the feed to the copy and publishes the resulting zone updates, in a loop:
//
//   notification, or one second ─▶ read whole batches ─▶ apply them in one transaction ─▶ publish ─▶ read again
//                                    ├ unknown position, other digest ─▶ copy a snapshot ────┤
//                                    ├ damaged zone ─▶ copy that zone ───────────────────────┤
//                                    └ very large change ─▶ fetch that zone beside the loop ─┘
//
// Never misses a change and never applies part of a batch. Checks the copy meanwhile. Every failure is retried; only a damaged
// file ends the loop.
import type { Log } from '../base/log.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { FeedBatch, FeedPosition, FeedPage, FeedReader } from '../store/postgres/feed-reader.ts';
import { sqliteErrorCode } from '../store/sqlite/sqlite-driver.ts';
import { CopyMismatch } from './apply-changes.ts';
import { CopyBroken, isDamage } from './copy-file.ts';
import type { CopyChecks } from './copy-checks.ts';
import { copyDomains, copySnapshot } from './copy-snapshot.ts';
import type { CopyWriter } from './copy-writer.ts';
import { DigestComparison } from './digest-comparison.ts';
import type { CopyDoubt, FollowerPhase, FormerVersion } from '../store/followed-zones.ts';
import type { FollowerProgress } from './follower-messages.ts';
import { isPassing, NeverWritten } from './passing-errors.ts';
import { ZoneFetches } from './zone-fetches.ts';
import { LoginRefused } from '../writes/store-errors.ts';

/** Notifications may be lost; a change is then delayed by this time. */
const POLL_MS = 1000;

/** Pause between attempts while the database is unreachable: a quarter of the two seconds allowed to become current. */
const RETRY_MS = 500;

/** Changes per iteration: some 15 ms, and 8 MB with TXT records of 4096 octets. */
const CHANGES_A_TURN = 1000;

/**
 * Changes of one domain in one batch that are applied, in some 60 ms for which all others wait. With more, the zone is served
 * as it was while its content is fetched.
 */
export const MAX_APPLIED_RUN = 4000;

/** Zones that may wait for their content: with more, the changes of further ones are applied, and others wait for them. */
const MAX_AWAITED_ZONES = 64;

/** With so many, nothing is applied until some of them are shown: their names are sent to the process that writes. */
const MOST_AWAITED_ZONES = 1000;

/** Damaged zones that are copied again in one snapshot of the database. */
const REPAIRED_AT_ONCE = 100;

/** SQLITE_CONSTRAINT: the copy already has a row of the feed. */
const SQLITE_CONSTRAINT = 19;

const goneReasons = {
  position: 'the feed does not hold the position of the copy',
  changes: 'the feed does not hold all changes of a batch after the position of the copy',
} as const;

/** The feed; in production a `FeedReader`. */
export type Feed = Pick<FeedReader, 'read' | 'snapshot'> & Partial<Pick<FeedReader, 'clockOffsetMs'>>;

export interface FollowerOptions {
  readonly feed: Feed;
  readonly copy: CopyWriter;
  readonly checks: CopyChecks;
  /** Passes on committed updates; the next iteration starts when it resolves. */
  readonly publish: (progress: FollowerProgress, updates: readonly ZoneUpdate[]) => Promise<void>;
  readonly log: Log;
  /** See `MAX_AWAITED_ZONES`. */
  readonly maxAwaitedZones?: number;
}

export class Follower {
  private readonly options: FollowerOptions;
  private phase: FollowerPhase = 'away';
  private feedSeq: number | null = null;
  /** The position that counts as served while zones are damaged: the changes since may not be served. */
  private heldSeq: number | undefined;
  /** Why everything has to be copied regardless of the position of the copy; null if it need not be. */
  private copyReason: string | null = null;
  private readonly comparison = new DigestComparison();
  private readonly fetches: ZoneFetches;
  private closing = false;
  private isWoken = false;
  private endPause: (() => void) | undefined;
  /** The last problem, so that it is logged only once. */
  private trouble = '';
  private refusedLogin: string | undefined;

  constructor(options: FollowerOptions) {
    this.options = options;
    this.fetches = new ZoneFetches({ ...options, onEnd: () => this.wake() });
  }

  /** Resolves after `close`, when the copy is no longer used; rejects if the copy is damaged. */
  async run(): Promise<void> {
    try {
      while (!this.closing) {
        const pauseMs = await this.turnSafely();
        const { findings } = this.options.checks;
        this.check();
        if (pauseMs > 0) await this.pause(pauseMs, findings);
      }
    } finally {
      await this.fetches.stop();
    }
  }

  wake(): void {
    this.isWoken = true;
    this.endPause?.();
  }

  close(): void {
    this.closing = true;
    this.fetches.close();
    this.wake();
  }

  /** Returns how long to wait for a notification. */
  private async turnSafely(): Promise<number> {
    try {
      const hasMore = await this.turn();
      if (this.trouble !== '') this.options.log.info({ seq: this.seq }, 'the feed is followed again');
      this.trouble = '';
      this.refusedLogin = undefined;
      return hasMore ? 0 : POLL_MS;
    } catch (error) {
      if (!this.closing) await this.meet(error);
      return RETRY_MS;
    }
  }

  private async turn(): Promise<boolean> {
    const { feed, copy } = this.options;
    this.isWoken = false;
    const { checks } = this.options;
    if (copy.position === null) return this.copyAll('the copy has no position in the feed');
    if (this.copyReason !== null) return this.copyAll(this.copyReason);
    if (checks.isDirectoryWrong) return this.copyAll('domains were missing in the copy');
    const difference = this.comparison.findDue();
    if (difference !== undefined) return this.copyAll(difference.reason, difference.trustsHashes);
    const answer = await feed.read(copy.position, CHANGES_A_TURN, this.maxRun);
    this.feedSeq = answer.lastSeq;
    if (answer.kind === 'gone') return this.copyAll(goneReasons[answer.missing]);
    const { seq } = this;
    const batches = copy.awaited.size < MOST_AWAITED_ZONES ? answer.batches : [];
    const updates = this.apply(batches);
    this.compare(answer);
    if (checks.damaged.size > 0) this.heldSeq ??= seq;
    await this.enter('following', updates);
    if (checks.damaged.size > 0) {
      await this.repair();
      await this.enter('following');
    }
    await this.showFetched();
    return batches.length > 0 || this.fetches.isDue() || copy.purgeSlice();
  }

  /** Applies whole batches; the updates are the caller's to publish. */
  private apply(batches: readonly FeedBatch[]): readonly ZoneUpdate[] {
    const { copy, checks, log } = this.options;
    const { updates, heldBack } = copy.applyBatches(batches, checks);
    this.fetches.keep(heldBack);
    for (const { domain } of batches.flatMap(({ skipped }) => skipped))
      log.info(
        { zone: domain, seq: this.seq },
        'a zone has changed so much that its content is fetched; it is served as before meanwhile',
      );
    return updates;
  }

  /** Shows the zone that was fetched, if there is one, and starts to fetch the next. */
  private async showFetched(): Promise<void> {
    const { checks } = this.options;
    const update = this.fetches.show();
    if (update !== undefined) {
      checks.repaired([update.kind === 'deleted' ? update.name : update.head.name]);
      await this.enter('following', [update]);
    }
    this.fetches.start();
  }

  private get maxRun(): number {
    const { copy, maxAwaitedZones = MAX_AWAITED_ZONES } = this.options;
    return copy.awaited.size < maxAwaitedZones ? MAX_APPLIED_RUN : Infinity;
  }

  /** Returns true if the feed may have more changes; false if nothing was ever written. */
  private async copyAll(reason: string, trustsHashes = false): Promise<boolean> {
    const { feed, copy, checks, log } = this.options;
    await this.fetches.stop();
    while (!this.closing && copy.purgeSlice()) await new Promise((resolve) => setImmediate(resolve));
    const startMs = performance.now();
    const position = await feed.snapshot(async (snapshot) => {
      if (snapshot.position === null && !copy.isEmpty()) throw new NeverWritten();
      if (copy.position !== null) copy.setPosition(null);
      this.feedSeq = snapshot.position?.seq ?? 0;
      const phase = snapshot.position === null ? 'following' : 'copying';
      await this.enter(phase);
      const publish = (updates: readonly ZoneUpdate[]) => this.enter(phase, updates);
      const damaged = new Set(checks.damaged);
      const figures = await copySnapshot({ snapshot, copy, publish, trustsHashes, damaged });
      checks.repaired(damaged);
      checks.isDirectoryWrong = false;
      copy.finishCopying(snapshot.position);
      const fields = { reason, ...figures, seq: this.seq, ms: Math.round(performance.now() - startMs) };
      if (snapshot.position !== null) log.info(fields, 'all zones were copied from the database');
      return snapshot.position;
    });
    this.copyReason = null;
    await this.enter('following');
    return position !== null;
  }

  private compare({ digest, batches }: Extract<FeedPage, { kind: 'batches' }>): void {
    const { copy, log } = this.options;
    // The content of awaited zones belongs to earlier positions.
    if (copy.awaited.size > 0) return;
    const last = batches.at(-1);
    const isNew = this.comparison.compare(copy.digest, last === undefined ? digest : last.digest);
    if (isNew)
      log.error(
        { seq: this.seq },
        'the copy differs from the database; the zones that differ are copied again',
      );
  }

  /** Copies damaged zones at the position of a snapshot, so that the feed continues from there. */
  private async repair(): Promise<void> {
    const { feed, copy, checks, log } = this.options;
    // An awaited zone is replaced as a whole in any case.
    const due = [...checks.damaged].filter((name) => copy.awaited.find(name) === undefined);
    const names = due.slice(0, REPAIRED_AT_ONCE);
    if (names.length === 0) return;
    await feed.snapshot(async (snapshot) => {
      if (snapshot.position === null || !(await this.catchUp(snapshot.position))) return;
      const heads = await snapshot.domainsNamed(names);
      const publish = (updates: readonly ZoneUpdate[]) => this.enter('following', updates);
      const damaged = new Set(names);
      await copyDomains({ snapshot, copy, publish, trustsHashes: false, damaged }, heads);
      checks.repaired(names);
      log.info({ zones: names.length }, 'damaged zones were copied again');
    });
  }

  /** Applies the feed up to a batch; returns false if the copy cannot get there. */
  private async catchUp(position: FeedPosition): Promise<boolean> {
    const { feed, copy } = this.options;
    while (copy.position !== null && copy.position.seq < position.seq) {
      const answer = await feed.read(copy.position, CHANGES_A_TURN, this.maxRun);
      if (answer.kind === 'gone') return false;
      const due = answer.batches.filter((batch) => batch.position.seq <= position.seq);
      if (due.length === 0) return false;
      await this.enter('following', this.apply(due));
    }
    return copy.position?.seq === position.seq;
  }

  private async meet(error: unknown): Promise<void> {
    const { log } = this.options;
    if (isDamage(error)) throw error;
    const isAway = isPassing(error);
    this.refusedLogin = error instanceof LoginRefused ? error.message : undefined;
    const trouble = isAway ? error.name : String(error);
    const isNew = trouble !== this.trouble;
    this.trouble = trouble;
    if (isAway) {
      const fields = { reason: error.message, seq: this.seq };
      if (isNew) log.warn(fields, 'the database cannot be followed; zones are served from the copy');
    } else if (error instanceof CopyMismatch || sqliteErrorCode(error) === SQLITE_CONSTRAINT) {
      this.copyReason = 'the copy did not fit the feed';
      log.error({ err: error, seq: this.seq }, 'the copy does not fit the feed; all zones are copied again');
    } else if (isNew) {
      log.error({ err: error, seq: this.seq }, 'following the feed failed; retrying');
    }
    await this.enter(isAway ? 'away' : this.phase);
  }

  private async enter(phase: FollowerPhase, updates: readonly ZoneUpdate[] = []): Promise<void> {
    if (this.closing) throw new Error('the follower is closing');
    this.phase = phase;
    const { feed, publish } = this.options;
    const { clockOffsetMs } = feed;
    if (this.options.checks.damaged.size === 0) this.heldSeq = undefined;
    const { feedSeq, refusedLogin, doubt, awaited } = this;
    const seq = this.heldSeq ?? this.seq;
    await publish({ phase, seq, feedSeq, clockOffsetMs, refusedLogin, awaited, doubt }, updates);
  }

  /** Returns true if checking should go on at once. */
  private check(): boolean {
    try {
      return this.options.checks.runSlice();
    } catch (error) {
      throw new CopyBroken('the zone copy cannot be read', { cause: error });
    }
  }

  /** Tells which zones may differ from those of the database at the position of the copy. */
  private get doubt(): CopyDoubt | undefined {
    const { checks, copy } = this.options;
    const damagedZones = checks.damaged.size;
    const all = (reason: string, isDamage = damagedZones > 0): CopyDoubt => ({
      about: 'all',
      damagedZones,
      isDamage,
      reason,
    });
    if (copy.position === null) return all('The zones are being copied from the database');
    if (this.comparison.isUnequal) return all('The zones differ from those of the database', true);
    if (checks.isDirectoryWrong) return all('Domains are missing in the zone copy', true);
    if (!checks.isProven) return all('The zone copy was not closed in order and is being checked');
    const some = (reason: string): CopyDoubt => ({
      about: 'some',
      damagedZones,
      isDamage: damagedZones > 0,
      reason,
    });
    if (damagedZones > 0)
      return some(`${damagedZones} zones of the zone copy are damaged and wait for the database`);
    if (copy.awaited.size === 0) return undefined;
    return some(`${copy.awaited.size} zones are served as before while their content is fetched`);
  }

  private get awaited(): readonly FormerVersion[] {
    const { awaited, zones } = this.options.copy;
    return awaited.all.map(({ name }) => {
      const zone = zones.find(name);
      return { name, serial: zone === undefined || zone.isWithheld ? null : zone.head.serial };
    });
  }

  private get seq(): number {
    return this.options.copy.position?.seq ?? 0;
  }

  /** @param findings what the checks have found or proven has been repaired and reported up to there */
  private async pause(longestMs: number, findings: string): Promise<void> {
    const untilMs = performance.now() + longestMs;
    while (!this.isWoken && performance.now() < untilMs && this.check()) await new Promise(setImmediate);
    if (this.isWoken || findings !== this.options.checks.findings) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, untilMs - performance.now()));
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = undefined;
  }
}
