import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PositionReports } from './position-reports.ts';

let sent: number[];
let fails: boolean;
let failures: unknown[];
let reports: PositionReports;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  fails = false;
  failures = [];
  reports = new PositionReports(
    ({ seq }) => {
      sent.push(seq);
      return fails ? Promise.reject(new Error('away')) : Promise.resolve();
    },
    (error) => failures.push(error),
  );
});

afterEach(() => {
  reports.close();
  vi.useRealTimers();
});

test('the first position is reported immediately, the next ones together', async () => {
  for (const seq of [1, 2, 3]) reports.note({ seq, atMs: seq });
  await vi.advanceTimersByTimeAsync(0);
  for (const seq of [4, 5, 6]) reports.note({ seq, atMs: seq });
  await vi.advanceTimersByTimeAsync(49);
  expect(sent).toEqual([3]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([3, 6]);
});

test('without changes a report is sent every two seconds', async () => {
  reports.note({ seq: 1, atMs: 0 });
  await vi.advanceTimersByTimeAsync(6000);
  expect(sent).toEqual([1, 1, 1, 1]);
});

test('a failed report is retried after a second, with the position at that time', async () => {
  fails = true;
  reports.note({ seq: 1, atMs: 0 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual([1, 1]);
  fails = false;
  await vi.advanceTimersByTimeAsync(500);
  reports.note({ seq: 0, atMs: 0 });
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([1, 1, 0]);
});

test('the first of several failures is told, and the first after a success', async () => {
  fails = true;
  reports.note({ seq: 1, atMs: 0 });
  await vi.advanceTimersByTimeAsync(3000);
  expect(failures).toEqual([new Error('away')]);
  fails = false;
  await vi.advanceTimersByTimeAsync(1000);
  fails = true;
  reports.note({ seq: 2, atMs: 0 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(failures).toHaveLength(2);
});

test('nothing is reported before there is a position or after closing', async () => {
  await vi.advanceTimersByTimeAsync(5000);
  reports.note({ seq: 1, atMs: 0 });
  reports.close();
  reports.note({ seq: 2, atMs: 0 });
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent).toEqual([]);
});
