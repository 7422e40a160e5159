import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { ServiceProblems, type FoundProblem } from './service-problems.ts';

test('shows the problems that exist, and the first severe one as the reason', () => {
  const problems = new ServiceProblems(silentLog);
  onTestFinished(() => problems.close());
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

test('the log says that a problem begins, and that it is over', async () => {
  const lines: string[] = [];
  const say = (_: object, message: string): void => void lines.push(message);
  const problems = new ServiceProblems({ ...silentLog, warn: say, info: say }, 1);
  onTestFinished(() => problems.close());
  let found: FoundProblem | undefined = { message: 'The disk is full', isSevere: true };
  problems.add('disk_full', () => found);
  await expect.poll(() => lines[0]).toBe('The disk is full');
  found = undefined;
  await expect.poll(() => lines.at(-1)).toBe('the problem is over');
});

test.each([
  ['a severe problem is logged again while it lasts', true, 2],
  ['a problem that is not severe is logged once', false, 1],
] as const)('%s', async (_, isSevere, expected) => {
  const lines: string[] = [];
  let looks = 0;
  const problems = new ServiceProblems({ ...silentLog, warn: (_, message) => void lines.push(message) }, 1);
  onTestFinished(() => problems.close());
  problems.add('login_refused', () => {
    looks++;
    return { message: 'The database refuses the log-in', isSevere };
  });
  await expect.poll(() => looks).toBeGreaterThan(61);
  problems.close();
  expect(lines.length).toBeGreaterThanOrEqual(expected);
  expect(lines.length).toBeLessThanOrEqual(isSevere ? Math.ceil(looks / 60) : 1);
});
