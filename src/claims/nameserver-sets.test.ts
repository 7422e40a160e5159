import { describe, expect, onTestFinished, test } from 'vitest';
import { openRenewalScene } from '../signer/renewal-scene.test-support.ts';
import { newPostgres, openStore, withoutZones } from '../store/postgres/postgres-scene.test-support.ts';
import type { Store } from '../store/store.ts';
import { StoreScene } from '../store/suite/store-scene.test-support.ts';
import { chooseNameservers, firstSets, NameserverSets } from './nameserver-sets.ts';

const listed = Array.from({ length: 8 }, (_, i) => `ns${i + 1}.example.net`);

type Scene = Awaited<ReturnType<typeof openSqlite>>;

async function openSqlite() {
  const { store, tenant } = await openRenewalScene();
  return sceneOf(store(), async () => (await tenant()).account.id);
}

async function openPostgres(): Promise<Scene> {
  const { address, remove } = await newPostgres();
  onTestFinished(remove);
  const store = await openStore(address);
  onTestFinished(() => store.close());
  const scene = new StoreScene(withoutZones(store));
  return sceneOf(store, async () => (await scene.newAccount()).account.id);
}

function sceneOf(store: Store, newAccount: () => Promise<string>) {
  return {
    claims: store.claims,
    newAccount,
    /** As after a start of the service, or in another process. */
    setsOf: (nameservers: readonly string[], nameserverSet: number | undefined): NameserverSets =>
      new NameserverSets(store, { nameservers, nameserverSet }),
  };
}

