import { expect, test } from 'vitest';
import { isSameIdentity, parseSubject } from './identity.ts';

test.each(['7', 'auth0|5f7c', 'x'.repeat(255)])('the subject %s is kept as it is', (subject) => {
  expect(parseSubject(subject)).toEqual({ ok: true, value: subject });
});

test.each(['', 'x'.repeat(256), 'a\u0000', 'é', 'a\n'])('the subject %j is refused', (subject) => {
  expect(parseSubject(subject).ok).toBe(false);
});

test('the same subject of another issuer is another person', () => {
  const one = { issuer: 'https://one.example', subject: '7' };
  expect(isSameIdentity(one, { ...one })).toBe(true);
  expect(isSameIdentity(one, { ...one, issuer: 'https://two.example' })).toBe(false);
});
