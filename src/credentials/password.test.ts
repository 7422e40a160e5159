import { expect, test } from 'vitest';
import { checkPassword, hashPassword, verifyPassword } from './password.ts';

test('a password fits only its own hash, whatever form its characters have', async () => {
  const hash = await hashPassword('correct h\u00f6rse battery');
  expect(hash).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await verifyPassword('correct ho\u0308rse battery', hash)).toBe(true);
  expect(await verifyPassword('correct horse battery', hash)).toBe(false);
  expect(await verifyPassword('correct h\u00f6rse battery', undefined)).toBe(false);
  expect(await verifyPassword('', 'scrypt$15$8$3$$')).toBe(false);
});

test.each([
  ['short-pass1', /12 to 256/],
  ['x'.repeat(257), /12 to 256/],
  ['alice@example.net', /e-mail/],
  ['PasswordPassword1!', /first/],
  ['123456789012345', /first/],
  ['ababababababab', /first/],
])('the password %s is refused', (password, reason) => {
  expect(checkPassword(password, 'alice@example.net')).toMatch(reason);
});

test('other passwords are accepted, without rules about kinds of characters', () => {
  expect(checkPassword('correct horse battery', 'alice@example.net')).toBeUndefined();
});
