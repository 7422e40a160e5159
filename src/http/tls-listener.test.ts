import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as connectTcp, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestCertificate } from '../../test/harness/test-certificate.ts';
import { openTestService } from './http-service.test-support.ts';
import { proxyHeaderFor } from './proxy-header.test-support.ts';
import { exchange, openHttp2, startTlsServer, testCertificate } from './tls-server.test-support.ts';

const service = await openTestService();
const ca = testCertificate.certificate;
const authorization = `Bearer ${service.key}`;
const get = `GET /v2/account HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`;
/** The beginning of a handshake: a record of 512 octets that has a message of 508. */
const clientHello = Buffer.concat([Buffer.of(22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3), Buffer.alloc(501)]);
const HSTS = 'max-age=15552000';

/** Resolves when the handshake is done. */
async function openTls(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca, ...options });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket.on('error', () => undefined);
}

/** Returns everything that comes until the connection is closed. */
async function readAll(socket: TLSSocket): Promise<string> {
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString()));
  if (!socket.closed) await once(socket, 'close');
  return text;
}

test('HTTP/1.1 and HTTP/2 are served, as the client chooses', async () => {
  const { port } = await startTlsServer(service.context);
  const message = httpsRequest({
    port,
    host: '127.0.0.1',
    path: '/v2/account',
    ca,
    headers: { authorization },
  });
  message.end();
  const [one] = (await once(message, 'response')) as [IncomingMessage];
  one.resume();
  expect([one.statusCode, one.httpVersion, one.headers['strict-transport-security']]).toEqual([
    200,
    '1.1',
    HSTS,
  ]);
  const two = await exchange(openHttp2(port), { ':path': '/v2/account', authorization });
  expect([two.status, two.headers['strict-transport-security']]).toEqual([200, HSTS]);
  const forbidden = ['connection', 'keep-alive', 'transfer-encoding'];
  expect(Object.keys(two.headers).filter((name) => forbidden.includes(name))).toEqual([]);
});

test.each([
  ['no choice', {}, false],
  ['HTTP/2 alone', { ALPNProtocols: ['h2'] }, 'h2'],
  ['both', { ALPNProtocols: ['http/1.1', 'h2'] }, 'h2'],
  ['HTTP/1.1 alone', { ALPNProtocols: ['http/1.1'] }, 'http/1.1'],
])('a client that offers %s is served', async (_, options, chosen) => {
  const { port } = await startTlsServer(service.context);
  const socket = await openTls(port, options);
  expect(socket.alpnProtocol).toBe(chosen);
});

test.each([
  ['TLSv1.3', 'TLSv1.3'],
  ['TLSv1.2', 'TLSv1.2'],
] as const)('%s is spoken', async (version, spoken) => {
  const { port } = await startTlsServer(service.context);
  const socket = await openTls(port, { minVersion: version, maxVersion: version });
  expect(socket.getProtocol()).toBe(spoken);
  socket.write(`${get}Connection: close\r\n\r\n`);
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['an old version', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' }],
  ['a cipher without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA256' }],
  ['another protocol', { ALPNProtocols: ['imap'] }],
] as const)('%s is refused', async (_, options) => {
  const { port, refusals } = await startTlsServer(service.context);
  const socket = connect({ port, host: '127.0.0.1', ca, ...options } as ConnectionOptions);
  await once(socket, 'error');
  await expect.poll(() => refusals).toEqual(['tls_handshake_failed']);
});

test('a request that cannot be read gets an error over TLS as well', async () => {
  const { port } = await startTlsServer(service.context);
  const socket = await openTls(port);
  socket.write('hello\r\n\r\n');
  const text = await readAll(socket);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain(`\r\nStrict-Transport-Security: ${HSTS}\r\n`);
});

