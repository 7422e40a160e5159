import { expect, test } from 'vitest';
import { directorySize } from './zone-directory.ts';

test('directorySize() gives a power of two with room for all names', () => {
  for (const names of [1, 38, 39, 1_000, 10_000, 1_000_000]) {
    const size = directorySize(names);
    expect(Math.log2(size) % 1).toBe(0);
    expect(size / 16).toBeGreaterThan(names / 0.6);
  }
});
