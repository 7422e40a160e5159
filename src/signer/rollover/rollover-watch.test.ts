import { expect, test } from 'vitest';
import type { RolloverWatchOptions } from './rollover-watch.ts';
import { exchangeBesideAnotherProvider } from './exchange-beside-another-provider.test-support.ts';
import { DS_TTL_SECONDS, openWatch } from './watch-scene.test-support.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

test('a key is exchanged: each step waits for the servers, and then for the TTL', async () => {
  const scene = await openWatch();
  const { servers, lookAfter, step } = scene;
  const [old] = await scene.keys();
  await scene.start(13);
  servers.serial = 1;
  await lookAfter(DAY_SECONDS);
  expect(await step()).toBe('published');
  servers.serial = undefined;
  await lookAfter(HOUR_SECONDS);
  expect(await step()).toBe('published, waiting');
  await lookAfter(HOUR_SECONDS - 1);
  expect(await step()).toBe('published, waiting');
  await lookAfter(600);
  expect(await step()).toBe('announced');

  const [, incoming] = await scene.keys();
  for (const ds of [[old], [old, incoming], []]) {
    servers.ds = ds;
    await lookAfter(DAY_SECONDS);
    expect(await step()).toBe('announced');
  }
  servers.ds = [incoming];
  await lookAfter(DAY_SECONDS);
  expect(await step()).toBe('announced, waiting');
  servers.ds = [old, incoming];
  await lookAfter(HOUR_SECONDS);
  expect(await step()).toBe('announced');
  servers.ds = [incoming];
  await lookAfter(HOUR_SECONDS);
  expect(await step()).toBe('announced, waiting');
  await lookAfter(DS_TTL_SECONDS);
  expect(await step()).toBe('signed');

  await lookAfter(60);
  expect(await step()).toBe('signed, waiting');
  await lookAfter(DAY_SECONDS - 1);
  expect(await step()).toBe('signed, waiting');
  await lookAfter(600);
  expect(await step()).toBe('none');
  expect(await scene.keys()).toEqual([{ ...incoming, uses: 15, rollover: null }]);
  await lookAfter(60);
  expect(scene.watch.figures()).toEqual({ inProgress: 0, moved: 8, failures: 0 });
});

test('an algorithm is exchanged in four steps', async () => {
  const scene = await openWatch();
  const { servers, lookAfter, step } = scene;
  await scene.start(15);
  const steps: string[] = [];
  for (let looks = 0; looks < 20 && (await step()) !== 'none'; looks++) {
    const now = await step();
    if (steps.at(-1) !== now) steps.push(now);
    if (now === 'announced') servers.ds = (await scene.keys()).slice(1);
    await lookAfter(DAY_SECONDS);
  }
  expect(steps).toEqual(
    ['signing', 'published', 'announced', 'unpublished'].flatMap((name) => [name, `${name}, waiting`]),
  );
  expect(await scene.keys()).toMatchObject([{ algorithm: 15, uses: 15, rollover: null }]);
});

test('beside another provider, each step also waits for its nameservers', async () => {
  await exchangeBesideAnotherProvider(await openWatch());
});

test('signing ends once the parent zone has no DS record, and the TTL of the last one is over', async () => {
  const scene = await openWatch();
  const { servers, lookAfter, step } = scene;
  await scene.update('disabled');
  await lookAfter(60);
  expect(await step()).toBe('withdrawing');
  servers.ds = [];
  await lookAfter(HOUR_SECONDS);
  expect(await step()).toBe('withdrawing, waiting');
  await lookAfter(DS_TTL_SECONDS + HOUR_SECONDS - 60);
  expect(await step()).toBe('withdrawing, waiting');
  await lookAfter(600);
  expect(await scene.keys()).toEqual([]);
});

test('a withdrawal that is cancelled never ends signing', async () => {
  const scene = await openWatch();
  await scene.update('disabled');
  scene.servers.ds = [];
  await scene.lookAfter(60);
  await scene.update('enabled');
  await scene.lookAfter(2 * DAY_SECONDS);
  expect(await scene.keys()).toMatchObject([{ uses: 15, rollover: null }]);
});

test.each<[string, Partial<RolloverWatchOptions>]>([
  ['without a secret', { canSign: false }],
  ['while the clock is in doubt', { findClockDoubt: () => 'The clock has jumped ahead by 48 hours' }],
])('nothing is carried on %s, and rollovers are counted', async (_, options) => {
  const scene = await openWatch(options);
  await scene.start(13);
  await scene.lookAfter(60);
  expect(await scene.step()).toBe('published');
  expect(scene.watch.figures()).toEqual({ inProgress: 1, moved: 0, failures: 0 });
});

test('a look that fails concerns its domain alone, is logged once, and is tried again', async () => {
  const look: { fails: boolean } = { fails: true };
  const scene = await openWatch({
    lookAtSerials: ({ serial }) =>
      look.fails
        ? Promise.reject(new Error('out of sockets'))
        : Promise.resolve({ kind: 'asked', servers: [{ name: 'ns1', address: undefined, serial }] }),
  });
  await scene.start(13);
  await scene.lookAfter(60);
  await scene.lookAfter(HOUR_SECONDS);
  expect(scene.logged.filter((line) => line.includes('cannot go on'))).toHaveLength(1);
  expect(scene.watch.figures()).toMatchObject({ moved: 0, failures: 2 });
  look.fails = false;
  await scene.lookAfter(2 * HOUR_SECONDS);
  expect(await scene.step()).toBe('published, waiting');
  expect(scene.logged.at(-1)).toBe('a key rollover goes on again');
});

test('a store that is away holds everything, and is said once', async () => {
  const scene = await openWatch();
  await scene.start(13);
  await scene.close();
  await scene.lookAfter(60);
  await scene.lookAfter(60);
  expect(scene.watch.figures().failures).toBe(2);
  await scene.reopen();
  await scene.lookAfter(60);
  expect(scene.logged.map((line) => line.split(':')[0])).toEqual([
    'the store cannot be used for key rollovers; it is tried again',
    'key rollovers go on',
  ]);
  expect(await scene.step()).toBe('published, waiting');
});
