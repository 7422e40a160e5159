import { expect, test } from 'vitest';
import type { TlsPair } from '../http/tls-pair.ts';
import { describeExpiry } from './open-https.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

function lasting(days: number): TlsPair {
  return { certificate: '', key: '', validFromMs: START_MS, validToMs: START_MS + days * DAY_MS };
}

test.each([
  [90, -1, 'The certificate of HTTPS is valid only from 2026-01-01 at 00:00 UTC'],
  [90, 0, undefined],
  [90, 75, undefined],
  [90, 76, 'The certificate of HTTPS expires on 2026-04-01 at 00:00 UTC'],
  [90, 90, 'The certificate of HTTPS has expired on 2026-04-01 at 00:00 UTC'],
  [365, 350, undefined],
  [365, 351, 'The certificate of HTTPS expires on 2027-01-01 at 00:00 UTC'],
  [6, 4, undefined],
  [6, 5, 'The certificate of HTTPS expires on 2026-01-07 at 00:00 UTC'],
])('a certificate for %i days, after %i: %s', (days, after, message) => {
  expect(describeExpiry(lasting(days), START_MS + after * DAY_MS)?.message).toBe(message);
});

test('without a certificate, nothing expires', () => {
  expect(describeExpiry(undefined, START_MS)).toBeUndefined();
});
