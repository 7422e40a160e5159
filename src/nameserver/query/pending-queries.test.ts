import { expect, test, vi } from 'vitest';
import { packet, readReply } from '../../../test/harness/nameserver/clients.ts';
import { createAnswerer } from '../../../test/harness/nameserver/command-answerer.ts';
import type { PendingLimits } from '../nameserver-limits.ts';
import { PendingQueries } from './pending-queries.ts';

const roomy = { queries: 10, bytes: 1_000, queriesPerZone: 10, bytesPerZone: 1_000, waitMs: 1_000 };

function setUp(changed: Partial<PendingLimits> = {}) {
  const memory = new SharedArrayBuffer(8);
  const loads: string[] = [];
  const answers: string[] = [];
  const pending = new PendingQueries(createAnswerer({ memory, reader: 0 }), (zone) => loads.push(zone), {
    ...roomy,
    ...changed,
  });
  const hold = (zone: number, id: number): boolean =>
    pending.hold(String(zone), packet(`zone ${zone}`, id), 4_096, false, (buffer, length) => {
      const reply = readReply(Buffer.from(buffer.subarray(0, length)));
      answers.push(`${reply.id}: ${reply.rcode}`);
    });
  return { pending, hold, loads, answers, loaded: new Uint8Array(memory) };
}

test('requests each zone once and answers all its queries in the order of arrival', () => {
  const { pending, hold, loads, answers, loaded } = setUp();
  hold(1, 11);
  hold(2, 21);
  hold(1, 12);
  expect(loads).toEqual(['1', '2']);
  loaded[1] = 1;
  pending.loaded('1');
  expect(answers).toEqual(['11: 0', '12: 0']);
  pending.loaded('2');
  expect(answers).toEqual(['11: 0', '12: 0', '21: 2']);
  hold(1, 13);
  expect(loads).toEqual(['1', '2', '1']);
});

test.each([
  ['queries', { queries: 3 }],
  ['bytes', { bytes: 3 * packet('zone 1').length }],
  ['queries for one zone', { queriesPerZone: 3 }],
  ['bytes for one zone', { bytesPerZone: 3 * packet('zone 1').length }],
])('rejects queries beyond its limit of %s and has room again afterwards', (_, limits) => {
  const { pending, hold } = setUp(limits);
  expect([1, 2, 3, 4].map((id) => hold(1, id))).toEqual([true, true, true, false]);
  pending.loaded('1');
  expect(hold(1, 5)).toBe(true);
});

test('queries for one zone leave room for queries for others', () => {
  const { hold } = setUp({ queriesPerZone: 2 });
  expect([1, 2, 3].map((id) => hold(1, id))).toEqual([true, true, false]);
  expect(hold(2, 4)).toBe(true);
});

test('a query that waits too long gets SERVFAIL, and later queries still wait for the same load', () => {
  vi.useFakeTimers();
  try {
    const { pending, hold, loads, answers, loaded } = setUp();
    hold(1, 11);
    vi.advanceTimersByTime(999);
    expect(answers).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(answers).toEqual(['11: 2']);
    hold(1, 12);
    loaded[1] = 1;
    pending.loaded('1');
    expect(answers).toEqual(['11: 2', '12: 0']);
    expect(loads).toEqual(['1']);
    vi.advanceTimersByTime(5_000);
    expect(answers).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test('whenEmpty() resolves when no query waits', async () => {
  const { pending, hold } = setUp({ queries: 3 });
  await pending.whenEmpty();
  hold(1, 1);
  hold(2, 2);
  let empty = false;
  const waited = pending.whenEmpty().then(() => (empty = true));
  pending.loaded('1');
  await Promise.resolve();
  expect(empty).toBe(false);
  pending.loaded('2');
  await waited;
  expect(empty).toBe(true);
});
