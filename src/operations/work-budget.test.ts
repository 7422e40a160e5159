import { expect, test } from 'vitest';
import { costOf, WorkBudget } from './work-budget.ts';

function scene() {
  const time = { ms: 1000 };
  return { time, budget: new WorkBudget(() => time.ms) };
}

test('an account has a minute of work at once, and gets it back over the next minute', () => {
  const { time, budget } = scene();
  expect(budget.take('a', 60, 60)).toBe(0);
  expect(budget.used('a', 60)).toBe(60);
  expect(budget.take('a', 10, 60)).toBe(10);
  time.ms += 9_000;
  expect(budget.take('a', 10, 60)).toBe(1);
  time.ms += 1_000;
  expect(budget.take('a', 10, 60)).toBe(0);
  expect(budget.take('b', 60, 60)).toBe(0);
});

test('a request that costs more than a minute waits for a full bucket, and delays what follows', () => {
  const { time, budget } = scene();
  expect(budget.take('a', 180, 60)).toBe(0);
  expect(budget.take('a', 1, 60)).toBe(121);
  time.ms += 121_000;
  expect(budget.take('a', 1, 60)).toBe(0);
  expect(budget.take('a', 180, 60)).toBe(60);
});

test('a changed limit holds at once and keeps what was used', () => {
  const { budget } = scene();
  budget.take('a', 50, 60);
  expect(budget.take('a', 40, 100)).toBe(0);
  expect(budget.used('a', 100)).toBe(90);
  expect(budget.take('a', 1, 60)).toBe(31);
});

test('costOf() counts rows and octets', () => {
  expect(costOf({ rows: 0, octets: 0 })).toBe(1);
  expect(costOf({ rows: 10, octets: 257 })).toBe(13);
});
