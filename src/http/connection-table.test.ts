import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ConnectionRefusal } from '../base/connection-observer.ts';
import { ConnectionTable } from './connection-table.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const KEY_GET = 'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: key\r\n\r\n';
const LARGE_GET = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n';

/** More than the kernel takes for a client that does not read. */
const large = Buffer.alloc(64 * 1024 * 1024);

interface Scene {
  readonly server: Server;
  readonly clock: { elapsedMs: number };
  readonly refusals: readonly ConnectionRefusal[];
  /** Opens a connection, and waits for an answer if something is sent. */
  readonly open: (text?: string, localAddress?: string) => Promise<Socket>;
}

async function listen(limits: Partial<HttpLimits>): Promise<Scene> {
  const clock = { elapsedMs: 0 };
  const checks = { ...defaultHttpLimits, connectionsCheckMs: 10, ...limits };
  const refusals: ConnectionRefusal[] = [];
  const table = new ConnectionTable(
    checks,
    { elapsedMs: () => clock.elapsedMs },
    {
      peerOf: (socket) => ({ address: socket.remoteAddress, isProxy: false, isBehindProxy: false }),
      onRefused: (reason) => refusals.push(reason),
    },
  );
  const server = createServer((request, response) => {
    if (request.headers.authorization !== undefined) table.markKnown(request.socket);
    if (request.method === 'POST') request.resume().on('end', () => response.end('received'));
    else response.end(request.url === '/large' ? large : 'served');
  });
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n'));
  table.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (text = '', localAddress = '127.0.0.1'): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (text !== '') {
      socket.write(text);
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    } else await new Promise((resolve) => setTimeout(resolve, 20));
    return socket;
  };
  return { server, clock, open, refusals };
}

async function isServed(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return false;
  socket.write(GET);
  const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [])])) as [
    Buffer?,
  ];
  return data !== undefined;
}

test('idle connections of one address do not keep another client out', async () => {
  const { open } = await listen({ maxConnections: 4, maxConnectionsPerAddress: 4 });
  const idle: Socket[] = [];
  for (let at = 0; at < 4; at++) idle.push(await open());
  const other = await open(GET, '127.0.0.2');
  expect(await isServed(other)).toBe(true);
  await expect.poll(() => idle.filter(({ destroyed }) => destroyed).length).toBe(1);
  // Nor another client of the same address.
  expect(await isServed(await open(GET))).toBe(true);
  expect(await isServed(other)).toBe(true);
});

test('connections with a key are closed only for clients that have fewer', async () => {
  const { open, refusals } = await listen({ maxConnections: 3 });
  const known = [await open(KEY_GET), await open(KEY_GET), await open(KEY_GET)];
  expect(await isServed(await open(GET))).toBe(false);
  expect(refusals).toEqual(['no_room']);
  expect(await isServed(await open(GET, '127.0.0.2'))).toBe(true);
  await expect.poll(() => known.filter(({ destroyed }) => destroyed).length).toBe(1);
  expect(await isServed(await open(GET, '127.0.0.2'))).toBe(true);
  expect(known.filter(({ destroyed }) => destroyed)).toHaveLength(1);
});

test('one address has a limited number of connections, those without a key make room', async () => {
  const { open, refusals } = await listen({ maxConnectionsPerAddress: 2 });
  const [known, unknown] = [await open(KEY_GET), await open(GET)];
  const next = await open(KEY_GET);
  expect([known.destroyed, next.destroyed]).toEqual([false, false]);
  await expect.poll(() => unknown.destroyed).toBe(true);
  expect(await isServed(await open(GET))).toBe(false);
  expect(refusals).toEqual(['address_limit']);
  expect(await isServed(await open(GET, '127.0.0.2'))).toBe(true);
});

test('an idle connection is closed soon, unless it has shown a key', async () => {
  const { open, clock } = await listen({ keylessIdleMs: 1_000 });
  const [known, unknown] = [await open(KEY_GET), await open(GET)];
  await new Promise((resolve) => setTimeout(resolve, 50));
  clock.elapsedMs += 1_000;
  await expect.poll(() => unknown.destroyed).toBe(true);
  expect(await isServed(known)).toBe(true);
});

test('a client that does not read its answer is disconnected, one that reads is not', async () => {
  const { open, clock } = await listen({ throughputWindowMs: 1_000 });
  const [stalled, reading] = [await open(), await open()];
  let received = 0;
  reading.on('data', (data: Buffer) => {
    received += data.length;
    reading.pause();
    setTimeout(() => reading.resume(), 1);
  });
  reading.write(LARGE_GET);
  stalled.write(LARGE_GET);
  stalled.pause();
  await expect.poll(() => received).toBeGreaterThan(8 * 1024 * 1024);
  for (let round = 0; round < 5; round++) {
    const before = received;
    await expect.poll(() => received).toBeGreaterThan(before + 1024 * 1024);
    clock.elapsedMs += 1_000;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  stalled.resume();
  await expect.poll(() => stalled.destroyed).toBe(true);
  expect(reading.destroyed).toBe(false);
});

test('a client that sends a body too slowly gets 408, one that sends enough does not', async () => {
  const { open, clock } = await listen({ throughputWindowMs: 1_000, minBytesPerSecond: 100 });
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n';
  const [slow, fast] = [await open(), await open()];
  let text = '';
  slow.on('data', (data: Buffer) => (text += data.toString()));
  slow.write(`${head}a`);
  fast.write(head);
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    fast.write('a'.repeat(200));
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.elapsedMs += 1_000;
  }
  await expect.poll(() => text).toContain('408');
  fast.write('a'.repeat(200));
  const [answer] = (await once(fast, 'data')) as [Buffer];
  expect(answer.toString()).toContain('received');
});
