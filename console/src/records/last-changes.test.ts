import { expect, test } from 'vitest';
import type { ChangeJson } from '../../../src/contract/response-shapes.ts';
import { findLastChanges } from './last-changes.ts';

function change(id: string, key: string, isDeletion = false): ChangeJson {
  const record = { id, type: 'A', name: id, data: '192.0.2.1', priority: -1, ttl: 300 };
  const about = { serial: 1, date: `2026-11-20T09:03:3${key.length}+00:00`, key, address: null, note: null };
  return isDeletion
    ? { ...about, action: 'delete', old: record, new: null, soa: null }
    : { ...about, action: 'update', old: record, new: record, soa: null };
}

const history = [change('www', 'anna'), change('mail', 'ben', true), change('www', 'c'), change('old', 'd')];

/** Yields the changes and says how many were read. */
function readHistory() {
  const read = { count: 0 };
  async function* pages() {
    for (const one of history) {
      read.count++;
      yield await Promise.resolve(one);
    }
  }
  return { read, pages: pages() };
}

test('findLastChanges() finds the latest change of each record, and reads no further', async () => {
  const { read, pages } = readHistory();
  const found = await findLastChanges(pages, ['mail', 'www'], 10);
  expect([...found].map(([id, { author }]) => [id, author])).toEqual([
    ['www', 'anna'],
    ['mail', 'ben'],
  ]);
  expect(read.count).toBe(2);
});

test('findLastChanges() gives up behind so many changes', async () => {
  const found = await findLastChanges(readHistory().pages, ['www', 'old'], 3);
  expect([...found.keys()]).toEqual(['www']);
});

test('findLastChanges() reads nothing if nothing is looked for', async () => {
  const { read, pages } = readHistory();
  expect((await findLastChanges(pages, [], 10)).size).toBe(0);
  expect(read.count).toBe(0);
});
