import { createHash } from 'node:crypto';
import { formerNameserversId } from '../model/former-nameservers.ts';
import type { Store } from '../store/store.ts';

/** Sets that are chosen by chance; all fail once in 65,000 accounts if half of all sets are taken. */
const MAX_TRIES = 16;

/** Sets that are gone through if all are taken that were chosen by chance: 20 names have 4,845 by four. It is one query. */
const MAX_SEARCHED = 5_000;

/** No account has a set of more names (`nameserver_set`), so longer lists need not be kept from accounts. */
const MAX_SET = 13;

/** How often another process may take the chosen set in the moment before it is written; then the account shares one. */
const MAX_RACES = 8;

/** Accounts whose nameservers are remembered: those that are active at a time, some 500 octets each. */
const MAX_REMEMBERED = 10_000;

export interface NameserverSettings {
  /** All host names of the service. */
  readonly nameservers: readonly string[];
  /** How many of them an account has; absent: all. */
  readonly nameserverSet?: number | undefined;
}

/**
 * The nameservers of accounts. If the service has more of them than a domain gets, each account has a set of its own among
 * them, which it keeps when more are added: a delegation to just these tells whose domain it is.
 */
export class NameserverSets {
  private readonly store: Pick<Store, 'write' | 'claims'>;
  private readonly settings: NameserverSettings;
  /** By account; the oldest first. */
  private readonly known = new Map<string, readonly string[]>();
  /** Accounts are given theirs one after the other, so that only those of other processes choose the same meanwhile. */
  private lastAssigned: Promise<unknown> = Promise.resolve();

  constructor(store: Pick<Store, 'write' | 'claims'>, settings: NameserverSettings) {
    this.store = store;
    this.settings = settings;
  }

  /** The nameservers that new domains of an account get, sorted; those of the service if accounts have none of their own. */
  async of(accountId: string): Promise<readonly string[]> {
    const { size } = this;
    if (size === undefined) return this.settings.nameservers;
    const known = this.known.get(accountId);
    if (known !== undefined) return known;
    const stored = await this.store.claims.findNameservers(accountId);
    if (stored !== undefined && this.keptOf(stored).length === stored.length)
      return this.remember(accountId, stored);
    const assigned = this.lastAssigned.then(() => this.assign(accountId, stored, size));
    this.lastAssigned = assigned.catch(() => undefined);
    return this.remember(accountId, await assigned);
  }

  /** Whether an account has nameservers that no other one has. @param names its nameservers */
  async areOwn(accountId: string, names: readonly string[]): Promise<boolean> {
    if (this.size === undefined || isBeginning(names, this.settings.nameservers)) return false;
    return !(await this.store.claims.isNameserverSetShared(names, accountId));
  }

  /**
   * Notes the nameservers of the service while all accounts have them. If accounts are given sets of their own later, no account
   * is given just these, because delegations to them may be anybody's.
   */
  async keepFormer(): Promise<void> {
    const names = [...this.settings.nameservers].sort();
    if (this.size !== undefined || names.length > MAX_SET) return;
    const accountId = formerIdOf(names);
    if ((await this.store.claims.findNameservers(accountId)) !== undefined) return;
    const given = { accountId, names, former: null, formerId: null };
    await this.store.write({ kind: 'assignNameservers', ...given, mayShare: true });
  }

  /** Undefined: accounts have none of their own. */
  private get size(): number | undefined {
    const { nameserverSet, nameservers } = this.settings;
    return nameserverSet !== undefined && nameserverSet < nameservers.length ? nameserverSet : undefined;
  }

  /** Those that the service still has. */
  private keptOf(stored: readonly string[]): readonly string[] {
    return stored.filter((name) => this.settings.nameservers.includes(name));
  }

  private async assign(
    accountId: string,
    stored: readonly string[] | undefined,
    size: number,
  ): Promise<readonly string[]> {
    const { nameservers: listed } = this.settings;
    const { claims } = this.store;
    const about = { accountId, kept: this.keptOf(stored ?? []), size: stored?.length ?? size };
    const chosen = Array.from({ length: MAX_TRIES }, (_, attempt) =>
      chooseNameservers(listed, { ...about, attempt }),
    );
    const findFree = (sets: readonly (readonly string[])[]) =>
      claims.findFreeNameserverSet(sets.filter((set) => !isBeginning(set, listed)));
    for (let races = 0; ; races++) {
      const free = (await findFree(chosen)) ?? (await findFree(firstSets(listed, about, MAX_SEARCHED)));
      const mayShare = free === undefined || races === MAX_RACES;
      const given = await this.give(accountId, stored, free ?? chosen[0], mayShare);
      if (given !== undefined) return given;
    }
  }

  /** Returns undefined if another account was given these names since they were found free. */
  private async give(
    accountId: string,
    stored: readonly string[] | undefined,
    names: readonly string[],
    mayShare: boolean,
  ): Promise<readonly string[] | undefined> {
    const former = stored ?? null;
    const formerId = stored === undefined ? null : formerIdOf(stored);
    const about = { accountId, names, former, formerId, mayShare } as const;
    const result = await this.store.write({ kind: 'assignNameservers', ...about });
    return result.ok ? (result.value.names ?? undefined) : names;
  }

  private remember(accountId: string, names: readonly string[]): readonly string[] {
    this.known.set(accountId, names);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MAX_REMEMBERED) break;
      this.known.delete(oldest);
    }
    return names;
  }
}

/** @param names sorted */
function formerIdOf(names: readonly string[]): string {
  return formerNameserversId(createHash('sha256').update(names.join()).digest('hex'));
}

/**
 * Whether these are the first names of the list. Lists grow at the end, so these may be all that the service once had, and
 * what domains of any account are delegated to.
 *
 * @param names sorted
 */
function isBeginning(names: readonly string[], listed: readonly string[]): boolean {
  return listed.slice(0, names.length).sort().join() === names.join();
}

export interface ChosenSet {
  readonly accountId: string;
  /** Each leads to another choice. */
  readonly attempt: number;
  /** They are in it anyway. */
  readonly kept: readonly string[];
  readonly size: number;
}

/** Chooses by the hash of account and name, so that all sets are equally frequent and overlap as little as chance allows. */
export function chooseNameservers(
  listed: readonly string[],
  { accountId, attempt, kept, size }: ChosenSet,
): readonly string[] {
  const rankOf = (name: string): string =>
    createHash('sha256').update(`${accountId} ${attempt} ${name}`).digest('hex');
  const others = listed
    .filter((name) => !kept.includes(name))
    .map((name) => ({ name, rank: rankOf(name) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ name }) => name);
  return [...kept, ...others.slice(0, Math.max(0, size - kept.length))].sort();
}

/** The first sets in the order of the list, at most `limit`. */
export function firstSets(
  listed: readonly string[],
  { kept, size }: Pick<ChosenSet, 'kept' | 'size'>,
  limit: number,
): readonly (readonly string[])[] {
  const others = listed.filter((name) => !kept.includes(name));
  const sets: (readonly string[])[] = [];
  const add = (set: readonly string[], from: number): void => {
    if (set.length >= size) sets.push([...set].sort());
    else for (let i = from; i < others.length && sets.length < limit; i++) add([...set, others[i]], i + 1);
  };
  add(kept, 0);
  return sets;
}
