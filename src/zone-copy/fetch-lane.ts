import type { Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { FeedChange, FeedReader } from '../store/postgres/feed-reader.ts';
import { sqliteErrorCode } from '../store/sqlite/sqlite-driver.ts';
import type { AwaitedZone } from './awaited-zones.ts';
import type { CopyWriter } from './copy-writer.ts';
import { isDamage } from './copy-file.ts';
import { ZoneFetch } from './zone-fetch.ts';

/** Pause after a fetch failed, as that of the follower. */
const RETRY_MS = 500;

/** The copy does not hold what it should. */
const SQLITE_CONSTRAINT = 19;

export interface FetchLaneOptions {
  readonly feed: Pick<FeedReader, 'snapshot'>;
  readonly copy: CopyWriter;
  /** The zone that should be fetched next. */
  readonly next: () => AwaitedZone | undefined;
  /** Only zones that are read at once are fetched; the others are passed on. */
  readonly passOn?: (zone: AwaitedZone) => void;
  /** Called when there is something to show, and whenever a fetch has ended. */
  readonly onEnd: () => void;
  readonly log: Log;
}

/** Fetches awaited zones beside the follower, one after the other. */
export class FetchLane {
  private readonly options: FetchLaneOptions;
  private current: ZoneFetch | undefined;
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;
  private notBeforeMs = -Infinity;
  private isStopping = false;
  private isClosing = false;
  /** The zone whose last failure was logged. */
  private loggedZone: ZoneName | undefined;

  constructor(options: FetchLaneOptions) {
    this.options = options;
  }

  /** Starts the next fetch, unless one is running or waits to be shown. */
  start(): void {
    if (this.current?.isWanted() === false) this.current = undefined;
    if (this.isStopping || this.running !== undefined || this.current !== undefined) return;
    if (performance.now() < this.notBeforeMs) return;
    const { copy, next } = this.options;
    const zone = next();
    if (zone === undefined) return;
    const fetch = new ZoneFetch(copy, zone);
    this.current = fetch;
    this.running = this.run(fetch);
  }

  /** Takes the changes that were held back from the copy, after each of its commits. */
  keep(heldBack: readonly FeedChange[]): void {
    this.current?.keep(heldBack);
  }

  /** Whether `show` should be called at once. */
  isDue(): boolean {
    return this.failure !== undefined || (this.current?.isDue() ?? false);
  }

  /**
   * Goes on to show what was fetched; returns the update when it is shown.
   *
   * @throws the error that ended a fetch, if the copy is the reason
   */
  show(): ZoneUpdate | undefined {
    const { failure, current } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure.error;
    if (current?.isDue() !== true || !current.isWanted()) return undefined;
    this.current = undefined;
    const update = current.show();
    if (update === undefined) this.current = current;
    return update;
  }

  /** Resolves when no fetch is running. What was fetched is purged, and its zone is still awaited. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
    this.isStopping = this.isClosing;
    this.current = undefined;
    this.failure = undefined;
  }

  /** Ends a running fetch, and starts no other one. */
  close(): void {
    this.isClosing = true;
    this.isStopping = true;
  }

  private async run(fetch: ZoneFetch): Promise<void> {
    const { feed, passOn, onEnd } = this.options;
    const isQuick = passOn !== undefined;
    try {
      const isRead = await feed.snapshot((snapshot) => fetch.read(snapshot, isQuick, () => this.isStopping));
      if (!isRead) this.current = undefined;
      if (!isRead && fetch.isWanted()) passOn?.(fetch.zone);
    } catch (error) {
      this.current = undefined;
      this.meet(fetch, error);
    }
    this.running = undefined;
    onEnd();
  }

  /** Other zones come first. */
  private meet({ zone: { name } }: ZoneFetch, error: unknown): void {
    this.notBeforeMs = performance.now() + RETRY_MS;
    if (this.isStopping) return;
    this.options.copy.awaited.postpone(name);
    if (isDamage(error) || sqliteErrorCode(error) === SQLITE_CONSTRAINT) this.failure = { error };
    else if (name !== this.loggedZone)
      this.options.log.warn({ zone: name, err: error }, 'a zone could not be fetched; retrying');
    this.loggedZone = name;
  }
}
