import { expect, test } from 'vitest';
import { AccountShares } from './account-shares.ts';
import type { BlockOffset } from './image-offsets.ts';

test('the memory is divided between the accounts that have zones in it', () => {
  const shares = new AccountShares(6000);
  expect(shares.share('a')).toBe(6000);
  shares.add(1 as BlockOffset, 1024, 'a');
  expect([shares.share('a'), shares.share('b'), shares.share(undefined)]).toEqual([6000, 3000, 6000]);
  shares.add(2 as BlockOffset, 1024, 'b');
  shares.remove(1 as BlockOffset, 1024);
  expect([shares.share('a'), shares.share('b')]).toEqual([3000, 6000]);
  expect([shares.usedBy('a'), shares.usedBy('b')]).toEqual([0, 1024]);
});

test('the account that holds most is found, if it is over the share', () => {
  const shares = new AccountShares(100_000);
  shares.add(1 as BlockOffset, 1024, 'small');
  shares.add(2 as BlockOffset, 8192, 'large');
  shares.add(3 as BlockOffset, 16_384, 'largest');
  shares.add(4 as BlockOffset, 4096, 'largest');
  const largest = shares.findMostOver(5000, new Set());
  expect(largest).toMatchObject({ account: 'largest', usedBytes: 20_480 });
  const others = new Set(largest === undefined ? [] : [largest]);
  expect(shares.findMostOver(5000, others)?.account).toBe('large');
  expect(shares.findMostOver(10_000, others)).toBe(undefined);
  shares.remove(3 as BlockOffset, 16_384);
  expect(shares.findMostOver(5000, new Set())?.account).toBe('large');
});
