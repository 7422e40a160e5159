import { createPrivateKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeTestCertificate } from '../../test/harness/test-certificate.ts';
import { parseTlsPair } from './tls-pair.ts';

const one = makeTestCertificate({ name: 'one' });
const other = makeTestCertificate({ name: 'other' });

test('a certificate with its chain and key is accepted, and its times are known', () => {
  const chain = `${one.certificate}${other.certificate}`;
  const pair = parseTlsPair(chain, one.key);
  expect(pair).toMatchObject({ ok: true, value: { certificate: chain, key: one.key } });
  const { validFromMs, validToMs } = pair.ok ? pair.value : { validFromMs: 0, validToMs: 0 };
  expect(validToMs - validFromMs).toBe(31 * 86_400_000);
});

test('an expired certificate is accepted', () => {
  const { certificate, key } = makeTestCertificate({ startsInDays: -3, endsInDays: -1 });
  expect(parseTlsPair(certificate, key)).toMatchObject({ ok: true });
});

const encrypted = createPrivateKey(one.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
}) as string;

const half = (text: string): string => `${text.slice(0, text.length / 2)}\n`;
const broken = (text: string): string => text.replace(/\n[\w+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');

test.each([
  ['', one.key, /^the certificate file has no certificate in PEM format$/],
  [one.key, one.key, /^the certificate file has no certificate in PEM format$/],
  [half(one.certificate), one.key, /^the certificate cannot be read \(/],
  [broken(one.certificate), one.key, /^the certificate cannot be read \(/],
  [one.certificate, '', /^the key file has no private key in PEM format$/],
  [one.certificate, one.certificate, /^the key file has no private key in PEM format$/],
  [one.certificate, half(one.key), /^the key cannot be read \(/],
  [one.certificate, encrypted, /^the key is encrypted, and must not be$/],
  [one.certificate, other.key, /^the key does not belong to the first certificate$/],
  [`${other.certificate}${one.certificate}`, one.key, /^the key does not belong to the first certificate$/],
  [one.certificate + half(other.certificate), one.key, /^TLS does not accept them \(/],
])('what cannot be used is refused with a reason %#', (certificate, key, problem) => {
  const pair = parseTlsPair(certificate, key);
  expect(pair.ok ? '' : pair.problem).toMatch(problem);
});
