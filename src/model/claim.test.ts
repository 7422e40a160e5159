import { expect, test } from 'vitest';
import { formatClaim, isUnverified, parseClaim, type Claim } from './claim.ts';

test.each<[Claim | null, string | null, boolean]>([
  [null, null, false],
  [{ proof: null, sinceSeconds: 1_795_000_000 }, 'unverified 1795000000', true],
  [{ proof: 'delegation', sinceSeconds: 0 }, 'delegation 0', false],
  [{ proof: 'challenge', sinceSeconds: 7 }, 'challenge 7', false],
  [{ proof: 'administrator', sinceSeconds: 7 }, 'administrator 7', false],
  [{ proof: 'parent', sinceSeconds: 7 }, 'parent 7', false],
])('%o is stored as %s, and read again', (claim, text, unverified) => {
  expect([formatClaim(claim), parseClaim(text), isUnverified({ claim })]).toEqual([text, claim, unverified]);
});