test('a new certificate applies to new connections, and those before it go on', async () => {
  const { port, replace, files } = await startTlsServer(service.context);
  const session = openHttp2(port);
  const socket = await openTls(port);
  await exchange(session, { ':path': '/healthz' });
  const other = makeTestCertificate();
  replace(other);
  await expect.poll(() => files.current?.key).toBe(other.key);
  expect((await exchange(session, { ':path': '/healthz' })).status).toBe(200);
  expect((await exchange(openHttp2(port, other.certificate), { ':path': '/healthz' })).status).toBe(200);
  await expect(exchange(openHttp2(port), { ':path': '/healthz' })).rejects.toThrow();
  socket.write(`${get}Connection: close\r\n\r\n`);
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a certificate that cannot be used changes nothing', async () => {
  const { port, replace, files } = await startTlsServer(service.context);
  replace({ ...makeTestCertificate(), key: testCertificate.key });
  await expect.poll(() => files.problem).toBeDefined();
  expect((await exchange(openHttp2(port), { ':path': '/healthz' })).status).toBe(200);
});

test('a client that does not finish its handshake is disconnected, others are served meanwhile', async () => {
  const { port, refusals } = await startTlsServer(service.context, { limits: { handshakeTimeoutMs: 300 } });
  const silent = connectTcp(port, '127.0.0.1').on('error', () => undefined);
  const slow = connectTcp(port, '127.0.0.1').on('error', () => undefined);
  const drip = setInterval(
    () => slow.write(clientHello.subarray(slow.bytesWritten, slow.bytesWritten + 1)),
    20,
  );
  onTestFinished(() => clearInterval(drip));
  const closed = Promise.all([once(silent, 'close'), once(slow, 'close')]);
  expect((await exchange(openHttp2(port), { ':path': '/healthz' })).status).toBe(200);
  await closed;
  expect(refusals).toEqual(['tls_handshake_timeout', 'tls_handshake_timeout']);
});

test('connections over TLS count for the limit of an address', async () => {
  const { server, port, refusals } = await startTlsServer(service.context, {
    limits: { maxConnectionsPerAddress: 2 },
  });
  const session = openHttp2(port);
  await exchange(session, { ':path': '/v2/account', authorization });
  const plain = connectTcp(server.address as { host: string; port: number });
  onTestFinished(() => void plain.destroy());
  plain.write(`${get}\r\n`);
  await once(plain, 'data');
  // Both have shown a key, so that neither makes room.
  await expect(exchange(openHttp2(port), { ':path': '/healthz' })).rejects.toThrow();
  expect(refusals).toEqual(['address_limit']);
  session.destroy();
  await expect
    .poll(() => exchange(openHttp2(port), { ':path': '/healthz' }).catch(() => undefined))
    .toMatchObject({ status: 200 });
});

test.each([
  ['one packet', true],
  ['two packets', false],
])('the header of the PROXY protocol comes before the handshake: %s', async (_, isOne) => {
  const scene = await startTlsServer(service.context, { trustedProxies: ['127.0.0.1'], proxyProtocol: true });
  const port = await startProxy(scene.port, '198.51.100.7', isOne);
  const session = openHttp2(port);
  const domains = ['first', 'second'].map((name) => JSON.stringify({ domain: `${name}-${port}.example` }));
  const create = { ':path': '/v2/domains', ':method': 'POST', authorization };
  expect((await exchange(session, create, domains[0])).status).toBe(201);
  const socket = await openTls(port);
  const head = `POST /v2/domains HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`;
  const { length } = domains[1];
  socket.write(`${head}Content-Length: ${length}\r\nConnection: close\r\n\r\n${domains[1]}`);
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 201 /);
  for (const name of ['first', 'second']) {
    const changes = await exchange(session, {
      ':path': `/v2/domains/${name}-${port}.example/changes`,
      authorization,
    });
    expect(changes.text).toContain('"address":"198.51.100.7"');
  }
});

/** Passes connections on with a header of the PROXY protocol, in one packet with the client's first octets or before them. */
async function startProxy(target: number, client: string, isOne: boolean): Promise<number> {
  const proxy = createTcpServer((near) => {
    const far = connectTcp({ port: target, host: '127.0.0.1', noDelay: true });
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    const header = proxyHeaderFor(client);
    if (!isOne) far.write(header);
    near.once('data', (data: Buffer) => {
      far.write(isOne ? Buffer.concat([header, data]) : data);
      near.pipe(far);
      far.pipe(near);
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return (proxy.address() as AddressInfo).port;
}
