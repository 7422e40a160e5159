import { expect, test } from 'vitest';
import { exitCodeOf, exitCodes } from './exit-codes.ts';

test.each([
  [400, exitCodes.refused],
  [401, exitCodes.authentication],
  [403, exitCodes.authentication],
  [404, exitCodes.notFound],
  [409, exitCodes.refused],
  [429, exitCodes.unavailable],
  [503, exitCodes.unavailable],
])('an answer with status %d sets exit code %d', (status, exitCode) => {
  expect(exitCodeOf(status)).toBe(exitCode);
});
