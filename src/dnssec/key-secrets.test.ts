import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openKeySecrets } from './key-secrets.ts';

const FIRST = 'a secret of more than 32 characters';
const SECOND = 'another secret of more than 32 characters';
const octets = fc.uint8Array({ maxLength: 64 });
const context = Buffer.from('context');

test('sealed octets open with the secret that sealed them, in any place of the list', () => {
  fc.assert(
    fc.property(octets, octets, (plain, bound) => {
      const secrets = openKeySecrets([FIRST]);
      const { secretId } = secrets;
      const sealed = secrets.seal(plain, bound);
      expect(openKeySecrets([FIRST]).open(sealed, bound, secretId)).toEqual(plain);
      expect(openKeySecrets([SECOND, FIRST]).open(sealed, bound, secretId)).toEqual(plain);
      expect(openKeySecrets([SECOND]).open(sealed, bound, secretId)).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

test('sealed octets that were altered, cut or put in another place do not open', () => {
  const secrets = openKeySecrets([FIRST]);
  const { secretId } = secrets;
  const sealed = secrets.seal(Buffer.from('private'), context);
  expect(secrets.open(sealed, Buffer.from('other'), secretId)).toBeUndefined();
  for (let at = 0; at < sealed.length; at++) {
    const altered = sealed.slice();
    altered[at] ^= 1;
    expect(secrets.open(altered, context, secretId)).toBeUndefined();
    expect(secrets.open(sealed.subarray(0, at), context, secretId)).toBeUndefined();
  }
});

test('the same octets are never sealed alike, and the first secret of several seals', () => {
  const secrets = openKeySecrets([SECOND, FIRST]);
  expect(secrets.seal(context, context)).not.toEqual(secrets.seal(context, context));
  expect(secrets.secretId).toBe(openKeySecrets([SECOND]).secretId);
  expect(secrets.secretId).toMatch(/^[0-9a-f]{16}$/);
  expect(secrets.secretId).not.toBe(openKeySecrets([FIRST]).secretId);
});

test('what earlier versions have sealed opens, but not as something else', () => {
  const secrets = openKeySecrets([FIRST]);
  const sealed = Buffer.from('4315123b0233952fe63946029c21bee6cd3575611a99dcbcbfb6db1666d1576962f6d7', 'hex');
  expect(secrets.secretId).toBe('c6faa34156d9df2e');
  expect(secrets.open(sealed, context, secrets.secretId)).toEqual(new Uint8Array(Buffer.from('private')));
  const others = openKeySecrets([FIRST], 'one-time codes');
  expect(others.secretId).toBe(secrets.secretId);
  expect(others.open(sealed, context, others.secretId)).toBeUndefined();
});
