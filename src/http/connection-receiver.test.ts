import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConnectionRefusal } from '../base/connection-observer.ts';
import { silentLog } from '../base/log.ts';
import type { HttpAddress } from './http-address.ts';
import { startHttpServer, type HttpServerOptions } from './http-server.ts';
import { openTestService } from './http-service.test-support.ts';
import { makeProxyHeader, proxyHeaderFor } from './proxy-header.test-support.ts';

const service = await openTestService();
const key = `Authorization: Bearer ${service.key}\r\n`;

interface Scene {
  readonly refusals: readonly ConnectionRefusal[];
  readonly open: () => Socket;
}

async function listen(options: Partial<HttpServerOptions>): Promise<Scene> {
  const refusals: ConnectionRefusal[] = [];
  const server = await startHttpServer({
    address: { host: '127.0.0.1', port: 0 },
    context: service.context,
    log: silentLog,
    rateLimitPerSecond: 0,
    readiness: () => ({ ready: true, detail: {} }),
    trustedProxies: ['127.0.0.1'],
    proxyProtocol: true,
    metrics: {
      contentType: 'text/plain',
      render: () => Promise.resolve(''),
      requests: { requestBegan: () => undefined, requestEnded: () => undefined },
      connections: { connectionRefused: (reason) => refusals.push(reason) },
    },
    ...options,
  });
  onTestFinished(() => server.stop());
  const open = (): Socket => {
    const socket = connect({ ...(server.address as { path: string } & HttpAddress) });
    onTestFinished(() => void socket.destroy());
    return socket.on('error', () => undefined);
  };
  return { refusals, open };
}

/** Sends pieces one after the other; returns everything that came until the connection was closed. */
async function exchange(socket: Socket, ...pieces: readonly (Buffer | string)[]): Promise<string> {
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  if (!socket.closed) await once(socket, 'close');
  return received;
}

