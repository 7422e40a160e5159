import { beforeEach, expect, test } from 'vitest';
import type { TrailNote } from '../writes/pending-trail.ts';
import {
  MAX_NOTES,
  MAX_NOTES_PER_ACCOUNT,
  MAX_OTHERS_PER_ACTOR,
  MAX_REFUSALS_PER_ACTOR,
  MERGE_MS,
  TrailBuffer,
} from './trail-buffer.ts';

const START_MS = Date.parse('2026-11-20T09:00:00Z');
let nowMs: number;
let trail: TrailBuffer;

beforeEach(() => {
  nowMs = 0;
  trail = new TrailBuffer({ nowMs: () => START_MS + nowMs }, { elapsedMs: () => nowMs });
});

function refuse(object: string, sender = 'key-1', accountId = 'one'): void {
  note({ accountId, action: 'request.refuse', object, detail: { request: 'createRecord' } }, sender);
}

function note(noted: TrailNote, keyId = 'key-1', address = '192.0.2.1'): void {
  trail.note({ keyId, terms: { address } }, noted);
}

/** The entries that are written now: actor, object and count. */
function taken(isLast = false) {
  return trail.take(isLast).map(({ accountId, actor, object, count }) => [accountId, actor, object, count]);
}

test('refusals of different requests about one object are entries of their own', () => {
  const about = { accountId: 'one', action: 'request.refuse', object: 'example.com' } as const;
  for (const request of ['createRecord', 'deleteRecord', 'createRecord'])
    note({ ...about, detail: { request } });
  expect(trail.take().map(({ detail, count }) => [detail, count])).toEqual([
    ['{"request":"createRecord"}', 2],
    ['{"request":"deleteRecord"}', 1],
  ]);
});

test('the first note is written at once, and what repeats it within a minute as one entry', () => {
  refuse('example.com');
  const [first] = trail.take();
  expect(first).toEqual({
    accountId: 'one',
    action: 'request.refuse',
    actor: 'key-1',
    address: '192.0.2.1',
    object: 'example.com',
    detail: '{"request":"createRecord"}',
    count: 1,
    sinceMs: START_MS,
    atMs: START_MS,
  });
  nowMs = 2000;
  refuse('example.com');
  nowMs = 59_000;
  refuse('example.com');
  expect(trail.take()).toEqual([]);
  nowMs = MERGE_MS;
  const repeats = { ...first, count: 2, sinceMs: START_MS + 2000, atMs: START_MS + 59_000 };
  expect(trail.take()).toEqual([repeats]);
  expect(trail.take()).toEqual([]);
});

test('a steady repetition is one entry a minute', () => {
  const counts: number[] = [];
  for (nowMs = 0; nowMs <= 10 * MERGE_MS; nowMs += 1000) {
    refuse('example.com');
    counts.push(...trail.take().map(({ count }) => count));
  }
  expect(counts).toEqual([1, ...Array.from({ length: 10 }, () => 60)]);
});

test('another object, action, sender, address or account is another entry', () => {
  refuse('example.com');
  refuse('example.net');
  refuse('example.com', 'key-2');
  refuse('example.com', 'key-1', 'two');
  note({ accountId: 'one', action: 'domain.export', object: 'example.com' });
  note({ accountId: 'one', action: 'domain.export', object: 'example.com' }, 'key-1', '192.0.2.2');
  expect(trail.take()).toHaveLength(6);
});

test('what a store cannot keep is replaced, because it would take all entries beside it along', () => {
  refuse('a\0b.example');
  refuse('a\ud83d.example');
  refuse(`${'x'.repeat(254)}\u{1f600}`);
  expect(taken().map(([, , object]) => object)).toEqual([
    'a\ufffdb.example',
    'a\ufffd.example',
    `${'x'.repeat(254)}\ufffd`,
  ]);
});

test('nothing waits when the process stops', () => {
  refuse('example.com');
  expect(taken()).toHaveLength(1);
  refuse('example.com');
  expect(taken()).toEqual([]);
  expect(taken(true)).toEqual([['one', 'key-1', 'example.com', 1]]);
  expect(taken(true)).toEqual([]);
});

