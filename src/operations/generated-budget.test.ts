import { expect, test } from 'vitest';
import { StoreBusy } from '../writes/store-errors.ts';
import { GeneratedBudget } from './generated-budget.ts';

const large = { records: 200_000, characters: 5_000_000 };

test('of a hundred imports that make 200,000 records each, one at a time makes them', async () => {
  const budget = new GeneratedBudget();
  let [underWay, most, refused] = [0, 0, 0];
  const importOne = async (at: number): Promise<void> => {
    try {
      const release = await budget.reserve(`account ${at % 2}`, large);
      most = Math.max(most, ++underWay);
      await new Promise(setImmediate);
      underWay--;
      release();
    } catch (error) {
      expect(error).toBeInstanceOf(StoreBusy);
      refused++;
    }
  };
  const imports = Array.from({ length: 200 }, (_, at) => importOne(at));
  // Few records are made at once.
  expect(await budget.reserve('account 0', { records: 254, characters: 5_000 })).toBeInstanceOf(Function);
  await Promise.all(imports);
  expect(most).toBe(1);
  // One of each account, or 64 that wait.
  expect(refused).toBe(200 - 1 - 64 - 64);
});

test('an import whose client has gone gives up its place', async () => {
  const budget = new GeneratedBudget();
  const release = await budget.reserve('a', large);
  const gone = new AbortController();
  const waiting = budget.reserve('a', large, () => gone.signal);
  gone.abort();
  await expect(waiting).rejects.toThrow(StoreBusy);
  release();
});