describe.each([
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
])('nameservers of accounts on %s', (_, openScene) => {
  test.each([
    ['without a size', undefined],
    ['of all nameservers', listed.length],
  ])('sets %s are those of the service, and nobody has nameservers of its own', async (_, size) => {
    const { setsOf, newAccount } = await openScene();
    const account = await newAccount();
    const sets = setsOf(listed, size);
    expect(await sets.of(account)).toEqual(listed);
    expect(await sets.areOwn(account, listed)).toBe(false);
  });

  test('an account keeps its set when nameservers are added', async () => {
    const { setsOf, newAccount } = await openScene();
    const account = await newAccount();
    const set = await setsOf(listed, 4).of(account);
    expect([set.length, set.every((name) => listed.includes(name)), set]).toEqual([4, true, [...set].sort()]);
    expect(await setsOf(listed, 4).areOwn(account, set)).toBe(true);
    const more = ['ns0.example.net', ...listed, 'ns9.example.net'];
    expect(await setsOf(more, 4).of(account)).toEqual(set);
    expect(await setsOf(more, 5).of(account)).toEqual(set);
  });

  test('only a nameserver that is gone is replaced in the set of an account', async () => {
    const { setsOf, newAccount } = await openScene();
    const account = await newAccount();
    const [gone, ...kept] = await setsOf(listed, 4).of(account);
    const left = listed.filter((name) => name !== gone);
    const changed = await setsOf(left, 4).of(account);
    expect([changed.length, changed.includes(gone)]).toEqual([4, false]);
    expect(changed).toEqual(expect.arrayContaining(kept));
    expect(await setsOf(left, 4).of(account)).toEqual(changed);
  });

  test('accounts have different sets as long as there are some, and then none of their own', async () => {
    const { setsOf, newAccount } = await openScene();
    const nine = Array.from({ length: 9 }, (_, i) => `ns${i}.example.org`);
    const sets = setsOf(nine, 2);
    const accounts: string[] = [];
    // One of the 36 sets is that of the first names, which nobody has alone.
    for (let i = 0; i < 36; i++) accounts.push(await newAccount());
    const all = await Promise.all(accounts.map(async (account) => (await sets.of(account)).join()));
    expect(new Set(all).size).toBeGreaterThanOrEqual(35);
    const own = await Promise.all(accounts.map((account, i) => sets.areOwn(account, all[i].split(','))));
    expect(own.filter((isOwn) => !isOwn).length).toBeGreaterThanOrEqual(1);
    expect(new Set(all.filter((_, i) => own[i])).size).toBe(own.filter((isOwn) => isOwn).length);
  });

  test("the first names of the list are nobody's own, because they may be all that the service once had", async () => {
    const { setsOf, newAccount } = await openScene();
    const three = listed.slice(0, 3);
    const sets = setsOf(three, 2);
    const given = [await sets.of(await newAccount()), await sets.of(await newAccount())];
    expect(given.map(String).sort()).toEqual([`${three[0]},${three[2]}`, `${three[1]},${three[2]}`]);
    expect(await sets.areOwn('x', three.slice(0, 2))).toBe(false);
  });

  test("what all domains had before accounts had sets is nobody's own, wherever the new names are listed", async () => {
    const { setsOf, newAccount, claims } = await openScene();
    const former = listed.slice(1, 3);
    for (let i = 0; i < 2; i++) await setsOf(former, undefined).keepFormer();
    const sets = setsOf(listed.slice(0, 3), 2);
    await sets.keepFormer();
    expect(String(await sets.of(await newAccount()))).toBe(`${listed[0]},${listed[2]}`);
    expect(await sets.areOwn('x', former)).toBe(false);
    expect(await claims.isNameserverSetShared(listed.slice(0, 3), 'x')).toBe(false);
  });

  test('the set of an unknown account is not stored', async () => {
    const { setsOf, claims } = await openScene();
    const set = await setsOf(listed, 4).of('nobody');
    expect(set).toHaveLength(4);
    expect(await claims.findNameservers('nobody')).toBeUndefined();
  });

  test('of two processes, none gives an account what the other one has given at that moment', async () => {
    const { setsOf, newAccount } = await openScene();
    const nine = Array.from({ length: 9 }, (_, i) => `ns${i}.example.org`);
    const processes = [setsOf(nine, 2), setsOf(nine, 2)];
    const accounts: string[] = [];
    for (let i = 0; i < 30; i++) accounts.push(await newAccount());
    const all = await Promise.all(accounts.map((account, i) => processes[i % 2].of(account)));
    expect(new Set(all.map(String)).size).toBe(30);
    for (const [i, account] of accounts.entries()) {
      expect(await processes[(i + 1) % 2].of(account)).toEqual(all[i]);
      expect(await processes[0].areOwn(account, all[i])).toBe(true);
    }
  });

  test('what an account had before a name was replaced is given to nobody when the name is back', async () => {
    const { setsOf, newAccount, claims } = await openScene();
    const three = listed.slice(0, 3);
    const account = await newAccount();
    const former = await setsOf(three, 2).of(account);
    const replaced = former.find((name) => name !== three[2]) ?? '';
    const others = ['ns8.example.net', ...three.filter((name) => name !== replaced)];
    const names = await setsOf(others, 2).of(account);
    expect(names).not.toEqual(former);
    const again = setsOf([...three, 'ns8.example.net'], 2);
    expect(await claims.findFreeNameserverSet([former, names])).toBeUndefined();
    const given = await Promise.all([1, 2, 3].map(async () => String(await again.of(await newAccount()))));
    expect(given).not.toContain(String(former));
    expect(await again.areOwn('x', former)).toBe(false);
  });
});

test('chooseNameservers() chooses every name about as often', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 800; i++) {
    const chosen = chooseNameservers(listed, { accountId: `account-${i}`, attempt: 0, kept: [], size: 4 });
    for (const name of chosen) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const name of listed) expect(Math.abs((counts.get(name) ?? 0) - 400)).toBeLessThan(80);
});

test('firstSets() goes through all sets that keep what an account has, up to the limit', () => {
  const four = listed.slice(0, 4);
  expect(
    firstSets(four, { kept: [], size: 2 }, 100).map((set) => set.map((name) => name[2]).join('')),
  ).toEqual(['12', '13', '14', '23', '24', '34']);
  expect(firstSets(four, { kept: [four[2]], size: 2 }, 2)).toEqual([
    [four[0], four[2]],
    [four[1], four[2]],
  ]);
  expect(firstSets(four, { kept: four, size: 2 }, 100)).toEqual([four]);
  expect(new Set(firstSets(listed, { kept: [], size: 4 }, 5_000).map(String)).size).toBe(70);
});