test('refusals beyond the room of a key are counted in one entry, and leave others their room', () => {
  for (let at = 0; at < 100_000; at++) refuse(`d${at}.example`);
  note({ accountId: 'one', action: 'domain.export', object: 'example.com' });
  refuse('example.com', 'key-2');
  const entries = taken();
  expect(entries).toHaveLength(MAX_REFUSALS_PER_ACTOR + 3);
  expect(entries).toContainEqual(['one', 'key-1', '', 100_000 - MAX_REFUSALS_PER_ACTOR]);
  expect(entries).toContainEqual(['one', 'key-1', 'example.com', 1]);
  expect(entries).toContainEqual(['one', 'key-2', 'example.com', 1]);
});

test('a flood of many keys of an account is counted in one entry of the account', () => {
  for (let key = 0; key < 3; key++)
    for (let at = 0; at < MAX_OTHERS_PER_ACTOR; at++)
      note({ accountId: 'one', action: 'domain.export', object: `d${at}.example` }, `key-${key}`);
  note({ accountId: 'two', action: 'domain.export', object: 'example.com' });
  const entries = taken();
  expect(entries.filter(([account]) => account === 'one')).toHaveLength(MAX_NOTES_PER_ACCOUNT + 1);
  expect(entries).toContainEqual(['one', '', '', 3 * MAX_OTHERS_PER_ACTOR - MAX_NOTES_PER_ACCOUNT]);
  expect(entries).toContainEqual(['two', 'key-1', 'example.com', 1]);
});

test('a flood of many accounts is counted in one entry of the service', () => {
  for (let at = 0; at < 3 * MAX_NOTES; at++) refuse('example.com', `key-${at}`, `account-${at}`);
  const entries = taken();
  expect(entries).toHaveLength(MAX_NOTES + 1);
  expect(entries).toContainEqual(['', '', '', 2 * MAX_NOTES]);
});

test('long notes do not take more memory than many', () => {
  const detail = { reason: 'x'.repeat(5000) };
  for (let at = 0; at < 2 * MAX_NOTES; at++)
    note({ accountId: `account-${at}`, action: 'request.refuse', object: 'y'.repeat(5000), detail });
  const entries = trail.take();
  expect(entries.length).toBeLessThan(MAX_NOTES);
  expect(JSON.stringify(entries).length).toBeLessThan(10 * 2 ** 20);
});

test('a quiet minute gives the room back', () => {
  for (let at = 0; at < MAX_REFUSALS_PER_ACTOR; at++) refuse(`d${at}.example`);
  trail.take();
  nowMs = MERGE_MS;
  trail.take();
  refuse('new.example');
  expect(taken()).toEqual([['one', 'key-1', 'new.example', 1]]);
});

test('entries that could not be written come first the next time, and others wait for them', () => {
  refuse('example.com');
  const lost = trail.take();
  trail.giveBack(lost);
  refuse('example.net');
  expect(trail.take()).toEqual(lost);
  expect(taken()).toEqual([['one', 'key-1', 'example.net', 1]]);
});

test('entries of one account that take the room of several leave room to each of those', () => {
  const hide = (object: string, sharerId: string, keyId: string, times?: number): void => {
    const about = { accountId: '', action: 'request.refuse', object, sharerId } as const;
    trail.note({ keyId, terms: { address: '192.0.2.1' } }, about, times);
  };
  for (let key = 0; key * MAX_REFUSALS_PER_ACTOR <= MAX_NOTES_PER_ACCOUNT; key++)
    for (let at = 0; at < MAX_REFUSALS_PER_ACTOR; at++) hide(`d${at}.example`, 'one', `key-${key}`);
  hide('last.example', 'two', 'other', 3);
  const entries = trail.take();
  expect(entries.at(-1)).toMatchObject({ accountId: '', actor: 'other', object: 'last.example', count: 3 });
  expect(entries.filter(({ object }) => object === '').length).toBeGreaterThan(0);
  expect(Object.keys(entries[0])).not.toContain('sharer');
});
