import { expect, test } from 'vitest';
import { LongReads, ReadTimedOut, type ReadLane } from './long-reads.ts';

function createRead() {
  const lanes: ReadLane[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const read = async (lane: ReadLane): Promise<string> => {
    lanes.push(lane);
    if (lane === 'quick') throw new ReadTimedOut(1);
    await ended;
    return 'found';
  };
  return { lanes, read, end };
}

test('a read that exceeds the quick lane starts again in the slow lane', async () => {
  const slow = createRead();
  slow.end();
  expect(await new LongReads().run('a', undefined, slow.read)).toBe('found');
  expect(slow.lanes).toEqual(['quick', 'slow']);
});

test('while two accounts keep the slow lane busy, a quick read of a third account is answered', async () => {
  const reads = new LongReads();
  const [first, second] = [createRead(), createRead()];
  const running = [reads.run('a', undefined, first.read), reads.run('b', undefined, second.read)];
  while (!second.lanes.includes('slow')) await new Promise(setImmediate);
  expect(await reads.run('c', undefined, () => Promise.resolve('history'))).toBe('history');
  // Even for the accounts that search.
  expect(await reads.run('a', undefined, () => Promise.resolve('history'))).toBe('history');
  first.end();
  second.end();
  expect(await Promise.all(running)).toEqual(['found', 'found']);
});

test('failures other than the time limit are not repeated', async () => {
  const lanes: ReadLane[] = [];
  const read = (lane: ReadLane): Promise<string> => {
    lanes.push(lane);
    return Promise.reject(new Error('bug'));
  };
  await expect(new LongReads().run('a', undefined, read)).rejects.toThrow('bug');
  expect(lanes).toEqual(['quick']);
});
