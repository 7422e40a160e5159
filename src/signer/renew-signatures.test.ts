import { expect, test } from 'vitest';
import { START_SECONDS } from '../store/suite/store-scene.test-support.ts';
import { openRenewalScene, type RenewalScene } from './renewal-scene.test-support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Domains that are due although the store has no key for them, so that each renewal is refused. */
async function openFailing(count: number): Promise<RenewalScene> {
  const scene = await openRenewalScene();
  const tenant = await scene.tenant();
  for (let made = 0; made < count; made++) await tenant.createDomain();
  scene.query(`UPDATE domains SET denial = 'nsec', renew_at = ${START_SECONDS} - id`);
  return scene;
}

test('nothing is due without signed domains', async () => {
  const { renewal, tenant } = await openRenewalScene();
  await (await tenant()).createDomain();
  expect(await renewal.look()).toBe(MINUTE_MS);
  expect(renewal.figures()).toEqual({
    due: 0,
    overdueSeconds: 0,
    renewed: 0,
    failures: 0,
    clockDoubt: undefined,
  });
});

test('each failing domain is tried, logged once and tried again after a pause that doubles', async () => {
  const { renewal, logged, pass } = await openFailing(3);
  const triesAfter = async (ms: number): Promise<number> => {
    pass(ms);
    const before = renewal.figures().failures;
    await renewal.look();
    return renewal.figures().failures - before;
  };
  expect(await triesAfter(0)).toBe(3);
  expect(await triesAfter(MINUTE_MS - 1)).toBe(0);
  expect(await triesAfter(1)).toBe(3);
  expect(await triesAfter(MINUTE_MS)).toBe(0);
  expect(await triesAfter(MINUTE_MS)).toBe(3);
  for (let hour = 0; hour < 5; hour++) expect(await triesAfter(HOUR_MS)).toBe(3);
  expect(logged).toHaveLength(3);
  expect(new Set(logged)).toEqual(
    new Set(['warn signatures cannot be renewed; this domain is tried again and again']),
  );
});

test('more failing domains than one query returns are all tried', async () => {
  const { renewal } = await openFailing(101);
  await renewal.look();
  expect(renewal.figures()).toMatchObject({ due: 101, failures: 101, renewed: 0 });
});

test('the most overdue domain counts, also while nobody looks', async () => {
  const { renewal, pass } = await openFailing(2);
  await renewal.look();
  const { overdueSeconds } = renewal.figures();
  expect(overdueSeconds).toBeGreaterThan(0);
  pass(HOUR_MS);
  expect(renewal.figures().overdueSeconds).toBe(overdueSeconds + 3600);
});

test('a store that is away is tried again after pauses that double, and logged once', async () => {
  const { renewal, logged, close, reopen } = await openFailing(1);
  await close();
  const pauses = [await renewal.look(), await renewal.look(), await renewal.look()];
  expect(pauses).toEqual([1000, 2000, 4000]);
  for (let look = 0; look < 5; look++) expect(await renewal.look()).toBeLessThanOrEqual(MINUTE_MS);
  await reopen();
  expect(await renewal.look()).toBe(MINUTE_MS);
  expect(logged).toEqual([
    'warn the store cannot be used to renew signatures; it is tried again',
    'warn signatures cannot be renewed; this domain is tried again and again',
    'info the renewal of signatures goes on',
  ]);
});

test('nothing is renewed by a clock that is wrong', async () => {
  const scene = await openRenewalScene({ findClockDoubt: () => 'The clock is wrong' });
  await (await scene.tenant()).createDomain();
  scene.query(`UPDATE domains SET denial = 'nsec', renew_at = ${START_SECONDS}`);
  await scene.renewal.look();
  expect(scene.renewal.figures()).toMatchObject({ due: 1, failures: 0, clockDoubt: 'The clock is wrong' });
});

test('a process without a secret renews nothing, and watches what is due', async () => {
  const scene = await openRenewalScene({ canSign: false });
  await (await scene.tenant()).createDomain();
  scene.query(`UPDATE domains SET denial = 'nsec', renew_at = ${START_SECONDS}`);
  await scene.renewal.look();
  expect(scene.renewal.figures()).toMatchObject({ due: 1, failures: 0 });
});

test('closing ends a look between two domains', async () => {
  const { renewal } = await openFailing(50);
  const looking = renewal.look();
  await expect.poll(() => renewal.figures().failures, { interval: 1 }).toBeGreaterThan(0);
  await renewal.close();
  await looking;
  expect(renewal.figures().failures).toBeLessThan(50);
});

test('closing ends the pause between two looks', async () => {
  const { renewal } = await openFailing(1);
  renewal.start();
  await renewal.close();
  expect(renewal.figures().failures).toBe(0);
});
