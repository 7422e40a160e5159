// The zones of the embedded store as another process serves them: reads the store's file and follows its feed.
//
//   wake, or one second ─▶ one read transaction: end of the feed, changed owners, their rows ─▶ onUpdate ─▶ onProgress
//   wake with a commit that continues at the position ─────────────────────────────────────────▶ onUpdate ─▶ onProgress
//
// Never writes, and needs nobody who does: zones are read and served whenever the file exists. A feed that has grown by many
// changes is read in steps, in the same transaction, so that a zone only ever passes from one committed state to another.
// A commit that was sent saves reading it. If there is any doubt that it is the next one of this file, the file is read.
import { existsSync } from 'node:fs';
import type { Log } from '../../base/log.ts';
import type { Steps } from '../../base/steps.ts';
import type { ZoneName } from '../../model/domain.ts';
import type { ZoneUpdate } from '../../model/zone-update.ts';
import type { FollowedZones, FollowerPhase, FollowerState, SentCommit } from '../followed-zones.ts';
import type { ZoneSnapshot } from '../store.ts';
import { FeedConnection } from './feed-connection.ts';
import { fileIdentity } from './file-identity.ts';
import { SqliteZones } from './sqlite-zones.ts';
import { StoreChecks } from './store-checks.ts';
import { readWatched } from './watched-zone.ts';
import { touchedZones, type TouchedZone } from './touched-zones.ts';

/** Wakes may be lost with the process that sends them; a change is then served after this time. */
const POLL_MS = 1000;

/** While there is no store yet, or it cannot be read: a tenth of the time that a first start takes. */
const RETRY_MS = 50;

/** Without a successful look at the feed for so long, it is unknown whether changes are missing. */
const FRESH_MS = 3000;

/** Names per read when zones are announced that were stored before the file could be opened. */
const NAMES_PER_STEP = 1000;

/** Owners in the updates of one step: some 5 ms to read and to publish. */
const OWNERS_PER_STEP = 500;

export interface SqliteFeedFollowerOptions {
  /** The store's file, which need not exist yet. */
  readonly path: string;
  readonly log: Log;
  /** Called if the feed no longer holds the changes after the position: only a new start can find what is served wrongly. */
  readonly onLost: (reason: string) => void;
}

type UpdateListener = (updates: readonly ZoneUpdate[]) => void;

interface OpenFile {
  readonly identity: string;
  readonly feed: FeedConnection;
  readonly zones: SqliteZones;
}

export class SqliteFeedFollower implements FollowedZones {
  private readonly options: SqliteFeedFollowerOptions;
  private readonly updateListeners: UpdateListener[] = [];
  private readonly progressListeners: (() => void)[] = [];
  private readonly checks: StoreChecks;
  private file: OpenFile | undefined;
  /** The listeners do not know the zones that were stored before the file could be opened. */
  private isAnnouncementDue = false;
  private phase: FollowerPhase = 'away';
  private seq = 0;
  private feedSeq: number | null = null;
  private lastReadMs: number | null = null;
  private steps: Steps<void> | undefined;
  private isWoken = false;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** The last problem, so that it is logged only once. */
  private trouble = '';

  constructor(options: SqliteFeedFollowerOptions) {
    this.options = options;
    const onChange = (): void => this.tellProgress();
    this.checks = new StoreChecks({ zones: () => this.file?.zones, onChange, log: options.log });
    if (this.tryOpen()) this.phase = 'following';
    this.pollLater();
  }

  onUpdate(listener: UpdateListener): void {
    this.updateListeners.push(listener);
  }

  onProgress(listener: () => void): void {
    this.progressListeners.push(listener);
  }

  readZone(name: ZoneName): ZoneSnapshot | undefined {
    return readWatched(
      () => this.file?.zones.readZone(name),
      (error) => void this.checks.note(name, error),
      () => this.checks.noteIntact(name),
    );
  }

  accountOf(name: ZoneName): string {
    return this.file?.zones.accountOf(name) ?? '';
  }

  hostedCount(): number {
    return this.file?.zones.hostedCount() ?? 0;
  }

  hostedNames(after: string, limit: number): readonly ZoneName[] {
    return this.file?.zones.hostedNames(after, limit) ?? [];
  }

  state(): FollowerState {
    const { phase, seq, feedSeq, lastReadMs } = this;
    const agoMs = lastReadMs === null ? null : performance.now() - lastReadMs;
    const isCurrent = phase === 'following' && agoMs !== null && agoMs < FRESH_MS;
    return { phase, seq, feedSeq, lagMs: isCurrent ? 0 : agoMs, doubt: this.checks.doubt };
  }

  wake(commits: readonly SentCommit[] = []): void {
    if (commits.length > 0 && this.takeAll(commits)) return;
    this.isWoken = true;
    if (this.steps === undefined) this.advance();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.checks.close();
    this.steps?.return();
    this.steps = undefined;
    this.file?.feed.close();
    this.file?.zones.close();
    this.file = undefined;
  }

  /** Returns false if the file has to be read. */
  private takeAll(commits: readonly SentCommit[]): boolean {
    const { seq } = this;
    const areTaken = commits.every((commit) => this.take(commit));
    if (this.seq !== seq) this.tellProgress();
    return areTaken;
  }

  private take({ file, afterSeq, lastSeq, updates }: SentCommit): boolean {
    if (file !== this.file?.identity || !this.canTake()) return false;
    // It was read from the file already.
    if (lastSeq <= this.seq) return true;
    if (afterSeq !== this.seq) return false;
    this.notify(updates);
    this.seq = lastSeq;
    this.feedSeq = lastSeq;
    return true;
  }

