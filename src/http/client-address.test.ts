import { expect, test } from 'vitest';
import { createClientAddresses } from './client-address.ts';

const addresses = createClientAddresses(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.1']);

test.each([
  ['10.0.0.1', {}, '10.0.0.1'],
  ['::ffff:10.0.0.1', { 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  ['10.0.0.1', { 'x-forwarded-for': 'forged, 203.0.113.9, 198.51.100.7, 192.0.2.1' }, '198.51.100.7'],
  ['10.0.0.1', { 'x-forwarded-for': '10.1.1.1,10.2.2.2' }, '10.1.1.1'],
  ['10.0.0.1', { 'x-forwarded-for': '2001:db8::7' }, '2001:db8::7'],
  ['10.0.0.1', { 'x-forwarded-for': '198.51.100.7:1234' }, '198.51.100.7'],
  ['2001:db8:1::1', { forwarded: 'for=203.0.113.9, For="[2001:db8::7]:80";proto=https' }, '2001:db8::7'],
  // Brackets and quotes are missing (RFC 7239 section 6), but some proxies send this.
  ['10.0.0.1', { forwarded: 'for=2001:db8::7' }, '2001:db8::7'],
  ['10.0.0.1', { forwarded: 'for=198.51.100.7, by=10.0.0.1;for=10.2.2.2' }, '198.51.100.7'],
  ['10.0.0.1', { forwarded: 'for=203.0.113.9, for=unknown, for=10.2.2.2' }, '10.2.2.2'],
  ['10.0.0.1', { forwarded: 'for=203.0.113.9, for=_hidden' }, '10.0.0.1'],
  ['10.0.0.1', { forwarded: 'for=198.51.100.7', 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  // No proxy: the headers are ignored, however malformed.
  ['198.51.100.8', { 'x-forwarded-for': '203.0.113.9', forwarded: '"' }, '198.51.100.8'],
  [undefined, { 'x-forwarded-for': '203.0.113.9' }, undefined],
])('the client of %s with %j is %s', (peer, headers, address) => {
  expect(addresses.find(addresses.peerAt(peer), headers)).toEqual({ ok: true, value: address });
});

test.each([
  { 'x-forwarded-for': 'nonsense' },
  { 'x-forwarded-for': '198.51.100.7,' },
  { forwarded: 'for="198.51.100.9, for=198.51.100.7' },
  { forwarded: 'for=198.51.100.7, nonsense' },
  { forwarded: 'for=203.0.113.9', 'x-forwarded-for': '198.51.100.7' },
])('%j of a proxy is refused', (headers) => {
  expect(addresses.find(addresses.peerAt('10.0.0.1'), headers)).toMatchObject({ ok: false });
});

test('peers on a Unix socket name the client only if the setting says so', () => {
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  expect(addresses.find(addresses.unixPeer, headers)).toEqual({ ok: true, value: undefined });
  const trusting = createClientAddresses(['unix']);
  expect(trusting.find(trusting.unixPeer, headers)).toEqual({ ok: true, value: '198.51.100.7' });
  expect(trusting.find(trusting.unixPeer, {})).toEqual({ ok: true, value: undefined });
  // The connection over TCP is closed by now.
  expect(trusting.find(trusting.peerAt(undefined), headers)).toEqual({ ok: true, value: undefined });
});

test.each([
  [{}, undefined],
  [{ 'x-forwarded-proto': 'HTTPS' }, 'https'],
  [{ 'x-forwarded-proto': 'http, https' }, 'https'],
  [{ 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' }, 'https'],
  [{ 'x-forwarded-for': '198.51.100.7, 10.2.2.2', 'x-forwarded-proto': 'https' }, 'https'],
  // Each proxy has appended what it received: the client came by TLS, the inner proxy by plain HTTP.
  [{ 'x-forwarded-for': '198.51.100.7, 10.2.2.2', 'x-forwarded-proto': 'https, http' }, 'https'],
  // The client itself has sent the first ones.
  [{ 'x-forwarded-for': '203.0.113.9, 198.51.100.7', 'x-forwarded-proto': 'https, http' }, 'http'],
  [{ 'x-forwarded-for': '198.51.100.7' }, undefined],
  [{ forwarded: 'for=198.51.100.7;proto=https' }, 'https'],
  [{ forwarded: 'for=203.0.113.9;proto=https, proto=HTTP;for=198.51.100.7' }, 'http'],
  [{ forwarded: 'for=198.51.100.7;proto=https, for=10.2.2.2;proto=http' }, 'https'],
  [{ forwarded: 'for=203.0.113.9;proto=http, for=_hidden;proto=https' }, 'https'],
  [
    { forwarded: 'for=198.51.100.7', 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' },
    'https',
  ],
  [
    {
      forwarded: 'for=198.51.100.7;proto=https',
      'x-forwarded-for': '198.51.100.7',
      'x-forwarded-proto': 'http',
    },
    'http',
  ],
  [{ forwarded: '"', 'x-forwarded-proto': 'https' }, undefined],
])('the scheme that a proxy names in %j is %s', (headers, scheme) => {
  expect(addresses.findScheme(headers)).toBe(scheme);
});
