import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { Suspension } from '../model/account-standing.ts';
import { openServedStore } from '../store/suite/served-store.test-support.ts';
import { StoreScene, newName, START_MS } from '../store/suite/store-scene.test-support.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';
import { AccountWatch } from './account-watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'zonewright-watch-'));
let nowMs = START_MS;
let elapsedMs = 0;
const clock = { nowMs: () => nowMs };
const store = await openServedStore({ folder, clock, log: silentLog });
const scene = new StoreScene(store);
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const HELD_MS = 30 * 86_400_000;
const suspension: Suspension = { reason: 'Call us', answers: 'stop', atMs: START_MS };

/** A watch whose monotonic time stands still, so that one look takes all slices. */
function watchWith(findClockDoubt: () => string | undefined = () => undefined, watched = store as unknown) {
  return new AccountWatch({
    store: watched as typeof store,
    log: silentLog,
    clock,
    monotonic: { elapsedMs: () => elapsedMs },
    findClockDoubt,
    random: () => 0,
  });
}

async function newAccounts() {
  const [operator, tenant] = [await scene.newAccount(), await scene.newAccount()];
  const { name } = await tenant.createDomain(newName());
  return { author: operator.author, tenant, accountId: tenant.account.id, name };
}

test('a look withholds the domains of a suspended account, and the next one serves them again', async () => {
  const { author, accountId, name } = await newAccounts();
  await scene.must({ kind: 'suspendAccount', author, accountId, suspension });
  const watch = watchWith();
  expect(await watch.look()).toBe(true);
  expect(store.readZone(name)).toBeUndefined();
  expect(await watch.look()).toBe(false);
  await scene.must({ kind: 'resumeAccount', author, accountId });
  expect(await watch.look()).toBe(true);
  expect(store.readZone(name)).toBeDefined();
  expect(watch.figures()).toEqual({ due: 1, slices: 2, failures: 0 });
});

test('a deleted account is removed when its time has passed, unless the clock is in doubt', async () => {
  const { author, tenant, accountId } = await newAccounts();
  const times = { atMs: nowMs, heldUntilMs: nowMs + HELD_MS };
  await scene.must({ kind: 'deleteAccount', author, accountId, typedName: null, ...times });
  const watch = watchWith();
  await watch.look();
  nowMs += HELD_MS - 1;
  await watch.look();
  expect((await store.findAccount(accountId))?.standing?.deletion?.slices).toBeNull();
  nowMs += 1;
  await watchWith(() => 'The clock has jumped').look();
  expect((await store.findAccount(accountId))?.standing?.deletion?.slices).toBeNull();
  await watch.look();
  expect(await store.findKeyByHash(tenant.key.hash)).toBeUndefined();
  expect((await store.findAccount(accountId))?.standing?.deletion?.emptiedAtMs).toBe(nowMs);
  nowMs += 60_000;
  await watch.look();
  expect(await store.findAccount(accountId)).toBeUndefined();
  expect(await watch.look()).toBe(false);
});

test('the records of a removed account are purged with the next upkeep, and its names are free', async () => {
  const { author, accountId, name } = await newAccounts();
  const times = { atMs: nowMs, heldUntilMs: nowMs + HELD_MS };
  await scene.must({ kind: 'deleteAccount', author, accountId, typedName: null, ...times });
  nowMs += HELD_MS;
  const watch = watchWith();
  await watch.look();
  const deleted = await store.findDeletedDomain(accountId, name);
  expect(deleted?.deletedAtMs).toBe(times.atMs);
});

test('a slice that fails is tried again after a rest, and does not hold up other accounts', async () => {
  const [one, other] = [await newAccounts(), await newAccounts()];
  for (const { author, accountId } of [one, other])
    await scene.must({ kind: 'suspendAccount', author, accountId, suspension });
  const failing = {
    accounts: store.accounts,
    write: (command: { accountId: string }) =>
      command.accountId === one.accountId
        ? Promise.reject(new Error('a bug'))
        : store.write(command as Parameters<typeof store.write>[0]),
  };
  const watch = watchWith(undefined, failing);
  await watch.look();
  expect(store.readZone(other.name)).toBeUndefined();
  expect(watch.figures()).toMatchObject({ slices: 1, failures: 1 });
  await watch.look();
  expect(watch.figures()).toMatchObject({ failures: 1 });
  elapsedMs += 60_000;
  await watch.look();
  expect(watch.figures()).toMatchObject({ failures: 2 });
  await watchWith().look();
  expect(store.readZone(one.name)).toBeUndefined();
});

test('a store that is away ends the look', async () => {
  const away = { accounts: { due: () => Promise.reject(new StoreUnavailable('away')) } };
  const watch = watchWith(undefined, away);
  expect(await watch.look()).toBe(false);
  expect(watch.figures()).toEqual({ due: 0, slices: 0, failures: 1 });
});
