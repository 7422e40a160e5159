import { expect, test } from 'vitest';
import { KeptLooks } from './kept-looks.ts';

const MINUTE_MS = 60_000;

function openKept() {
  let elapsedMs = 0;
  const kept = new KeptLooks<{ readonly text: string }>(() => elapsedMs);
  return { kept, wait: (ms: number) => (elapsedMs += ms) };
}

test('the looks that are kept have 16 MiB together, and the oldest go first', () => {
  const { kept } = openKept();
  const text = 'x'.repeat(1024 * 1024);
  for (let i = 0; i < 20; i++) kept.keep(`d${i}.com`, { text });
  const left = Array.from({ length: 20 }, (_, i) => i).filter((i) => kept.find(`d${i}.com`) !== undefined);
  expect(left).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
});

test('a look that takes the place of another frees what that one took', () => {
  const { kept } = openKept();
  const text = 'x'.repeat(1024 * 1024);
  kept.keep('first.com', { text });
  for (let i = 0; i < 100; i++) kept.keep('second.com', { text });
  expect(kept.find('first.com')).toEqual({ text });
});

test('a look is forgotten after an hour, and after a thousand others', () => {
  const { kept, wait } = openKept();
  kept.keep('old.com', { text: 'old' });
  wait(60 * MINUTE_MS - 1);
  expect(kept.find('old.com')).toEqual({ text: 'old' });
  expect(kept.find('old.com', MINUTE_MS)).toBeUndefined();
  wait(1);
  expect(kept.find('old.com')).toBeUndefined();
  kept.keep('new.com', { text: 'new' });
  for (let i = 0; i < 1024; i++) kept.keep(`d${i}.com`, { text: '' });
  expect(kept.find('new.com')).toBeUndefined();
});
