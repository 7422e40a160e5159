import { expect, test } from 'vitest';
import { showProgress, type Task } from './show-progress.ts';
import { textTerminal } from './text-terminal.test-support.ts';

const rows: Task = { phase: 'copying', total: 2_000_000, unit: 'rows' };

/**
 * The output on stderr while a task advances in steps of time and count; without `columns`, stderr is not a terminal.
 */
function follow(task: Task, columns: number | undefined, steps: readonly [ms: number, count: number][]) {
  let said = '';
  let nowMs = 1000;
  const progress = showProgress(
    {
      ...textTerminal(),
      print: () => expect.unreachable('stdout is for the result'),
      complain: (text) => void (said += text),
      stderrColumns: columns === undefined ? undefined : () => columns,
    },
    task,
    () => nowMs,
  );
  for (const [ms, count] of steps) {
    nowMs += ms;
    progress.advance(count);
  }
  progress.finish();
  progress.finish();
  return said;
}

test('a terminal shows a bar with rate and remaining time on one line, which ends with the task', () => {
  expect(
    follow(rows, 80, [
      [20_000, 1_200_000],
      [20_000, 800_000],
    ]).split('\r'),
  ).toEqual([
    '',
    `[${'-'.repeat(12)}] copying: 0 of 2,000,000 rows`,
    `[${'#'.repeat(7)}${'-'.repeat(5)}] copying: 1,200,000 of 2,000,000 rows, 60,000/s, 14 s left`,
    `[${'#'.repeat(12)}] copying: 2,000,000 of 2,000,000 rows, 50,000/s${' '.repeat(11)}\n`,
  ]);
});

test.each([
  ['long rests are told in minutes', [[10_000, 20_000]], ', 2,000/s, 17 min left'],
  ['a slow rate has a decimal', [[10_000, 25]], ', 2.5/s, 223 h left'],
  ['a first step that took no time has no rate', [[0, 2_000_000]], 'copying: 2,000,000 of 2,000,000 rows'],
  ['more than was expected is no more than a full bar', [[1_000, 2_000_500]], ', 2,000,500/s'],
] as const)('%s', (_, steps, end) => {
  expect(follow(rows, 120, steps as unknown as [number, number][]).trimEnd()).toMatch(new RegExp(`${end}$`));
});

test('the bar is redrawn at a limited rate, but always when it is full', () => {
  const steps = Array.from({ length: 100 }, (): [number, number] => [5, 1]);
  const drawn = follow({ phase: 'planning', total: 100, unit: 'domains' }, 100, steps).split('\r');
  // At the start, four times per half second, and at the end.
  expect(drawn).toHaveLength(1 + 6);
  expect(drawn.at(-1)).toContain('planning: 100 of 100 domains');
});

test.each([79, 50, 30, 12, 1, 0])('the line never wraps on a terminal of %i columns', (columns) => {
  for (const line of follow(rows, columns, [
    [1000, 1],
    [1000, 2],
    [1000, 3],
  ])
    .trimEnd()
    .split('\r')) {
    expect(line.length).toBeLessThan(Math.max(columns, 1));
    expect(line).toMatch(/^(?:copying.*)?$/);
  }
});

test('an interrupted task ends its line, so that the reason appears on the next', () => {
  expect(follow(rows, 80, [[1000, 5]])).toMatch(/ left\n$/);
});

test('without a terminal, a line is printed every ten seconds, and none for a short task', () => {
  expect(
    follow(rows, undefined, [
      [9_000, 1],
      [500, 1_999_999],
    ]),
  ).toBe('');
  expect(
    follow(rows, undefined, [
      [9_000, 900_000],
      [1_000, 100_000],
      [9_000, 500_000],
      [9_000, 500_000],
    ]),
  ).toBe(
    'copying: 1,000,000 of 2,000,000 rows, 100,000/s, 10 s left\n' +
      'copying: 2,000,000 of 2,000,000 rows, 71,429/s\n',
  );
});

test('an empty task prints nothing', () => {
  expect(follow({ ...rows, total: 0 }, 100, [])).toBe('');
});
