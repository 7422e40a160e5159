import { expect, test } from 'vitest';
import { readPages } from './read-pages.ts';

test('readPages() reads up to a page that is not full, and lets other work be done between pages', async () => {
  let turns = 0;
  const read: (readonly [last: number | undefined, turns: number])[] = [];
  const pages: (readonly number[])[] = [];
  const numbers = readPages(2, (last: number | undefined) => {
    read.push([last, turns]);
    setImmediate(() => turns++);
    const first = last ?? 0;
    return Promise.resolve(first === 4 ? [5] : [first + 1, first + 2]);
  });
  for await (const page of numbers) pages.push(page);
  expect(pages).toEqual([[1, 2], [3, 4], [5]]);
  expect(read).toEqual([
    [undefined, 0],
    [2, 1],
    [4, 2],
  ]);
});
