import { expect, test } from 'vitest';
import {
  findCodeStep,
  formatOneTimeCodeSetup,
  isOneTimeCode,
  newOneTimeCodeSecret,
} from './one-time-code.ts';

const secret = Buffer.from('12345678901234567890');

/** RFC 6238 appendix B, for SHA-1; codes of six digits are the last six of its eight. */
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at second %i, the code of RFC 6238 is accepted', (atSeconds, code) => {
  expect(findCodeStep(secret, code.slice(2), 0, atSeconds * 1000)).toBe(Math.floor(atSeconds / 30));
});

test('a code is accepted one step early or late, and no further', () => {
  const step = Math.floor(1_111_111_111 / 30);
  const accepted = [-2, -1, 0, 1, 2].map((drift) =>
    findCodeStep(secret, '050471', 0, (step + drift) * 30_000),
  );
  expect(accepted).toEqual([undefined, step, step, step, undefined]);
});

test('a code is good once, and with it those of earlier steps', () => {
  const atMs = 1_111_111_111_000;
  const step = findCodeStep(secret, '050471', 0, atMs) ?? 0;
  expect(findCodeStep(secret, '050471', step - 1, atMs)).toBe(step);
  expect(findCodeStep(secret, '050471', step, atMs)).toBeUndefined();
  expect(findCodeStep(secret, '081804', 0, atMs)).toBe(step - 1);
  expect(findCodeStep(secret, '081804', step, atMs)).toBeUndefined();
});

test.each(['', '05047', '0504711', '05047a', '050472', ' 50471'])('the code %j is wrong', (code) => {
  expect(findCodeStep(secret, code, 0, 1_111_111_111_000)).toBeUndefined();
});

test('apps get the secret as a URI and in base32', () => {
  const { uri, secret: text } = formatOneTimeCodeSetup(
    secret,
    'Zonewright dns.example.net',
    'alice@example.net',
  );
  const { protocol, host, pathname, searchParams } = new URL(uri);
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Zonewright dns.example.net:alice@example.net',
  ]);
  expect(Object.fromEntries(searchParams)).toEqual({
    issuer: 'Zonewright dns.example.net',
    secret: text,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  expect(text).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

test('secrets have 160 random bits', () => {
  const [one, other] = [newOneTimeCodeSecret(), newOneTimeCodeSecret()];
  expect(one).toHaveLength(20);
  expect(one).not.toEqual(other);
});

test('six digits are a one-time code', () => {
  expect(['123456', '12345', 'abcde-fghjk-mnpqr-stuvw'].map(isOneTimeCode)).toEqual([true, false, false]);
});
