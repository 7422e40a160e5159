import { expect, test } from 'vitest';
import { MAX_REST_MS, restAfter } from './writer-rest.ts';

test('restAfter() leaves the writer to others for three times as long, within a limit', () => {
  expect(restAfter(20)).toBe(60);
  expect(restAfter(60_000)).toBe(MAX_REST_MS);
});
