import { expect, test } from 'vitest';
import { parseDnssecSecrets } from './parse-dnssec-secrets.ts';

const ONE = 'Zm9yIHRlc3RzIG9ubHksIG5vdCBhIHNlY3JldA==';
const OTHER = '0123456789abcdef0123456789abcdef';
const FORM =
  'a secret has 32 to 256 printable ASCII characters without spaces, as `openssl rand -base64 32` prints them';

test.each([
  ['one secret', ONE, [ONE]],
  ['several, with white space around the commas', ` ${ONE} , ${OTHER}`, [ONE, OTHER]],
])('parseDnssecSecrets() takes %s', (_, text, value) => {
  expect(parseDnssecSecrets(text)).toEqual({ ok: true, value });
});

test.each([
  ['a short secret', 'geheim', `the secret has 6 characters: ${FORM}`],
  ['a missing secret', `${ONE},`, `secret 2 of 2 has 0 characters: ${FORM}`],
  ['a long secret', 'x'.repeat(257), `the secret has 257 characters: ${FORM}`],
  ['a passphrase', 'correct horse battery staple and more', `the secret has unusual characters: ${FORM}`],
  ['letters beyond ASCII', 'ü'.repeat(40), `the secret has unusual characters: ${FORM}`],
  ['the same secret twice', `${ONE},${ONE}`, 'secret 2 of 2 is the same as an earlier one'],
  ['five secrets', `${ONE},${OTHER},a,b,c`, 'there are 5 secrets, more than 4'],
])('parseDnssecSecrets() refuses %s in a sentence that does not repeat it', (_, text, problem) => {
  expect(parseDnssecSecrets(text)).toEqual({ ok: false, problem });
});
