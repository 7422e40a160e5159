import { expect, test } from 'vitest';
import { addFailure, delayAfter, wrongCodeDelays, type LoginFailures } from './login-delay.ts';

const HOUR_MS = 3_600_000;

/** The failures after some at one time. */
function failures(count: number, lastMs: number): LoginFailures {
  let all = addFailure(null, lastMs);
  for (let at = 1; at < count; at++) all = addFailure(all, lastMs);
  return all;
}

test('the delay begins after five failures, doubles, and is a quarter of an hour at most', () => {
  const delays = [4, 5, 6, 7, 14, 15, 30].map((count) => delayAfter(failures(count, 0), wrongCodeDelays, 0));
  expect(delays).toEqual([0, 1_000, 2_000, 4_000, 512_000, 900_000, 900_000]);
  expect(delayAfter(failures(7, 1_000), wrongCodeDelays, 3_500)).toBe(1_500);
});

test.each([0.1, 0.5, 12, 24 * 365])(
  'a clock that was %s hours ahead when a code was wrong locks nobody out for more than an hour and a quarter',
  (hours) => {
    const ahead = failures(30, hours * HOUR_MS);
    const waits = Array.from({ length: 76 }, (_, minute) =>
      delayAfter(ahead, wrongCodeDelays, minute * 60_000),
    );
    expect(waits).toContain(0);
  },
);

test('the delay is whole on a machine whose clock is behind', () => {
  expect(delayAfter(failures(30, HOUR_MS / 2), wrongCodeDelays, 0)).toBe(900_000);
});

test('failures are forgotten after an hour without another one', () => {
  const before = failures(9, 0);
  expect(addFailure(before, HOUR_MS - 1).count).toBe(10);
  expect(addFailure(before, HOUR_MS).count).toBe(1);
  expect(delayAfter(before, wrongCodeDelays, HOUR_MS)).toBe(0);
});
