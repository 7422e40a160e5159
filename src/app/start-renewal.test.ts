import { expect, test } from 'vitest';
import { describeHeldRenewal, describeOverdueRenewal } from './start-renewal.ts';

const DAY_SECONDS = 86_400;

test.each([
  [0, 0, undefined],
  [3, 2 * DAY_SECONDS, undefined],
  [1, 2 * DAY_SECONDS + 1, /should have been renewed 2 days ago, .*; 1 domain waits for renewal$/],
  [12, 5 * DAY_SECONDS, /should have been renewed 5 days ago, .*; 12 domains wait for renewal$/],
])('%i domains, the first of them due for %i seconds', (due, overdueSeconds, message) => {
  const problem = describeOverdueRenewal({ due, overdueSeconds });
  if (message === undefined) expect(problem).toBeUndefined();
  else expect(problem).toEqual({ message: expect.stringMatching(message) as string, isSevere: false });
});

test('a clock that is wrong is a problem, but no reason to send requests elsewhere', () => {
  expect(describeHeldRenewal({ clockDoubt: undefined })).toBeUndefined();
  expect(describeHeldRenewal({ clockDoubt: 'The clock is wrong' })).toEqual({
    message: 'The clock is wrong',
    isSevere: false,
  });
});
