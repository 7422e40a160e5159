import { expect, test } from 'vitest';
import { HeartbeatWatch } from './heartbeats.ts';

test('silent checks are counted, and one heartbeat resets the count', () => {
  let count = 7;
  const watch = new HeartbeatWatch(() => count);
  expect([watch.check(), watch.check(), watch.check()]).toEqual([1, 2, 3]);
  count++;
  expect([watch.check(), watch.check()]).toEqual([0, 1]);
});

test('a counter that has wrapped around counts as a heartbeat', () => {
  let count = 2 ** 31 - 1;
  const watch = new HeartbeatWatch(() => count);
  count = -(2 ** 31);
  expect(watch.check()).toBe(0);
});
