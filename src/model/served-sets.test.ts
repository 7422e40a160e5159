import { expect, test } from 'vitest';
import { rrType } from '../dns/codes.ts';
import { generatedType } from './generated-row.ts';
import { groupRows } from './served-sets.ts';

const { A, TXT } = rrType;

test('the records of a type are one set with their lowest TTL, and generated rows stand aside', () => {
  const row = (type: number, ttl: number, octet: number) => ({ type, ttl, rdata: Uint8Array.of(octet) });
  const signatures = row(generatedType.signatures, 0, 9);
  const hashedName = row(generatedType.hashedName, 0, 8);
  const rows = [row(A, 300, 1), row(TXT, 60, 2), row(A, 200, 3), signatures, row(A, 400, 4), hashedName];
  expect(groupRows(rows)).toEqual({
    sets: [
      { type: A, ttl: 200, rdatas: [1, 3, 4].map((octet) => Uint8Array.of(octet)) },
      { type: TXT, ttl: 60, rdatas: [Uint8Array.of(2)] },
    ],
    generated: [signatures, hashedName],
  });
});
