import { expect, test } from 'vitest';
import { GuardedTime } from './guarded-time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-20T09:00:00Z');

/** One observation: the wall clock after the start, the monotonic clock, and what is expected. */
type Seen = readonly [wallMs: number, monotonicMs: number, trustedMs: number, isHeld: boolean];

const rows: readonly (readonly [string, number | null, readonly Seen[]])[] = [
  [
    'follows a clock that runs evenly',
    null,
    [
      [0, 5, 0, false],
      [MINUTE, MINUTE + 5, MINUTE, false],
      [40 * DAY, 40 * DAY + 5, 40 * DAY, false],
    ],
  ],
  [
    'follows a correction within the tolerance',
    null,
    [
      [0, 0, 0, false],
      [HOUR, 0, HOUR, false],
    ],
  ],
  [
    'is held after a jump ahead, and follows the clock once it has returned',
    null,
    [
      [0, 0, 0, false],
      [31 * DAY, MINUTE, MINUTE, true],
      [2 * MINUTE, 2 * MINUTE, 2 * MINUTE, false],
    ],
  ],
  [
    'is held until the clock has run on steadily for six hours',
    null,
    [
      [0, 0, 0, false],
      [31 * DAY, MINUTE, MINUTE, true],
      [31 * DAY + 6 * HOUR - 1, MINUTE + 6 * HOUR - 1, MINUTE + 6 * HOUR - 1, true],
      [31 * DAY + 6 * HOUR, MINUTE + 6 * HOUR, 31 * DAY + 6 * HOUR, false],
    ],
  ],
  [
    'waits six hours again if the clock jumps while it is held',
    null,
    [
      [0, 0, 0, false],
      [31 * DAY, 0, 0, true],
      [60 * DAY, 5 * HOUR, 5 * HOUR, true],
      [60 * DAY + 2 * HOUR, 7 * HOUR, 7 * HOUR, true],
      [60 * DAY + 6 * HOUR, 11 * HOUR, 60 * DAY + 6 * HOUR, false],
    ],
  ],
  [
    'uses the earlier time after a jump back',
    null,
    [
      [0, 0, 0, false],
      [-40 * DAY, MINUTE, -40 * DAY, false],
      [-40 * DAY + MINUTE, 2 * MINUTE, -40 * DAY + MINUTE, false],
    ],
  ],
  [
    'does not creep ahead by many steps within the tolerance',
    null,
    [
      [0, 0, 0, false],
      [50 * MINUTE, 0, 50 * MINUTE, false],
      [100 * MINUTE, 0, 50 * MINUTE, true],
    ],
  ],
  ['trusts the clock after a stop of a day', -DAY, [[0, 0, 0, false]]],
  [
    'is held if the clock is more than a day ahead of the kept time',
    -DAY - 1,
    [
      [0, 7, -DAY - 1, true],
      [6 * HOUR, 7 + 6 * HOUR, 6 * HOUR, false],
    ],
  ],
  ['uses the clock if it is behind the kept time', 31 * DAY, [[0, 0, 0, false]]],
];

test.each(rows)('the trusted time %s', (_, keptMs, seen) => {
  const time = new GuardedTime();
  const kept = keptMs === null ? null : START + keptMs;
  for (const [wallMs, monotonicMs, trustedMs, isHeld] of seen) {
    const reading = time.observe(START + wallMs, monotonicMs, kept);
    expect({ ...reading, trustedMs: reading.trustedMs - START }).toMatchObject({ trustedMs, isHeld });
  }
});

test('a time that another process trusts ends the hold', () => {
  const time = new GuardedTime();
  time.observe(START, 0, null);
  expect(time.observe(START + 31 * DAY, MINUTE, START).isHeld).toBe(true);
  expect(time.observe(START + 31 * DAY + MINUTE, 2 * MINUTE, START + 31 * DAY)).toEqual({
    trustedMs: START + 31 * DAY + MINUTE,
    isHeld: false,
    aheadMs: 0,
  });
});
