// Applies the feed to the copy and publishes the resulting zone updates, in a loop:
//
//   notification, or one second ─▶ read whole batches ─▶ apply them in one transaction ─▶ publish ─▶ read again
//                                    └ unknown position ─▶ copy a snapshot ──────────────────┘
//
// Never skips a change and never applies part of a batch. Every failure is retried; only a damaged file ends the loop.
import type { Log } from '../base/log.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { FeedReader } from '../store/postgres/feed-reader.ts';
import { sqliteErrorCode } from '../store/sqlite/sqlite-driver.ts';
import { StoreOpenError } from '../store/store.ts';
import { CopyMismatch, UnknownChange } from './apply-changes.ts';
import { isDamage } from './copy-file.ts';
import { copySnapshot } from './copy-snapshot.ts';
import type { CopyWriter } from './copy-writer.ts';
import type { FollowerPhase } from '../store/followed-zones.ts';
import type { FollowerProgress } from './follower-messages.ts';
import { LoginRefused, StoreUnavailable } from '../writes/store-errors.ts';

/** Notifications may be lost; a change is then delayed by this time. */
const POLL_MS = 1000;

/** Pause between attempts while the database is unreachable: a quarter of the two seconds allowed to become current. */
const RETRY_MS = 500;

/** Changes per iteration: some 15 ms, and 8 MB with TXT records of 4096 octets. */
const CHANGES_A_TURN = 1000;

/** SQLITE_CONSTRAINT: the copy already has a row of the feed. */
const SQLITE_CONSTRAINT = 19;

/** The feed; in production a `FeedReader`. */
export type Feed = Pick<FeedReader, 'read' | 'snapshot'> & Partial<Pick<FeedReader, 'clockOffsetMs'>>;

export interface FollowerOptions {
  readonly feed: Feed;
  readonly copy: CopyWriter;
  /** Passes on committed updates; the next iteration starts when it resolves. */
  readonly publish: (progress: FollowerProgress, updates: readonly ZoneUpdate[]) => Promise<void>;
  readonly log: Log;
}

/** The database is about to be restored, or is the wrong one; the zones of the copy are still served. */
class NeverWritten extends Error {
  override readonly name = 'NeverWritten';
  override readonly message = 'nothing was ever written to the database, while the copy holds zones';
}

/** True if the copy is still usable: the database is unreachable, or the operator has to fix it. */
function isPassing(error: unknown): error is Error {
  return [StoreUnavailable, StoreOpenError, NeverWritten, UnknownChange].some(
    (kind) => error instanceof kind,
  );
}

export class Follower {
  private readonly options: FollowerOptions;
  private phase: FollowerPhase = 'away';
  private feedSeq: number | null = null;
  /** Why everything has to be copied regardless of the position of the copy; null if it need not be. */
  private copyReason: string | null = null;
  private closing = false;
  private isWoken = false;
  private endPause: (() => void) | undefined;
  /** The last problem, so that it is logged only once. */
  private trouble = '';
  private refusedLogin: string | undefined;

  constructor(options: FollowerOptions) {
    this.options = options;
  }

  /** Resolves after `close`, when the copy is no longer used; rejects if the copy is damaged. */
  async run(): Promise<void> {
    while (!this.closing) {
      const pauseMs = await this.turnSafely();
      if (pauseMs > 0) await this.pause(pauseMs);
    }
  }

  wake(): void {
    this.isWoken = true;
    this.endPause?.();
  }

  close(): void {
    this.closing = true;
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
    if (copy.position === null) return this.copyAll('the copy has no position in the feed');
    if (this.copyReason !== null) return this.copyAll(this.copyReason);
    const answer = await feed.read(copy.position, CHANGES_A_TURN);
    this.feedSeq = answer.lastSeq;
    if (answer.kind === 'gone') return this.copyAll('the feed does not hold the position of the copy');
    const updates = copy.applyBatches(answer.batches);
    await this.enter('following', updates);
    return answer.batches.length > 0 || copy.purgeSlice();
  }

  /** Returns true if the feed may have more changes; false if nothing was ever written. */
  private async copyAll(reason: string): Promise<boolean> {
    const { feed, copy, log } = this.options;
    while (!this.closing && copy.purgeSlice()) await new Promise((resolve) => setImmediate(resolve));
    const startMs = performance.now();
    const position = await feed.snapshot(async (snapshot) => {
      if (snapshot.position === null && !copy.isEmpty()) throw new NeverWritten();
      if (copy.position !== null) copy.setPosition(null);
      this.feedSeq = snapshot.position?.seq ?? 0;
      const phase = snapshot.position === null ? 'following' : 'copying';
      await this.enter(phase);
      const publish = (updates: readonly ZoneUpdate[]) => this.enter(phase, updates);
      const figures = await copySnapshot({ snapshot, copy, publish });
      copy.setPosition(snapshot.position);
      const fields = { reason, ...figures, seq: this.seq, ms: Math.round(performance.now() - startMs) };
      if (snapshot.position !== null) log.info(fields, 'all zones were copied from the database');
      return snapshot.position;
    });
    this.copyReason = null;
    await this.enter('following');
    return position !== null;
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
    const { seq, feedSeq, refusedLogin } = this;
    await publish({ phase, seq, feedSeq, clockOffsetMs, refusedLogin }, updates);
  }

  private get seq(): number {
    return this.options.copy.position?.seq ?? 0;
  }

  private async pause(longestMs: number): Promise<void> {
    if (this.isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestMs);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = undefined;
  }
}
