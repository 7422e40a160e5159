// Whole zones that requests read, a few at a time and none for long: the store keeps for each what is overwritten
// meanwhile, and a client may read as slowly as it likes.
import type { ZoneName } from '../model/domain.ts';
import { done, refused, type Outcome } from '../model/refusal.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import type { Store } from '../store/store.ts';
import type { ZoneView } from '../store/zone-view.ts';

/** Each takes a connection of the database, of which some leave a hundred to all processes. */
export const MAX_OPEN_VIEWS = 8;

/** Most are open for milliseconds: bulk copies come many at a time, and are better served late than refused. */
const MAX_WAITING = 64;

/** Behind slow readers nobody waits longer. */
const MAX_WAIT_MS = 5_000;

/** A million records to a client at 10 Mbit/s. */
const MAX_VIEW_MS = 60_000;

export class ZoneViews {
  private readonly store: Pick<Store, 'openZoneView'>;
  private count = 0;
  /** Each takes the place that it is called for; oldest first. */
  private readonly waiting: (() => void)[] = [];

  constructor(store: Pick<Store, 'openZoneView'>) {
    this.store = store;
  }

  /** The caller closes it; after a minute it is closed anyway, and whoever still reads it gets `StoreUnavailable`. */
  async open(accountId: string, name: ZoneName): Promise<Outcome<ZoneView>> {
    if (!(await this.takePlace())) return refused('busy', 'Too many whole zones are being read, try again');
    try {
      const view = await this.store.openZoneView(accountId, name);
      if (view !== undefined) return done(this.watch(view));
    } catch (error) {
      this.leavePlace();
      throw error;
    }
    this.leavePlace();
    return refuseUnknownDomain(name);
  }

  private async takePlace(): Promise<boolean> {
    if (this.count < MAX_OPEN_VIEWS) {
      this.count++;
      return true;
    }
    if (this.waiting.length >= MAX_WAITING) return false;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(take), 1);
        resolve(false);
      }, MAX_WAIT_MS);
      const take = (): void => {
        clearTimeout(giveUp);
        resolve(true);
      };
      this.waiting.push(take);
    });
  }

  /** The place goes to who has waited longest. */
  private leavePlace(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.count--;
    else next();
  }

  private watch(view: ZoneView): ZoneView {
    const timer = setTimeout(() => void close(), MAX_VIEW_MS);
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(timer);
      try {
        await view.close();
      } finally {
        this.leavePlace();
      }
    };
    return {
      domain: view.domain,
      slices: () => view.slices(),
      changesLater: (moment) => view.changesLater(moment),
      close,
    };
  }
}
