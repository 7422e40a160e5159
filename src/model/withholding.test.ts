import { expect, test } from 'vitest';
import { formatReasons, isServed, parseReasons, withoutReason, withReason } from './withholding.ts';

test('reasons are sorted, added once and taken away one by one', () => {
  const one = withReason([], 'unverified');
  const both = withReason(one, 'suspended');
  expect([one, both, withReason(both, 'suspended') === both]).toEqual([
    ['unverified'],
    ['suspended', 'unverified'],
    true,
  ]);
  expect([withoutReason(both, 'suspended'), withoutReason(one, 'suspended') === one]).toEqual([
    ['unverified'],
    true,
  ]);
  expect([isServed({ withheld: both }), isServed({ withheld: withoutReason(one, 'unverified') })]).toEqual([
    false,
    true,
  ]);
});

test.each([
  [[], null],
  [['suspended'], 'suspended'],
  [['suspended', 'unverified'], 'suspended unverified'],
] as const)('%o is stored as %s, and read again', (reasons, text) => {
  expect([formatReasons(reasons), parseReasons(text)]).toEqual([text, reasons]);
});
