import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createClientAddresses, type Peer } from './client-address.ts';
import { schemeOf } from './request-scheme.ts';

const addresses = createClientAddresses(['10.0.0.1']);
const toldHttps = { 'x-forwarded-proto': 'https' };
const toldHttp = { 'x-forwarded-proto': 'http' };
const namedClient = { 'x-forwarded-for': '198.51.100.7' };

test.each([
  ['plain HTTP', '198.51.100.7', {}, false, 'http'],
  ['TLS', '198.51.100.7', {}, true, 'https'],
  ['plain HTTP, and a header of the client', '198.51.100.7', toldHttps, false, 'http'],
  ['TLS, and a header of the client', '198.51.100.7', toldHttp, true, 'https'],
  ['a proxy that ended TLS', '10.0.0.1', toldHttps, false, 'https'],
  ['a proxy that speaks TLS itself', '10.0.0.1', toldHttp, true, 'http'],
  ['a proxy that says nothing', '10.0.0.1', {}, true, 'https'],
  ['another scheme', '10.0.0.1', { 'x-forwarded-proto': 'wss' }, true, 'http'],
])('the scheme of a request is known: %s', (_, address, headers, encrypted, scheme) => {
  const socket = connectionOf(addresses.peerAt(address), encrypted);
  expect(schemeOf({ socket, headers }, addresses, undefined)).toBe(scheme);
});

test.each([
  ['a proxy that says nothing', addresses.peerAt('10.0.0.1'), {}, 'https'],
  ['a proxy that names the client only', addresses.peerAt('10.0.0.1'), namedClient, 'https'],
  ['a proxy that was reached by plain HTTP', addresses.peerAt('10.0.0.1'), toldHttp, 'http'],
  ['a proxy on this machine', addresses.peerAt('127.0.0.1'), {}, 'https'],
  ['the same over IPv6', addresses.peerAt('::1'), {}, 'https'],
  ['the same on a socket for both families', addresses.peerAt('::ffff:127.0.0.9'), {}, 'https'],
  ['the same, reached by plain HTTP', addresses.peerAt('127.0.0.1'), toldHttp, 'http'],
  ['a Unix socket', addresses.unixPeer, {}, 'https'],
  ['a Unix socket, of a proxy that was reached by plain HTTP', addresses.unixPeer, toldHttp, 'http'],
  ['another machine', addresses.peerAt('198.51.100.7'), {}, 'http'],
  ['another machine, and a header of the client', addresses.peerAt('198.51.100.7'), toldHttps, 'http'],
  ['an address that begins like a loopback one', addresses.peerAt('127:0:0:1::'), {}, 'http'],
  ['a connection that was closed', addresses.peerAt(undefined), {}, 'http'],
])('an https public URL stands in for the scheme of proxies alone: %s', (_, peer, headers, scheme) => {
  const message = { socket: connectionOf(peer, false), headers };
  expect(schemeOf(message, addresses, 'https://dns.example.net')).toBe(scheme);
  expect(schemeOf(message, addresses, 'http://127.0.0.1:8080')).toBe('http');
});

test.each([
  ['the client used TLS', true, toldHttp, 'http://localhost', 'https'],
  ['the client did not', false, toldHttps, 'https://dns.example.net', 'http'],
  ['nothing', undefined, {}, 'https://dns.example.net', 'https'],
  ['nothing, but a header of HTTP does', undefined, toldHttp, 'https://dns.example.net', 'http'],
  ['nothing, and there is no public URL', undefined, toldHttps, undefined, 'http'],
])('the header of the PROXY protocol says: %s', (_, usesTls, headers, publicUrl, scheme) => {
  const socket = connectionOf(addresses.clientAt('198.51.100.7', usesTls), false);
  expect(schemeOf({ socket, headers }, addresses, publicUrl)).toBe(scheme);
});

/** An idle connection of a peer. */
function connectionOf(peer: Peer, encrypted: boolean): Socket {
  const socket = Object.assign(new Duplex(), { encrypted }) as unknown as Socket;
  addresses.note(socket, peer);
  return socket;
}
