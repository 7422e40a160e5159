// Limits how many zones are read as a whole at the same time, and for how long: clients may read slowly, and for each view
// the store keeps the data that is overwritten meanwhile.
import { FairSemaphore, type Release, type SemaphoreLimits } from '../base/fair-semaphore.ts';
import type { ZoneName } from '../model/domain.ts';
import { refused, success, type Result } from '../model/result.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import type { Store } from '../store/store.ts';
import type { ZoneView } from '../store/zone-view.ts';

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

/** A million records to a client at 10 Mbit/s. */
const MAX_VIEW_MS = 60_000;

export class ZoneViews {
  private readonly store: Pick<Store, 'openZoneView'>;
  private readonly semaphore = new FairSemaphore(viewLimits);

  constructor(store: Pick<Store, 'openZoneView'>) {
    this.store = store;
  }

  /** The caller must close the view. After a minute it is closed anyway, and further reads reject with `StoreUnavailable`. */
  async open(accountId: string, name: ZoneName): Promise<Result<ZoneView>> {
    const release = await this.semaphore.acquire(accountId);
    if (release === undefined) return refused('busy', 'Too many whole zones are being read; try again');
    try {
      const view = await this.store.openZoneView(accountId, name);
      if (view !== undefined) return success(watch(view, release));
    } catch (error) {
      release();
      throw error;
    }
    release();
    return refuseUnknownDomain(name);
  }
}

function watch(view: ZoneView, release: Release): ZoneView {
  const timer = setTimeout(() => void close(), MAX_VIEW_MS);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(timer);
    try {
      await view.close();
    } finally {
      release();
    }
  };
  return {
    domain: view.domain,
    slices: () => view.slices(),
    changesLater: (moment) => view.changesLater(moment),
    close,
  };
}
