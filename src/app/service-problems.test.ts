import { expect, test } from 'vitest';
import { ServiceProblems, type FoundProblem } from './service-problems.ts';

test('shows the problems that exist, and the first severe one as the reason', () => {
  const problems = new ServiceProblems();
  let found: FoundProblem | undefined;
  problems.add('deletion_held', () => found);
  expect(problems.look()).toEqual({ reason: undefined, list: [] });
  expect(problems.figures()).toEqual([{ problem: 'deletion_held', exists: false }]);
  found = { message: 'Held', isSevere: false };
  expect(problems.look()).toEqual({
    reason: undefined,
    list: [{ problem: 'deletion_held', message: 'Held' }],
  });
  found = { message: 'Held', isSevere: true };
  expect(problems.look().reason).toBe('Held');
  expect(problems.figures()).toEqual([{ problem: 'deletion_held', exists: true }]);
});
