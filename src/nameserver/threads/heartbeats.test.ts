import { expect, test } from 'vitest';
import { HeartbeatWatch } from './heartbeats.ts';

test('looks without a sign of life are counted, and one sign is enough to begin anew', () => {
  let count = 7;
  const watch = new HeartbeatWatch(() => count);
  expect([watch.look(), watch.look(), watch.look()]).toEqual([1, 2, 3]);
  count++;
  expect([watch.look(), watch.look()]).toEqual([0, 1]);
});

test('a counter that has gone round is a sign of life', () => {
  let count = 2 ** 31 - 1;
  const watch = new HeartbeatWatch(() => count);
  count = -(2 ** 31);
  expect(watch.look()).toBe(0);
});
