import { expect, test } from 'vitest';
import { createZoneSpace, endEpoch, enterSpace, hasEveryoneLeft, leaveSpace } from './zone-space.ts';

const SIZE_BYTES = 2 ** 20;

test('a reader holds the blocks retired while it reads, and none after it left', () => {
  const space = createZoneSpace(SIZE_BYTES, 2, 1);
  const before = endEpoch(space.words);
  enterSpace(space.words, 1);
  const during = endEpoch(space.words);
  expect([before, during].map((epoch) => hasEveryoneLeft(space, epoch))).toEqual([true, false]);
  leaveSpace(space.words, 1);
  expect(hasEveryoneLeft(space, during)).toBe(true);
});

test.each([
  ['past the largest number', 2 ** 31 - 3],
  ['past zero', -3],
])('epochs continue %s, as after some days of loading zones', (_, firstEpoch) => {
  const space = createZoneSpace(SIZE_BYTES, 1, 1, firstEpoch);
  for (let i = 0; i < 6; i++) {
    const before = endEpoch(space.words);
    enterSpace(space.words, 0);
    const during = endEpoch(space.words);
    expect([before, during].map((epoch) => hasEveryoneLeft(space, epoch))).toEqual([true, false]);
    leaveSpace(space.words, 0);
  }
});
