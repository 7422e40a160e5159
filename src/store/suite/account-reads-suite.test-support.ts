import { expect, test } from 'vitest';
import type { DeletedDomain, Domain } from '../../model/domain.ts';
import type { HistoryEntry } from '../../writes/history-entry.ts';
import { SLICE_ROWS } from '../account-reads.ts';
import { newName, newRecord, valueOf, type StoreScene } from './store-scene.test-support.ts';

/** Long lists in slices, without their lengths. */
export function accountReadsSuite(scene: () => StoreScene): void {
  const historyOf = async (domain: Pick<Domain, 'id'>): Promise<HistoryEntry[][]> => {
    const slices: HistoryEntry[][] = [];
    for (let before: number | undefined; ;) {
      const { entries, next } = await scene().store.accounts.historyBefore(domain, before);
      slices.push([...entries]);
      if (next === undefined) return slices;
      before = next;
    }
  };

  test('the history of a domain is read in slices, updates as one entry also where a slice ends', async () => {
    const tenant = await scene().newAccount();
    const { name } = await tenant.createDomain();
    const record = valueOf(await tenant.create(name, newRecord('www')));
    // An odd number of entries before the updates, which are two rows each.
    for (let n = 0; n < SLICE_ROWS; n++) valueOf(await tenant.update(name, record.id, { ttl: n + 1 }));
    const domain = await tenant.get(name);
    const slices = await historyOf(domain);
    expect(slices.length).toBeGreaterThan(2);
    for (const slice of slices) expect(slice.length).toBeLessThanOrEqual(SLICE_ROWS);
    const page = await scene().store.listChanges(domain, { direction: 'after', key: null, limit: 500 });
    expect(slices.flat()).toEqual(page.rows);
    expect(await historyOf({ id: -1 })).toEqual([[]]);
  });

  test('deleted domains of one account are read in slices, the latest deletion first', async () => {
    const [tenant, other] = [await scene().newAccount(), await scene().newAccount()];
    const names = Array.from({ length: SLICE_ROWS + 3 }, () => newName());
    await Promise.all(names.map((name) => tenant.createDomain(name)));
    await Promise.all(names.map((name) => tenant.deleteDomain(name)));
    const theirs = await other.createDomain();
    await other.deleteDomain(theirs.name);
    const read: DeletedDomain[] = [];
    for (let last: DeletedDomain | undefined; ; last = read.at(-1)) {
      const slice = await scene().store.accounts.deletedBefore(tenant.account.id, last);
      if (slice.length === 0) break;
      read.push(...slice);
    }
    const page = { direction: 'after', key: null, limit: 500 } as const;
    expect(read).toEqual((await scene().store.listDeletedDomains(tenant.account.id, page)).rows);
    expect(read).toHaveLength(names.length);
  });

  holderSuite(scene);
}

function holderSuite(scene: () => StoreScene): void {
  test('whose domains, keys and accounts are is found by name and id, with whoever deleted a domain last', async () => {
    const [tenant, other] = [await scene().newAccount(), await scene().newAccount()];
    const [theirs, gone, taken] = [newName(), newName(), newName()];
    await tenant.createDomain(theirs);
    await other.createDomain(gone);
    await other.deleteDomain(gone);
    await tenant.createDomain(taken);
    const { accounts } = scene().store;
    const [mine, others] = [tenant.account.id, other.account.id];
    expect(await accounts.holdersOf('domain', [newName(), theirs, gone, taken])).toEqual([
      { id: theirs, accountId: mine, isDeleted: false },
      { id: gone, accountId: others, isDeleted: true },
      { id: taken, accountId: mine, isDeleted: false },
    ]);
    expect(await accounts.holdersOf('account', [others, newName(), ''])).toEqual([
      { id: others, accountId: others, isDeleted: false },
    ]);
    expect(await accounts.holdersOf('key', [tenant.key.id, mine])).toEqual([
      { id: tenant.key.id, accountId: mine, isDeleted: false },
    ]);
    expect(await accounts.holdersOf('key', [])).toEqual([]);
  });
}
