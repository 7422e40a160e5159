import { expect, test } from 'vitest';
import { MIN_FREE_BYTES } from './disk-watch.ts';
import { describeDamage, describeDisk, describeOffset, describeStall, lagCheck } from './find-problems.ts';

test.each([
  ['room enough', MIN_FREE_BYTES, undefined, undefined],
  ['an unknown file system', undefined, undefined, undefined],
  ['another failure', MIN_FREE_BYTES, 'no such table', undefined],
  ['too little room', MIN_FREE_BYTES - 1, undefined, '63 MiB are free, and at least 64 MiB are needed'],
  ['a write that found no room', MIN_FREE_BYTES, 'database or disk is full', 'database or disk is full'],
])('a disk with %s', (_, freeBytes, failure, message) => {
  if (message === undefined) expect(describeDisk(freeBytes, failure)).toBeUndefined();
  else expect(describeDisk(freeBytes, failure)?.message).toContain(message);
});

test('a clock more than a minute off is described', () => {
  expect([0, 60_000, -60_000].map(describeOffset)).toEqual([undefined, undefined, undefined]);
  const messages = [61_000, -90_000].map((offsetMs) => describeOffset(offsetMs)?.message);
  expect(messages).toEqual([
    'The clock is 61 seconds ahead of that of the database',
    'The clock is 90 seconds behind that of the database',
  ]);
  expect(describeOffset(undefined)).toBeUndefined();
});

test('writes that do not commit are described', () => {
  expect(describeStall('waiting for a synchronous standby')).toEqual({
    message: 'No write commits: waiting for a synchronous standby',
    isSevere: true,
  });
});

test('a copy lags if it has been behind for a minute while the database can be reached', () => {
  let state: Parameters<typeof lagCheck>[0] extends () => infer State ? State : never;
  let nowMs = 0;
  const check = lagCheck(() => state, { elapsedMs: () => nowMs });
  state = { phase: 'away', lagMs: 3_600_000 };
  expect(check()).toBeUndefined();
  state = { phase: 'following', lagMs: 3_600_000 };
  expect(check()).toBeUndefined();
  nowMs = 61_000;
  state = { phase: 'following', lagMs: 3_661_000 };
  expect(check()?.message).toBe('The zones are 3661 seconds behind the database, which can be reached');
  state = { phase: 'following', lagMs: 0 };
  expect(check()).toBeUndefined();
  state = { phase: 'following', lagMs: 30_000 };
  expect(check()).toBeUndefined();
});

test('damage of the zones is a severe problem, but not that they are being copied or checked', () => {
  const doubt = {
    about: 'all',
    damagedZones: 0,
    isDamage: false,
    reason: 'The zones are being copied',
  } as const;
  expect(describeDamage(undefined)).toBeUndefined();
  expect(describeDamage({})).toBeUndefined();
  expect(describeDamage({ doubt })).toBeUndefined();
  const reason = '1 zone is damaged';
  const found = describeDamage({ doubt: { ...doubt, damagedZones: 1, isDamage: true, reason } });
  expect(found).toEqual({ message: reason, isSevere: true });
});
