import type { Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { FeedChange, FeedReader } from '../store/postgres/feed-reader.ts';
import type { CopyWriter } from './copy-writer.ts';
import { isPassing } from './passing-errors.ts';
import { ZoneFetch } from './zone-fetch.ts';

/** Pause after a fetch failed, as that of the follower. */
const RETRY_MS = 500;

export interface ZoneFetchesOptions {
  readonly feed: Pick<FeedReader, 'snapshot'>;
  readonly copy: CopyWriter;
  /** Called when there is something to show, or when a fetch has failed. */
  readonly onEnd: () => void;
  readonly log: Log;
}

/** Fetches the content of awaited zones beside the follower, one at a time: those that wait the longest come first. */
export class ZoneFetches {
  private readonly options: ZoneFetchesOptions;
  private current: ZoneFetch | undefined;
  private running: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;
  private notBeforeMs = -Infinity;
  private isStopping = false;
  private isClosing = false;
  /** The zone whose last failure was logged. */
  private loggedZone: ZoneName | undefined;

  constructor(options: ZoneFetchesOptions) {
    this.options = options;
  }

  /** Starts the next fetch, unless one is running or waits to be shown. */
  start(): void {
    if (this.current?.isWanted() === false) this.current = undefined;
    if (this.isStopping || this.running !== undefined || this.current !== undefined) return;
    if (performance.now() < this.notBeforeMs) return;
    const { copy } = this.options;
    const zone = copy.awaited.all.at(0);
    if (zone === undefined) return;
    const fetch = new ZoneFetch(copy, zone);
    this.current = fetch;
    this.running = this.run(fetch);
  }

  /** Takes the changes that were withheld from the copy, after each of its commits. */
  keep(withheld: readonly FeedChange[]): void {
    this.current?.keep(withheld);
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
    const { feed, onEnd } = this.options;
    try {
      await feed.snapshot((snapshot) => fetch.read(snapshot, () => this.isStopping));
    } catch (error) {
      this.current = undefined;
      this.meet(fetch, error);
    }
    this.running = undefined;
    onEnd();
  }

  private meet({ zone: { name } }: ZoneFetch, error: unknown): void {
    this.notBeforeMs = performance.now() + RETRY_MS;
    if (this.isStopping) return;
    if (!isPassing(error)) this.failure = { error };
    else if (name !== this.loggedZone)
      this.options.log.warn({ zone: name, reason: error.message }, 'a zone could not be fetched; retrying');
    this.loggedZone = name;
  }
}
