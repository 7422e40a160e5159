import { expect, test } from 'vitest';
import { RolloverRests } from './rollover-rests.ts';

const MINUTE_MS = 60_000;

/** The minutes of monotonic time at which a look is due. */
function dueAt(rests: RolloverRests, fromMs: number): number {
  let nowMs = fromMs;
  while (rests.isResting(1, nowMs)) nowMs += MINUTE_MS;
  return nowMs / MINUTE_MS;
}

test('rests double up to ten minutes while nothing changes, and begin again after a change', () => {
  const rests = new RolloverRests();
  const due: number[] = [];
  for (let nowMs = 0; due.length < 6; nowMs = (due.at(-1) ?? 0) * MINUTE_MS) {
    rests.add(1, nowMs, null);
    due.push(dueAt(rests, nowMs));
  }
  expect(due).toEqual([1, 3, 7, 15, 25, 35]);
  rests.end(1);
  expect(rests.isResting(1, 0)).toBe(false);
  rests.add(1, 0, null);
  expect(dueAt(rests, 0)).toBe(1);
});

test('a wait for a TTL ends with it, or is looked at after ten minutes', () => {
  const rests = new RolloverRests();
  rests.add(1, 0, 180);
  expect(dueAt(rests, 0)).toBe(3);
  rests.add(1, 0, 86_400);
  expect(dueAt(rests, 0)).toBe(10);
});

test('only domains that are still watched are remembered', () => {
  const rests = new RolloverRests();
  rests.add(1, 0, null);
  rests.add(2, 0, null);
  rests.keepOnly(new Set([2]));
  expect([rests.isResting(1, 0), rests.isResting(2, 0)]).toEqual([false, true]);
});
