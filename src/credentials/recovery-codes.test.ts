import { expect, test } from 'vitest';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';

test('there are ten codes of 100 bits, and a hash of each', () => {
  const { texts, hashes } = newRecoveryCodes();
  expect(new Set(texts).size).toBe(10);
  for (const text of texts) expect(text).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/);
  expect(texts.map(hashRecoveryCode)).toEqual(hashes);
  expect(new Set(hashes).size).toBe(10);
});

test('a code may be typed in any case, without separators, and with letters that look like digits', () => {
  const hash = hashRecoveryCode('01234-56789-abcde-fghjk');
  expect(hash).toMatch(/^[\w-]{43}$/);
  for (const typed of [
    '0123456789ABCDEFGHJK',
    ' o1234 56789 abcde fghjk ',
    'OI234-56789-ABCDE-FGHJK',
    '0l23456789abcdefghjk',
  ])
    expect(hashRecoveryCode(typed), typed).toBe(hash);
});

test.each(['', '123456', '01234-56789-abcde-fghj', '01234-56789-abcde-fghjku', '01234-56789-abcde-fghj!'])(
  'the text %j cannot be a recovery code',
  (text) => {
    expect(hashRecoveryCode(text)).toBeUndefined();
  },
);
