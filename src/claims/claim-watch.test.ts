// The watch on a real embedded store, with parent zones and a clock that the tests set.
import { expect, test } from 'vitest';
import type { ZoneName } from '../model/domain.ts';
import { openRenewalScene } from '../signer/renewal-scene.test-support.ts';
import { newName, type Tenant } from '../store/suite/store-scene.test-support.ts';
import type { ClaimLook } from './claim-looks.ts';
import { ClaimWatch, type ClaimWatchOptions } from './claim-watch.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const own = ['ns1.example.net'];

async function openWatch(options: Partial<ClaimWatchOptions> = {}) {
  const scene = await openRenewalScene();
  const { store } = scene;
  /** Domains that the parent zone delegates to the account. */
  const delegated = new Set<ZoneName>();
  const looked: ZoneName[] = [];
  let passedMs = 0;
  const log = (_: object, message: string): void => void lines.push(message);
  const lines: string[] = [];
  const watch = new ClaimWatch({
    store: {
      get claims() {
        return store().claims;
      },
      write: (command) => store().write(command),
    },
    log: { debug: log, info: log, warn: log, error: log },
    clock: scene.clock,
    monotonic: { elapsedMs: () => passedMs },
    findClockDoubt: () => undefined,
    isOpen: false,
    look: ({ name }) => {
      looked.push(name);
      return Promise.resolve(lookOf(delegated.has(name)));
    },
    wantedOf: () => Promise.resolve({ nameservers: own, areOwn: true, challenge: 'x' }),
    ...options,
  });
  return {
    ...scene,
    delegated,
    looked,
    lines,
    watch,
    claim: async (tenant: Tenant, name = newName()): Promise<ZoneName> => {
      const { author } = tenant;
      const about = { author, name, address: null, nameservers: [], claim: 'unverified' } as const;
      const result = await store().write({ kind: 'createDomain', ...about });
      if (!result.ok) throw new Error(result.refusal.message);
      return name;
    },
    lookAfter: async (ms: number): Promise<void> => {
      scene.pass(ms);
      passedMs += ms;
      await watch.look();
    },
  };
}

function lookOf(isDelegated: boolean): ClaimLook {
  const delegatedTo = isDelegated ? own : ['ns1.old.net'];
  const parentServers = [{ name: 'a.net', address: '192.0.2.1', delegatedTo }];
  return { kind: 'asked', atMs: 0, sight: { parent: 'example', parentServers, nameservers: [] } };
}

test('a domain is verified when control of it is found to be shown', async () => {
  const { tenant, claim, watch, lookAfter, delegated, looked, store } = await openWatch();
  const customer = await tenant();
  const name = await claim(customer);
  await watch.look();
  expect([looked, watch.figures()]).toEqual([
    [name],
    { unverified: 1, verified: 0, expired: 0, failures: 0 },
  ]);
  delegated.add(name);
  await lookAfter(60_000);
  expect((await store().findDomain(customer.account.id, name))?.claim).toMatchObject({ proof: 'delegation' });
  expect(watch.figures().verified).toBe(1);
  await lookAfter(HOUR_MS);
  expect([looked.length, watch.figures().unverified]).toEqual([2, 0]);
});

test('where nobody has to show control any more, what is unverified is served, except beside domains of others', async () => {
  const { tenant, claim, watch, looked, store } = await openWatch({ isOpen: true });
  const [customer, other] = [await tenant(), await tenant()];
  const name = await claim(customer);
  const inside = await claim(other, `www.${name}` as ZoneName);
  await watch.look();
  expect(await store().findDomain(customer.account.id, name)).toMatchObject({ claim: null, withheld: [] });
  expect(await store().findDomain(other.account.id, inside)).toMatchObject({ withheld: ['unverified'] });
  expect(looked).toEqual([inside]);
});

test('a domain whose look has found no turn is looked at in the next pass', async () => {
  let looks = 0;
  const busy = { kind: 'unknown', reason: 'others are in progress', isBusy: true } as const;
  const look = (): Promise<ClaimLook> => Promise.resolve(++looks === 1 ? busy : lookOf(true));
  const { tenant, claim, watch } = await openWatch({ look });
  await claim(await tenant());
  await watch.look();
  await watch.look();
  expect([looks, watch.figures().verified]).toEqual([2, 1]);
});

