import type { Log } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { FeedChange, FeedReader } from '../store/postgres/feed-reader.ts';
import type { CopyWriter } from './copy-writer.ts';
import { FetchLane } from './fetch-lane.ts';

export interface ZoneFetchesOptions {
  readonly feed: Pick<FeedReader, 'snapshot'>;
  readonly copy: CopyWriter;
  /** Called when there is something to show, and whenever a fetch has ended. */
  readonly onEnd: () => void;
  readonly log: Log;
}

/**
 * Fetches the content of awaited zones beside the follower, those that wait the longest first, in two lanes: every zone begins
 * in the quick one, which passes on those of more than some slices of records. So a small zone does not wait for a large one.
 */
export class ZoneFetches {
  private readonly copy: CopyWriter;
  private readonly lanes: readonly FetchLane[];
  private readonly long = new Set<ZoneName>();

  constructor(options: ZoneFetchesOptions) {
    const { copy } = options;
    const next = (isLong: boolean) => copy.awaited.all.find(({ name }) => this.long.has(name) === isLong);
    this.copy = copy;
    this.lanes = [
      new FetchLane({ ...options, next: () => next(false), passOn: ({ name }) => this.long.add(name) }),
      new FetchLane({ ...options, next: () => next(true) }),
    ];
  }

  /** Starts what can be started. */
  start(): void {
    for (const name of this.long) if (this.copy.awaited.find(name) === undefined) this.long.delete(name);
    for (const lane of this.lanes) lane.start();
  }

  /** Takes the changes that were held back from the copy, after each of its commits. */
  keep(heldBack: readonly FeedChange[]): void {
    for (const lane of this.lanes) lane.keep(heldBack);
  }

  /** Whether `show` should be called at once. */
  isDue(): boolean {
    return this.lanes.some((lane) => lane.isDue());
  }

  /**
   * Goes on to show what was fetched; returns the update if a zone is shown.
   *
   * @throws the error that ended a fetch, if the copy is the reason
   */
  show(): ZoneUpdate | undefined {
    return this.lanes.find((lane) => lane.isDue())?.show();
  }

  /** Resolves when no fetch is running. What was fetched is purged, and its zone is still awaited. */
  async stop(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()));
  }

  /** Ends running fetches, and starts no other one. */
  close(): void {
    for (const lane of this.lanes) lane.close();
  }
}
