import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createClientAddresses, type Peer } from './client-address.ts';
import { schemeOf } from './request-scheme.ts';

const addresses = createClientAddresses(['10.0.0.1']);
const toldHttps = { 'x-forwarded-proto': 'https' };
const toldHttp = { 'x-forwarded-proto': 'http' };

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
  expect(schemeOf({ socket, headers }, addresses)).toBe(scheme);
});

test('the header of the PROXY protocol says that the client used TLS', () => {
  const client: Peer = { address: '198.51.100.7', isProxy: false, usesTls: true };
  expect(schemeOf({ socket: connectionOf(client, false), headers: toldHttp }, addresses)).toBe('https');
});

/** An idle connection of a peer. */
function connectionOf(peer: Peer, encrypted: boolean): Socket {
  const socket = Object.assign(new Duplex(), { encrypted }) as unknown as Socket;
  addresses.note(socket, peer);
  return socket;
}
