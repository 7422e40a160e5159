// Requests for what belongs to others. They are answered like those for what does not exist, and the trail that only
// operators see tells the difference (contract rule 82).
//
//   404 of a known caller ─▶ note: whatever was asked for, so that no time tells whether it exists
//                              └─ within a second ─▶ whose is it?
//                                                      ├─ nobody's, or the caller may find it   forgotten
//                                                      └─ another's    counted in `found`, on its way to the trail
//
// `found` is a buffer of its own: if these shared the room of the entries that the caller's account sees, it could find
// out from those how many there are.
import type { Clock, MonotonicClock } from '../base/clock.ts';
import { copyText } from '../base/copy-text.ts';
import { nextTurn } from '../base/steps.ts';
import type { Caller } from '../model/account.ts';
import type { ZoneName } from '../model/domain.ts';
import type { Permission } from '../model/permission.ts';
import { hasSome, permitsInDomain } from '../model/rights.ts';
import { SLICE_ROWS } from '../store/account-reads.ts';
import type { Store } from '../store/store.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { callerOfUser } from './caller-of-user.ts';
import { findHoldings, type Holding, type SoughtKind } from './find-holders.ts';
import { MAX_REFUSALS_PER_ACTOR, TrailBuffer, type TrailSender } from './trail-buffer.ts';

/** Different ones of an account in a second: looking for them takes the store some twenty milliseconds. */
export const MAX_SOUGHT_PER_ACCOUNT = 2000;

/** Five such accounts; some ten megabytes, because texts of requests are copied without their paths. */
export const MAX_SOUGHT = 10_000;

/**
 * Entries about requests of one account in a minute: five keys that ask for as much as one may. The budget of what only operators
 * see then has those of half a day, whatever a single account does, and of an hour if ten of them do.
 */
const MAX_FOUND_PER_ACCOUNT = 5 * MAX_REFUSALS_PER_ACTOR;

/** A request that has not found what it asked for. */
export interface SoughtObject {
  /** The name of the operation in the interface. */
  readonly request: string;
  readonly kind: SoughtKind;
  /** An id, or the name of a domain. */
  readonly id: string;
  /** As the trail names it, if that is not the id. */
  readonly object?: string | undefined;
}

type Seeker = Pick<Caller, 'accountId' | 'keyId' | 'signedIn'>;

interface Sought extends SoughtObject {
  readonly place: string;
  readonly seeker: Seeker;
  readonly address: string | undefined;
  times: number;
}

export class SoughtObjects {
  /** Requests for what belongs to others. */
  readonly found: TrailBuffer;
  private readonly clock: Clock;
  private readonly waiting = new Map<string, Sought>();
  private readonly counts = new Map<string, number>();

  constructor(clock: Clock, monotonic: MonotonicClock) {
    this.clock = clock;
    this.found = new TrailBuffer(clock, monotonic, MAX_FOUND_PER_ACCOUNT);
  }

  /** Those beyond the limits are not looked for. */
  note({ accountId, keyId, signedIn, terms }: Seeker & TrailSender, sought: SoughtObject): void {
    if (!IDENTIFIER.test(sought.id)) return;
    const { request, kind } = sought;
    const id = copyText(sought.id);
    const object = copyObject(sought.object);
    const address = terms?.address;
    const place = [keyId, accountId, address, request, kind, id, object].join(' ');
    const same = this.waiting.get(place);
    if (same !== undefined) {
      same.times++;
      return;
    }
    const seeker = { accountId, keyId, signedIn };
    const account = accountOf(seeker);
    const count = this.counts.get(account) ?? 0;
    if (count >= MAX_SOUGHT_PER_ACCOUNT || this.waiting.size >= MAX_SOUGHT) return;
    this.counts.set(account, count + 1);
    this.waiting.set(place, { request, kind, id, object, place, seeker, address, times: 1 });
  }

