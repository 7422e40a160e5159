import { expect, test } from 'vitest';
import { DS_TTL_SECONDS, openWatch, parentLook } from './watch-scene.test-support.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

test('the TTL of DS records that have been seen outlives the process that has seen them', async () => {
  const scene = await openWatch();
  const { servers, step } = scene;
  await scene.update('disabled');
  await scene.lookAfter(60);
  expect((await scene.keys())[0].rollover).toMatchObject({
    untilSeconds: null,
    dsTtlSeconds: DS_TTL_SECONDS,
  });
  expect(scene.watch.figures()).toMatchObject({ moved: 0, failures: 0 });
  await scene.startWatchAgain();
  servers.ds = [];
  await scene.lookAfter(60);
  expect(await step()).toBe('withdrawing, waiting');
  await scene.lookAfter(DS_TTL_SECONDS + HOUR_SECONDS);
  expect(await scene.keys()).toEqual([]);
});

test('a rollover that is held is not looked at, and goes on when it is released', async () => {
  const scene = await openWatch();
  await scene.start(13);
  await scene.write({ kind: 'holdRollover', isHeld: true });
  await scene.lookAfter(DAY_SECONDS);
  expect(await scene.step()).toBe('published');
  await scene.write({ kind: 'holdRollover', isHeld: false });
  await scene.lookAfter(DAY_SECONDS);
  expect(await scene.step()).toBe('published, waiting');
  expect(scene.watch.figures()).toEqual({ inProgress: 1, moved: 1, failures: 0 });
});

test("where nobody answers, the owner's word counts, and the TTL passes", async () => {
  const scene = await openWatch({ lookAtParent: () => Promise.resolve(scene.parent.look) });
  await scene.update('disabled');
  const { id } = (await scene.keys())[0].rollover ?? { id: '' };
  const say = (ds: readonly string[]) =>
    scene.write({ kind: 'noteDsSeen', id, step: 'withdrawing', seen: { ds, ttlSeconds: 600, atSeconds: 1 } });
  await scene.lookAfter(DAY_SECONDS);
  await say(['1 13 2 AB']);
  await scene.lookAfter(HOUR_SECONDS);
  expect(await scene.step()).toBe('withdrawing');
  await say([]);
  scene.parent.look = { kind: 'unknown', reason: 'other look-ups are in progress', isBusy: true };
  await scene.lookAfter(HOUR_SECONDS);
  expect(await scene.step()).toBe('withdrawing');
  scene.parent.look = { kind: 'unknown', reason: 'nobody is asked' };
  await scene.lookAfter(HOUR_SECONDS);
  expect(await scene.step()).toBe('withdrawing, waiting');
  scene.parent.look = parentLook(scene.name, await scene.keys());
  await scene.lookAfter(600);
  expect(await scene.step()).toBe('withdrawing');
  scene.parent.look = { kind: 'unknown', reason: 'nobody is asked' };
  await scene.lookAfter(HOUR_SECONDS);
  await scene.lookAfter(HOUR_SECONDS + DS_TTL_SECONDS);
  expect(await scene.keys()).toEqual([]);
});
