import { expect, test } from 'vitest';
import { CheckPace } from './check-pace.ts';

function scene() {
  let nowMs = 5000;
  const pace = new CheckPace(() => nowMs);
  return { pace, pass: (ms: number) => (nowMs += ms), step: (ms: number) => pace.take(() => (nowMs += ms)) };
}

test('steps take a fiftieth of the time', () => {
  const { pace, pass, step } = scene();
  let taken = 0;
  for (let second = 0; second < 1000; second++) {
    let stepsMs = 0;
    for (; pace.hasTime(); stepsMs += 3) step(3);
    taken += stepsMs;
    pass(1000 - stepsMs);
  }
  expect(taken).toBeGreaterThan(19_000);
  expect(taken).toBeLessThan(21_000);
});

test('time that was not used is not saved for later', () => {
  const { pace, pass, step } = scene();
  pass(3_600_000);
  let steps = 0;
  for (; pace.hasTime(); steps++) step(1);
  expect(steps).toBeLessThan(22);
});

test('a long step is paid for before the next one', () => {
  const { pace, pass, step } = scene();
  expect(pace.hasTime()).toBe(true);
  step(200);
  pass(5000);
  expect(pace.hasTime()).toBe(false);
  pass(5000);
  expect(pace.hasTime()).toBe(true);
});

test.each([
  ['a second after a short round', 2, 1000],
  ['nine times as long as the round', 2000, 18_000],
  ['ten minutes after a long round', 3_600_000, 600_000],
])('rounds rest %s', (_, roundMs, restMs) => {
  const { pace, pass } = scene();
  expect(pace.isResting()).toBe(false);
  pass(777);
  pace.beginRound();
  pass(roundMs);
  pace.endRound();
  pass(restMs - 1);
  expect(pace.isResting()).toBe(true);
  pass(1);
  expect(pace.isResting()).toBe(false);
});
