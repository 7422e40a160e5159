import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockAllocator, MIN_BLOCK_BYTES } from './block-allocator.ts';

test('orderFor() gives the smallest block that holds the bytes', () => {
  const blocks = new BlockAllocator(64 * MIN_BLOCK_BYTES);
  expect([1, 1024, 1025, 2048, 2049, 65_536].map((size) => blocks.orderFor(size))).toEqual([
    0, 0, 1, 1, 2, 6,
  ]);
});

test('an arena whose size is not a power of two is used to the last unit', () => {
  const blocks = new BlockAllocator(13 * MIN_BLOCK_BYTES);
  const got = new Set<number>();
  for (let at = blocks.allocate(0); at !== -1; at = blocks.allocate(0)) got.add(at);
  expect(got.size).toBe(13);
  for (const at of got) blocks.free(at);
  expect(blocks.usedBytes).toBe(0);
  expect(blocks.allocate(3)).not.toBe(-1);
  expect(blocks.allocate(2)).not.toBe(-1);
  expect(blocks.allocate(0)).not.toBe(-1);
  expect(blocks.allocate(0)).toBe(-1);
});

test('blocks in use never overlap, are aligned to their size, and merge when freed', () => {
  const step = fc.record({ free: fc.boolean(), order: fc.nat(5), pick: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const units = 100;
      const blocks = new BlockAllocator(units * MIN_BLOCK_BYTES);
      const used = new Map<number, number>();
      for (const { free, order, pick } of steps) {
        if (free && used.size > 0) {
          const at = [...used.keys()][pick % used.size];
          blocks.free(at);
          used.delete(at);
          continue;
        }
        const at = blocks.allocate(order);
        if (at === -1) continue;
        const size = MIN_BLOCK_BYTES << order;
        expect(at % size).toBe(0);
        for (const [other, otherSize] of used)
          expect(at >= other + otherSize || other >= at + size).toBe(true);
        used.set(at, size);
        expect(blocks.blockAt(at + size - 1)).toEqual({ offset: at, sizeBytes: size, free: false });
      }
      expect(blocks.usedBytes).toBe([...used.values()].reduce((sum, size) => sum + size, 0));
      for (const at of used.keys()) blocks.free(at);
      expect(blocks.blockAt(0)).toEqual({ offset: 0, sizeBytes: 64 * MIN_BLOCK_BYTES, free: true });
    }),
  );
});