  /** False while the file is being read, or if it could not be read last time. */
  private canTake(): boolean {
    const isReading = this.steps !== undefined || this.isAnnouncementDue;
    return this.phase === 'following' && !isReading && !this.isClosed;
  }

  private pollLater(): void {
    this.timer = setTimeout(
      () => {
        this.wake();
        if (!this.isClosed) this.pollLater();
      },
      this.phase === 'following' ? POLL_MS : RETRY_MS,
    ).unref();
  }

  /** Runs until nobody has woken it again, or until the next step of long work. */
  private readonly advance = (): void => {
    if (this.isClosed) return;
    try {
      while (this.isWoken || this.steps !== undefined) {
        this.steps ??= this.begin();
        if (this.steps.next().done !== true) {
          setImmediate(this.advance);
          return;
        }
        this.steps = undefined;
        this.succeed();
      }
    } catch (error) {
      this.steps = undefined;
      this.fail(error);
    }
  };

  private begin(): Steps<void> {
    this.isWoken = false;
    this.openAgainIfOutdated();
    const { file } = this;
    if (file !== undefined && !this.isAnnouncementDue) return this.follow(file);
    if (file === undefined && !this.tryOpen()) return nothing();
    this.isAnnouncementDue = true;
    return this.announceAll();
  }

  /** Opens the file if there is a store in it. Everything after the position found here is followed. */
  private tryOpen(): boolean {
    const { path } = this.options;
    if (!existsSync(path)) return false;
    try {
      const identity = fileIdentity(path);
      const feed = FeedConnection.open(path);
      if (feed === undefined) return false;
      this.seq = feed.inSnapshot(() => feed.lastSeq());
      this.feedSeq = this.seq;
      this.file = { identity, feed, zones: new SqliteZones(path) };
      this.lastReadMs = performance.now();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** The process that writes the store brings the tables of an earlier version up to date. */
  private openAgainIfOutdated(): void {
    const { file } = this;
    if (file === undefined || !file.feed.isOutdated()) return;
    const feed = FeedConnection.open(this.options.path);
    if (feed === undefined) return;
    this.file = { identity: file.identity, feed, zones: new SqliteZones(this.options.path) };
    file.feed.close();
    file.zones.closeWhenRead();
  }

  private *follow({ feed }: OpenFile): Steps<void> {
    feed.begin();
    try {
      const lastSeq = feed.lastSeq();
      this.feedSeq = lastSeq;
      if (lastSeq === this.seq) return;
      const touched = lastSeq < this.seq ? undefined : yield* touchedZones(feed, this.seq, lastSeq);
      if (touched === undefined) {
        this.isClosed = true;
        this.options.onLost(`the feed no longer holds the changes from ${this.seq} to ${lastSeq}`);
        return;
      }
      yield* this.publish(feed, touched);
      this.seq = lastSeq;
    } finally {
      feed.end();
    }
  }

  private *publish(feed: FeedConnection, touched: readonly TouchedZone[]): Steps<void> {
    let updates: ZoneUpdate[] = [];
    let owners = 0;
    for (const zone of touched) {
      if (owners >= OWNERS_PER_STEP) {
        this.notify(updates);
        updates = [];
        owners = 0;
        yield;
      }
      updates.push(...this.updatesOf(feed, zone));
      owners += zone.owners.size + 1;
    }
    if (updates.length > 0) this.notify(updates);
  }

  /** A zone whose changes cannot be read is read again as a whole, and holds up no other one. */
  private updatesOf(feed: FeedConnection, zone: TouchedZone): ZoneUpdate[] {
    try {
      return feed.updatesOf(zone);
    } catch (error) {
      if (!this.checks.note(zone.name, error)) throw error;
      return feed.replacements([zone.name]);
    }
  }

  private *announceAll(): Steps<void> {
    for (let names = this.hostedNames('', NAMES_PER_STEP); names.length > 0;) {
      this.notify(this.file?.feed.replacements(names) ?? []);
      yield;
      names = this.hostedNames(names.at(-1) ?? '', NAMES_PER_STEP);
    }
    this.isAnnouncementDue = false;
  }

  /** A bug in a listener must not stop the feed. */
  private notify(updates: readonly ZoneUpdate[]): void {
    for (const listener of this.updateListeners) {
      try {
        listener(updates);
      } catch (error) {
        this.options.log.error({ err: error }, 'a listener failed on committed updates');
      }
    }
    this.checks.take(updates);
  }

  private succeed(): void {
    if (this.file === undefined || this.isClosed) return;
    if (this.trouble !== '') this.options.log.info({ seq: this.seq }, 'the store is followed again');
    this.trouble = '';
    this.phase = 'following';
    this.lastReadMs = performance.now();
    this.tellProgress();
  }

  private fail(error: unknown): void {
    const trouble = String(error);
    // The process that writes the store reports that it cannot be opened.
    const level = this.file === undefined ? 'debug' : 'error';
    if (trouble !== this.trouble)
      this.options.log[level]({ err: error, seq: this.seq }, 'the store cannot be followed; retrying');
    this.trouble = trouble;
    this.phase = 'away';
    this.tellProgress();
  }

  private tellProgress(): void {
    for (const listener of this.progressListeners) listener();
  }
}

function* nothing(): Steps<void> {
  return;
}
