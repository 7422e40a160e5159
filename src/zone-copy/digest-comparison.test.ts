import { expect, test } from 'vitest';
import { DigestComparison } from './digest-comparison.ts';

test('a difference is copied by hashes first, then completely, and then once a minute', () => {
  let nowMs = 0;
  const comparison = new DigestComparison(() => nowMs);
  expect(comparison.compare('a', 'a')).toBe(false);
  expect(comparison.findDue()).toBeUndefined();
  expect(comparison.compare('a', 'b')).toBe(true);
  expect(comparison.findDue()).toMatchObject({ trustsHashes: true });
  comparison.compare('a', 'b');
  expect(comparison.findDue()).toMatchObject({ trustsHashes: false });
  comparison.compare('a', 'b');
  expect(comparison.findDue()).toBeUndefined();
  expect(comparison.isUnequal).toBe(true);
  nowMs = 60_000;
  expect(comparison.findDue()).toMatchObject({ trustsHashes: false });
  comparison.compare('b', 'b');
  expect(comparison.isUnequal).toBe(false);
});

test('a digest that the database does not know is no difference', () => {
  const comparison = new DigestComparison();
  comparison.compare('a', 'b');
  expect(comparison.compare('a', null)).toBe(false);
  expect(comparison.isUnequal).toBe(false);
});
