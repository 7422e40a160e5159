import { expect, test } from 'vitest';
import { isProviderUrl, parseIssuer } from './provider-url.ts';

test.each(['https://login.example.net', 'https://login.example.net/realms/dns', 'http://127.0.0.1:9000'])(
  'the issuer %s is kept as it is',
  (issuer) => {
    expect(parseIssuer(issuer)).toEqual({ ok: true, value: issuer });
  },
);

test.each([
  'login.example.net',
  'http://login.example.net',
  'http://127.0.0.1.example.net',
  'http://localhost.example.net',
  'ftp://127.0.0.1',
  'https://login.example.net/?a=b',
  'https://login.example.net/#a',
  'https://user:password@login.example.net',
])('the issuer %s is refused', (issuer) => {
  expect(parseIssuer(issuer).ok).toBe(false);
});

test('a provider elsewhere cannot send the service to its own machine without TLS', () => {
  const url = new URL('http://localhost:8080/token');
  expect([true, false].map((allowsLoopback) => isProviderUrl(url, allowsLoopback))).toEqual([true, false]);
});