  /**
   * Looks whose the objects are that were asked for since the last time. Rejects with StoreUnavailable, and then keeps those that
   * are left; with other errors, the next time begins after those that led to it.
   */
  async settle(store: Pick<Store, 'accounts' | 'people'>): Promise<void> {
    while (this.waiting.size > 0) {
      const slice = firstOf(this.waiting.values(), SLICE_ROWS);
      let holdings: AllHoldings = new Map();
      try {
        holdings = await findAllHoldings(store, slice);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) this.forget(slice);
        throw error;
      }
      for (const sought of slice) {
        const holding = holdings.get(sought.kind)?.get(sought.id);
        if (holding !== undefined && !this.mayFind(sought, holding)) this.noteFound(sought, holding);
      }
      this.forget(slice);
      await nextTurn();
    }
  }

  /** Whether the object is the caller's, or is in another account in which the caller may see it. */
  private mayFind({ seeker, kind, id }: Sought, { accountIds }: Holding): boolean {
    const needed = permissionOf[kind];
    if (needed === undefined) return false;
    const { signedIn } = seeker;
    const nowSeconds = Math.floor(this.clock.nowMs() / 1000);
    return accountIds.some((accountId) => {
      if (accountId === seeker.accountId) return true;
      if (signedIn === undefined) return false;
      const { rights } = callerOfUser(signedIn, accountId, nowSeconds);
      return kind === 'domain' ? permitsInDomain(rights, needed, id as ZoneName) : hasSome(rights, needed);
    });
  }

  private noteFound({ seeker, address, request, id, object = id, times }: Sought, holding: Holding): void {
    const detail = {
      request,
      answered: 'as if it did not exist (404)',
      account: holding.accountIds.join(' ') || undefined,
      deleted: holding.isDeleted || undefined,
      sender_account: seeker.accountId || undefined,
    };
    const about = { accountId: '', sharerId: accountOf(seeker), object, detail };
    const sender = { keyId: seeker.keyId, terms: { address } };
    this.found.note(sender, { action: 'request.refuse', ...about }, times);
  }

  private forget(slice: readonly Sought[]): void {
    for (const { place, seeker } of slice) {
      this.waiting.delete(place);
      const account = accountOf(seeker);
      const count = (this.counts.get(account) ?? 0) - 1;
      if (count <= 0) this.counts.delete(account);
      else this.counts.set(account, count);
    }
  }
}

/** All ids and names are: nothing else exists. */
const IDENTIFIER = /^[\x21-\x7e]{1,255}$/;

/** Clients write what they like there, as long as a path can be. */
function copyObject(object: string | undefined): string | undefined {
  return object !== undefined && IDENTIFIER.test(object) ? copyText(object.toLowerCase()) : undefined;
}

/** The permission that finds an object; sessions are their user's alone. */
const permissionOf: Readonly<Record<SoughtKind, Permission | undefined>> = {
  domain: 'domains:read',
  key: 'keys:read',
  account: 'account:read',
  user: 'users:read',
  invitation: 'users:read',
  session: undefined,
};

/** The account whose room is used; of users who act in none, the user. */
function accountOf({ accountId, keyId }: Seeker): string {
  return accountId === '' ? keyId : accountId;
}

type AllHoldings = ReadonlyMap<SoughtKind, ReadonlyMap<string, Holding>>;

async function findAllHoldings(
  store: Pick<Store, 'accounts' | 'people'>,
  all: readonly Sought[],
): Promise<AllHoldings> {
  const holdings = new Map<SoughtKind, ReadonlyMap<string, Holding>>();
  for (const kind of new Set(all.map((sought) => sought.kind))) {
    const ids = all.flatMap((sought) => (sought.kind === kind ? [sought.id] : []));
    holdings.set(kind, await findHoldings(store, kind, [...new Set(ids)]));
  }
  return holdings;
}

function firstOf<T>(items: Iterable<T>, limit: number): readonly T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === limit) break;
    first.push(item);
  }
  return first;
}
