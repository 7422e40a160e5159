import { expect, test } from 'vitest';
import { raiseSerial } from './raised-serials.ts';

const NOW_SECONDS = 1_800_000_000;
const HOUR_SECONDS = 3600;

test.each([
  ['behind the clock', NOW_SECONDS - 10 * HOUR_SECONDS, NOW_SECONDS],
  ['at the clock when the backup was taken', NOW_SECONDS - HOUR_SECONDS, NOW_SECONDS + 1],
  ['ahead of the clock', NOW_SECONDS + 500, NOW_SECONDS + 500 + HOUR_SECONDS + 1],
  ['about to wrap around', 2 ** 32 - 1, NOW_SECONDS],
  [
    'far ahead of the clock',
    NOW_SECONDS + 2 ** 31 - 10_000,
    NOW_SECONDS + 2 ** 31 - 10_000 + HOUR_SECONDS + 1,
  ],
])('raiseSerial() of a serial %s is later than any published since the backup', (_, serial, raised) => {
  const times = { takenAtMs: (NOW_SECONDS - HOUR_SECONDS) * 1000, nowMs: NOW_SECONDS * 1000 };
  expect(raiseSerial(serial, times)).toBe(raised);
});

test('raiseSerial() raises the serial even if the clock was set back since the backup', () => {
  const times = { takenAtMs: (NOW_SECONDS + 60) * 1000, nowMs: NOW_SECONDS * 1000 };
  expect(raiseSerial(NOW_SECONDS + 30, times)).toBe(NOW_SECONDS + 31);
});