test('the pauses between looks grow from a minute to six hours', async () => {
  const { tenant, claim, looked, lookAfter } = await openWatch();
  await claim(await tenant());
  const times: number[] = [];
  for (let minute = 0; minute < 2 * 24 * 60; minute++) {
    const before = looked.length;
    await lookAfter(minute === 0 ? 0 : 60_000);
    if (looked.length > before) times.push(minute);
  }
  const pauses = times.slice(1).map((time, i) => time - times[i]);
  expect(pauses.slice(0, 5)).toEqual([1, 2, 4, 8, 16]);
  expect(Math.max(...pauses)).toBe(360);
});

test('accounts take turns, however many domains one of them claims', async () => {
  const { tenant, claim, looked, watch } = await openWatch();
  const [many, one] = [await tenant(), await tenant()];
  const names: ZoneName[] = [];
  for (let i = 0; i < 6; i++) names.push(await claim(many));
  names.push(await claim(one));
  await watch.look();
  expect(looked.slice(0, 2).sort()).toEqual([names[0], names[6]].sort());
  expect(looked).toHaveLength(7);
});

test('an account with more domains than are watched keeps nobody else from being looked at', async () => {
  const limits = { domains: 4, ofAccount: 3, expiredAtOnce: 10, pageRows: 2 };
  const { tenant, claim, looked, watch } = await openWatch({ limits });
  const [many, one, two] = [await tenant(), await tenant(), await tenant()];
  const names: ZoneName[] = [];
  for (let i = 0; i < 9; i++) names.push(await claim(many));
  const others = [await claim(one), await claim(two)];
  await watch.look();
  expect([...looked].sort()).toEqual([...names.slice(0, 2), ...others].sort());
  expect(watch.figures().unverified).toBe(11);
});

test('other work takes place between the pages of unverified domains', async () => {
  const limits = { domains: 10, ofAccount: 1, expiredAtOnce: 1, pageRows: 1 };
  const { tenant, claim, watch } = await openWatch({ limits });
  const customer = await tenant();
  for (let n = 0; n < 5; n++) await claim(customer);
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    next = setImmediate(turn);
  });
  await watch.look();
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('more accounts than are watched are reported once', async () => {
  const limits = { domains: 2, ofAccount: 3, expiredAtOnce: 10, pageRows: 2 };
  const { tenant, claim, looked, watch, lines } = await openWatch({ limits });
  for (let i = 0; i < 3; i++) await claim(await tenant());
  await watch.look();
  await watch.look();
  expect(looked).toHaveLength(2);
  expect(lines).toEqual([
    'so many accounts have unverified domains that some are looked at only when asked for',
  ]);
});

test('expired domains are deleted some at a time, also those that are not looked at', async () => {
  const limits = { domains: 1, ofAccount: 1, expiredAtOnce: 2, pageRows: 2 };
  const { tenant, claim, lookAfter, watch } = await openWatch({ limits });
  const customer = await tenant();
  for (let i = 0; i < 3; i++) await claim(customer);
  await lookAfter(28 * DAY_MS);
  expect(watch.figures().expired).toBe(2);
  await lookAfter(0);
  expect(watch.figures().expired).toBe(3);
});

test('a domain that nobody has verified in four weeks is deleted, unless the clock may be ahead', async () => {
  let doubt: string | undefined = 'the clock may be ahead';
  const { tenant, claim, lookAfter, store, watch } = await openWatch({ findClockDoubt: () => doubt });
  const customer = await tenant();
  const name = await claim(customer);
  await lookAfter(28 * DAY_MS - 1);
  await lookAfter(1);
  expect(watch.figures().expired).toBe(0);
  doubt = undefined;
  await lookAfter(0);
  expect([watch.figures().expired, await store().findDomain(customer.account.id, name)]).toEqual([
    1,
    undefined,
  ]);
  expect(await store().findDeletedDomain(customer.account.id, name)).toMatchObject({
    withheld: ['unverified'],
  });
});

test('a store that is away is reported once, and looked at again', async () => {
  const { close, reopen, watch, lines } = await openWatch();
  await close();
  await watch.look();
  await watch.look();
  await reopen();
  await watch.look();
  expect(lines).toEqual([
    'unverified domains cannot be looked after; this is tried again',
    'unverified domains are looked after again',
  ]);
  expect(watch.figures().failures).toBe(2);
});
