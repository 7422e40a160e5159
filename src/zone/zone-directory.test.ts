import { expect, test } from 'vitest';
import { directorySize } from './zone-directory.ts';

test('a directory fills its block, whose size is a power of two, and no half of it stays empty', () => {
  for (const names of [1, 38, 39, 1_000, 10_000, 1_000_000]) {
    const size = directorySize(names);
    expect(Math.log2(size) % 1).toBe(0);
    expect(size / 16).toBeGreaterThan(names / 0.6);
  }
});
