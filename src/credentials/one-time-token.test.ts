import { expect, test } from 'vitest';
import { hashToken, isWellFormedToken, newOneTimeToken } from './one-time-token.ts';

test('tokens are well-formed for their own kind only', () => {
  const { text, hash } = newOneTimeToken('session');
  expect(hash).toBe(hashToken(text));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(isWellFormedToken(text, 'session')).toBe(true);
  expect(isWellFormedToken(text, 'invitation')).toBe(false);
  for (const wrong of ['', 'zws_', `${text}x`, text.slice(0, -1), ` ${text}`])
    expect(isWellFormedToken(wrong, 'session'), wrong).toBe(false);
});