function request(line: string, body = '', headers = ''): string {
  return `${line} HTTP/1.1\r\nHost: x\r\n${key}${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
}

/** The address that the history shows for the creation of a domain. */
async function addressInHistory(domain: string): Promise<string | null> {
  const { open } = await listen({ proxyProtocol: false });
  const answer = await exchange(open(), request(`GET /v2/domains/${domain}/changes`));
  return (JSON.parse(/\{.*\}/s.exec(answer)?.[0] ?? '') as { changes: [{ address: string | null }] })
    .changes[0].address;
}

const create = (domain: string, headers = ''): string =>
  request('POST /v2/domains', `{"domain":"${domain}"}`, headers);

test('the history has the client of the header, however the header is cut into packets', async () => {
  const { open, refusals } = await listen({});
  const whole = Buffer.concat([
    proxyHeaderFor('198.51.100.7', Buffer.alloc(2000)),
    Buffer.from(create('one.example')),
  ]);
  expect(await exchange(open(), whole)).toContain('HTTP/1.1 201');
  expect(await addressInHistory('one.example')).toBe('198.51.100.7');
  const header = proxyHeaderFor('198.51.100.8');
  const octets = Array.from(header, (octet) => Buffer.from([octet]));
  expect(await exchange(open(), ...octets, create('two.example'))).toContain('HTTP/1.1 201');
  expect(await addressInHistory('two.example')).toBe('198.51.100.8');
  expect(refusals).toEqual([]);
});

test('headers of HTTP name the client only if the header names another trusted proxy', async () => {
  const { open } = await listen({ trustedProxies: ['127.0.0.1', '192.0.2.1'] });
  const forwarded = 'X-Forwarded-For: 203.0.113.9\r\n';
  const client = proxyHeaderFor('198.51.100.7');
  await exchange(open(), Buffer.concat([client, Buffer.from(create('direct.example', forwarded))]));
  expect(await addressInHistory('direct.example')).toBe('198.51.100.7');
  const proxy = proxyHeaderFor('192.0.2.1');
  await exchange(open(), Buffer.concat([proxy, Buffer.from(create('chain.example', forwarded))]));
  expect(await addressInHistory('chain.example')).toBe('203.0.113.9');
  // An unknown client cannot name itself either.
  const unknown = makeProxyHeader({ family: 0 });
  await exchange(open(), Buffer.concat([unknown, Buffer.from(create('unknown.example', forwarded))]));
  expect(await addressInHistory('unknown.example')).toBe(null);
});

test('the health checks of the proxy are answered', async () => {
  const { open } = await listen({});
  const check = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const answer = await exchange(open(), makeProxyHeader({ command: 0x20, family: 0 }), check);
  expect(answer).toContain('HTTP/1.1 200');
});

test('a connection carries several requests after its header', async () => {
  const { open } = await listen({});
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const answer = await exchange(open(), proxyHeaderFor('198.51.100.7'), get, get, request('GET /v2/account'));
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
});

test.each([
  ['version 1', 'PROXY TCP4 198.51.100.7 127.0.0.1 1 2\r\nGET / HTTP/1.1\r\n\r\n', 'proxy_header_version_1'],
  ['no header', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 'proxy_header_missing'],
  ['a malformed header', makeProxyHeader({ family: 0x12, rest: Buffer.alloc(12) }), 'proxy_header_malformed'],
  ['a header that is too long', makeProxyHeader({ length: 60_000 }), 'proxy_header_too_long'],
])('a proxy that sends %s is disconnected without an answer', async (_, data, reason) => {
  const { open, refusals } = await listen({});
  expect(await exchange(open(), data)).toBe('');
  expect(refusals).toEqual([reason]);
});

test('a proxy that does not send its header in time is disconnected', async () => {
  const { open, refusals } = await listen({ limits: { proxyHeaderTimeoutMs: 50 } });
  expect(await exchange(open(), proxyHeaderFor('198.51.100.7').subarray(0, 20))).toBe('');
  expect(refusals).toEqual(['proxy_header_timeout']);
});

test('a limited number of connections wait for their header', async () => {
  const { open, refusals } = await listen({ limits: { maxPendingProxyHeaders: 1 } });
  const first = open();
  await once(first, 'connect');
  expect(await exchange(open())).toBe('');
  expect(refusals).toEqual(['proxy_headers_pending']);
  first.destroy();
  await expect
    .poll(() => exchange(open(), proxyHeaderFor('198.51.100.7'), request('GET /v2/account')))
    .toContain('HTTP/1.1 200');
});

test('others than trusted proxies are served without a header, and disconnected if they send one', async () => {
  const { open, refusals } = await listen({ trustedProxies: ['192.0.2.1'] });
  expect(await exchange(open(), request('GET /v2/account'))).toContain('HTTP/1.1 200');
  const forged = Buffer.concat([proxyHeaderFor('198.51.100.7'), Buffer.from(request('GET /v2/account'))]);
  expect(await exchange(open(), forged)).toBe('');
  expect(refusals).toEqual(['proxy_header_untrusted']);
});

test('connections are limited for each client, not for the proxy', async () => {
  const { open, refusals } = await listen({ limits: { maxConnectionsPerAddress: 1 } });
  const get = 'GET /v2/account HTTP/1.1\r\nHost: x\r\n' + key + '\r\n';
  const hold = async (address: string): Promise<void> => {
    const socket = open();
    socket.write(Buffer.concat([proxyHeaderFor(address), Buffer.from(get)]));
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  };
  await hold('198.51.100.7');
  await hold('198.51.100.8');
  expect(refusals).toEqual([]);
  await hold('198.51.100.8');
  expect(refusals).toEqual(['address_limit']);
});

test('requests without a key are counted by client', async () => {
  const { open } = await listen({});
  const get = 'GET /v2/account HTTP/1.1\r\nHost: x\r\n';
  const remaining = async (address: string): Promise<string[]> => {
    const gets = Buffer.from(`${get}\r\n${get}Connection: close\r\n\r\n`);
    const answers = await exchange(open(), Buffer.concat([proxyHeaderFor(address), gets]));
    return answers.match(/RateLimit: "address";r=\d+/g) ?? [];
  };
  const fresh = ['RateLimit: "address";r=999', 'RateLimit: "address";r=998'];
  expect(await remaining('198.51.100.7')).toEqual(fresh);
  expect(await remaining('198.51.100.8')).toEqual(fresh);
});

test('a connection over a Unix socket carries the header as well', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { open } = await listen({
    address: { path: join(folder, 'http.sock') },
    trustedProxies: ['unix'],
  });
  const whole = Buffer.concat([proxyHeaderFor('198.51.100.7'), Buffer.from(create('unix.example'))]);
  expect(await exchange(open(), whole)).toContain('HTTP/1.1 201');
  expect(await addressInHistory('unix.example')).toBe('198.51.100.7');
});
