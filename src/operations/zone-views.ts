// Limits how many zones are read for clients at the same time, and for how long: clients may read slowly, and for each view
// the store keeps the data that is overwritten meanwhile.
import { monotonicClock, type MonotonicClock } from '../base/clock.ts';
import { FairSemaphore, type GetSignal, type Release, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import type { ZoneName } from '../model/domain.ts';
import type { Store } from '../store/store.ts';
import type { Slices, ZoneView } from '../store/zone-view.ts';
import { refused, success, type Result } from '../model/result.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { StoreBusy } from '../writes/store-errors.ts';

/** Each uses a database connection, and some databases allow only a hundred for all processes. */
export const MAX_OPEN_VIEWS = 8;

/** Half of all, so that one account cannot keep the others out. */
export const MAX_OPEN_VIEWS_PER_ACCOUNT = 4;

const viewLimits: SemaphoreLimits = {
  permits: MAX_OPEN_VIEWS,
  permitsPerKey: MAX_OPEN_VIEWS_PER_ACCOUNT,
  // Most views are open for milliseconds. Bulk copies open many at a time, and should wait rather than be refused.
  maxWaiting: 64,
  maxWaitingPerKey: 48,
  // Slow readers delay others by at most this.
  waitMs: 5_000,
};

/** Views that are read without waiting for a client: enough for all memory for large work, and as many small zones. */
const briefLimits: SemaphoreLimits = {
  permits: MAX_OPEN_VIEWS,
  permitsPerKey: MAX_OPEN_VIEWS_PER_ACCOUNT,
  // Most are open for milliseconds.
  maxWaiting: 1024,
  maxWaitingPerKey: 256,
  // Longer than the largest zones are read that are read before.
  waitMs: 10_000,
};

/** For each time that it is read: a million records to a client at 10 Mbit/s. */
const MAX_VIEW_MS = 60_000;

/**
 * While another account waits, a view whose reader has not asked for more for this long is closed, if its account has
 * others open. A client at 8 Mbit/s takes the slices of a piece in less.
 */
export const STALLED_VIEW_MS = 250;

/** As above, if it is the only one of its account. A client at 400 kbit/s takes them in less. */
export const STALLED_ONLY_VIEW_MS = 3_000;

/** How often a waiting request looks for stalled views. */
const STALL_CHECK_MS = 50;

/**
 * Slices that are read at the same time, one of an account: a connection reads while the rows of another are made into
 * records, and short requests wait for two slices at most.
 */
const sliceLimits: SemaphoreLimits = {
  permits: 2,
  permitsPerKey: 1,
  maxWaiting: 2 * MAX_OPEN_VIEWS,
  maxWaitingPerKey: 2 * MAX_OPEN_VIEWS,
  waitMs: MAX_VIEW_MS,
};

const BUSY = 'Too many whole zones are being read; try again';

interface OpenView {
  readonly accountId: string;
  /** Since when the reader has not asked for more; null while the store reads. */
  idleSinceMs: number | null;
  readonly close: () => Promise<void>;
}

export class ZoneViews {
  private readonly store: Pick<Store, 'openZoneView'>;
  private readonly clock: MonotonicClock;
  private readonly semaphore = new FairSemaphore(viewLimits);
  private readonly briefViews = new FairSemaphore(briefLimits);
  private readonly sliceTurns = new FairSemaphore(sliceLimits);
  private readonly openViews = new Set<OpenView>();

  constructor(store: Pick<Store, 'openZoneView'>, clock: MonotonicClock = monotonicClock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * The caller must close the view. It is closed anyway after a minute for each time that it is read, or if its reader makes
   * no progress while others wait. Further reads then reject with `StoreUnavailable`.
   *
   * @param times how often its records are read
   */
  async open(accountId: string, name: ZoneName, getSignal?: GetSignal, times = 1): Promise<Result<ZoneView>> {
    const release = this.semaphore.tryAcquire(accountId) ?? (await this.waitForRoom(accountId, getSignal));
    if (release === undefined) return refused('busy', BUSY);
    try {
      const view = await this.store.openZoneView(accountId, name);
      if (view !== undefined) return success(this.watch(accountId, view, release, times));
    } catch (error) {
      release();
      throw error;
    }
    release();
    return refuseUnknownDomain(name);
  }

  /**
   * For reads at the speed of the service, which never wait for those at the speed of a client. The caller must close it.
   *
   * @throws StoreBusy if too many wait, if the wait is too long, or if the client has gone
   */
  async openBriefly(accountId: string, name: ZoneName, getSignal?: GetSignal): Promise<Result<ZoneView>> {
    const release = await this.briefViews.acquire(accountId, getSignal);
    if (release === undefined) throw new StoreBusy(BUSY);
    try {
      const view = await this.store.openZoneView(accountId, name);
      if (view !== undefined) return success(this.withRelease(accountId, view, release));
    } catch (error) {
      release();
      throw error;
    }
    release();
    return refuseUnknownDomain(name);
  }

  private async waitForRoom(
    accountId: string,
    getSignal: GetSignal | undefined,
  ): Promise<Release | undefined> {
    this.closeStalled(accountId);
    const timer = setInterval(() => this.closeStalled(accountId), STALL_CHECK_MS);
    try {
      return await this.semaphore.acquire(accountId, getSignal);
    } finally {
      clearInterval(timer);
    }
  }

  /** Closes the view that has made no progress for longest, of the account with the most views. */
  private closeStalled(waitingId: string): void {
    if (this.semaphore.heldBy(waitingId) >= MAX_OPEN_VIEWS_PER_ACCOUNT) return;
    const nowMs = this.clock.elapsedMs();
    let victim: { readonly view: OpenView; readonly count: number; readonly idleMs: number } | undefined;
    for (const view of this.openViews) {
      if (view.accountId === waitingId || view.idleSinceMs === null) continue;
      const count = this.semaphore.heldBy(view.accountId);
      const idleMs = nowMs - view.idleSinceMs;
      if (idleMs < (count > 1 ? STALLED_VIEW_MS : STALLED_ONLY_VIEW_MS)) continue;
      const isWorse =
        victim === undefined || count > victim.count || (count === victim.count && idleMs > victim.idleMs);
      if (isWorse) victim = { view, count, idleMs };
    }
    void victim?.view.close();
  }

  private watch(accountId: string, view: ZoneView, release: Release, times: number): ZoneView {
    const { clock, openViews } = this;
    const timer = setTimeout(() => void close(), times * MAX_VIEW_MS);
    const close = async (): Promise<void> => {
      if (!openViews.delete(state)) return;
      clearTimeout(timer);
      try {
        await view.close();
      } finally {
        release();
      }
    };
    const state: OpenView = { accountId, idleSinceMs: clock.elapsedMs(), close };
    openViews.add(state);
    const noting = async <T>(read: () => Promise<T>): Promise<T> => {
      state.idleSinceMs = null;
      try {
        return await read();
      } finally {
        state.idleSinceMs = clock.elapsedMs();
      }
    };
    const turns = this.inTurns(accountId, view);
    return {
      domain: view.domain,
      slices: () => noteProgress(turns.slices(), state, clock),
      servedSlices: () => noteProgress(turns.servedSlices(), state, clock),
      chainSlices: () => noteProgress(turns.chainSlices(), state, clock),
      findSignedSoa: () => noting(() => view.findSignedSoa()),
      changesLater: (moment, onRead) => noting(() => view.changesLater(moment, onRead)),
      close,
    };
  }

  private withRelease(accountId: string, view: ZoneView, release: Release): ZoneView {
    return {
      ...this.inTurns(accountId, view),
      domain: view.domain,
      findSignedSoa: () => view.findSignedSoa(),
      changesLater: (moment, onRead) => view.changesLater(moment, onRead),
      close: async () => {
        try {
          await view.close();
        } finally {
          release();
        }
      },
    };
  }

  /** A reader that does not ask for more holds no turn. */
  private inTurns(accountId: string, view: ZoneView) {
    return {
      slices: () => this.slicesInTurn(accountId, view.slices()),
      servedSlices: () => this.slicesInTurn(accountId, view.servedSlices()),
      chainSlices: () => this.slicesInTurn(accountId, view.chainSlices()),
    };
  }

  private async *slicesInTurn<Row>(accountId: string, slices: Slices<Row>): Slices<Row> {
    try {
      for (;;) {
        const release = await this.sliceTurns.acquire(accountId);
        if (release === undefined) throw new StoreBusy(BUSY);
        const slice = await slices.next().finally(release);
        if (slice.done === true) return;
        yield slice.value;
      }
    } finally {
      await slices.return();
    }
  }
}

async function* noteProgress<Row>(slices: Slices<Row>, state: OpenView, clock: MonotonicClock): Slices<Row> {
  state.idleSinceMs = null;
  for await (const slice of slices) {
    state.idleSinceMs = clock.elapsedMs();
    yield slice;
    state.idleSinceMs = null;
  }
}
