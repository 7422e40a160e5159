import { once } from 'node:events';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendHttp2Body } from './http2-answer.ts';
import type { Http2Connection } from './http2-connection.ts';
import { Http2Server } from './http2-server.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import {
  encodeData,
  encodeHeaders,
  encodeReset,
  encodeWindowUpdate,
  openRawHttp2,
  type RawHttp2Client,
} from './raw-http2.test-support.ts';

const {
  NGHTTP2_CANCEL,
  NGHTTP2_ENHANCE_YOUR_CALM,
  NGHTTP2_FLOW_CONTROL_ERROR,
  NGHTTP2_NO_ERROR,
  NGHTTP2_REFUSED_STREAM,
} = constants;

interface Scene {
  readonly clock: { elapsedMs: number };
  readonly server: Http2Server;
  readonly open: (initialWindow?: number) => Promise<{ client: RawHttp2Client; connection: Http2Connection }>;
  readonly abuses: () => number;
  /** Paths of the requests that were handled. */
  readonly handled: readonly string[];
}

const large = 'x'.repeat(300_000);

/** Serves HTTP/2 without TLS: `/large` and `/small` are answered, `/echo` after its body, `/never` is not. */
async function listen(limits: Partial<HttpLimits> = {}): Promise<Scene> {
  const clock = { elapsedMs: 0 };
  let abuses = 0;
  const handled: string[] = [];
  const handle = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    handled.push(request.url);
    if (request.url === '/never') return;
    response.writeHead(200);
    if (request.url === '/echo') request.resume().on('end', () => response.end('received'));
    else sendHttp2Body(response.stream, request.url === '/large' ? large : 'served');
  };
  const server = new Http2Server({
    limits: { ...defaultHttpLimits, ...limits },
    clock: { elapsedMs: () => clock.elapsedMs },
    networkOf: () => '127.0.0.1',
    handle,
    onAbuse: () => abuses++,
  });
  const connections: Http2Connection[] = [];
  const listener = createServer((socket) => connections.push(server.serve(socket)));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as AddressInfo;
  const open: Scene['open'] = async (initialWindow = 65_535) => {
    const client = await openRawHttp2(port, { initialWindow });
    await expect.poll(() => client.frames.length).toBeGreaterThan(1);
    return { client, connection: connections.at(-1)! };
  };
  return { clock, server, open, abuses: () => abuses, handled };
}

const headersOf = (path: string, method = 'GET') => ({
  ':method': method,
  ':scheme': 'http',
  ':path': path,
  ':authority': 'localhost',
});

const get = (stream: number, path: string) => encodeHeaders(stream, headersOf(path), true);
const post = (stream: number, path: string) => encodeHeaders(stream, headersOf(path, 'POST'), false);

test('a connection without requests is closed, soon if it has not shown a key', async () => {
  const { open, clock } = await listen({ keylessIdleMs: 1_000, keepAliveTimeoutMs: 5_000 });
  const [one, other] = [await open(), await open()];
  for (const { client } of [one, other]) client.send(get(1, '/small'));
  for (const { client } of [one, other]) await expect.poll(() => client.received(1)).toBe(6);
  clock.elapsedMs += 1_000;
  one.connection.check(clock.elapsedMs, false);
  other.connection.check(clock.elapsedMs, true);
  await expect.poll(() => one.client.endCode()).toBe(NGHTTP2_NO_ERROR);
  expect(other.client.endCode()).toBeUndefined();
  clock.elapsedMs += 4_000;
  other.connection.check(clock.elapsedMs, true);
  await expect.poll(() => other.client.endCode()).toBe(NGHTTP2_NO_ERROR);
  // Neither has closed its side.
  for (const { client, connection } of [one, other]) {
    connection.check(clock.elapsedMs, true);
    await client.closed;
  }
});

test('a connection with a request in progress is not idle', async () => {
  const { open, clock, handled } = await listen();
  const { client, connection } = await open();
  client.send(get(1, '/never'));
  await expect.poll(() => handled).toEqual(['/never']);
  clock.elapsedMs += 10 * defaultHttpLimits.keepAliveTimeoutMs;
  connection.check(clock.elapsedMs, false);
  client.send(get(3, '/small'));
  await expect.poll(() => client.received(3)).toBe(6);
  expect([client.resets(), client.endCode()]).toEqual([{}, undefined]);
});

test('an answer that is not read is reset, one that is read slowly is not', async () => {
  const { open, clock } = await listen();
  const { throughputWindowMs, minBytesPerSecond } = defaultHttpLimits;
  const { client, connection } = await open(0);
  client.send(get(1, '/large'), get(3, '/large'));
  const step = (throughputWindowMs * minBytesPerSecond) / 1000;
  let room = 0;
  for (let round = 0; round < 4; round++) {
    client.send(encodeWindowUpdate(3, step), encodeWindowUpdate(0, step));
    room += step;
    await expect.poll(() => client.received(3)).toBe(room);
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.check(clock.elapsedMs, true);
    clock.elapsedMs += throughputWindowMs - 1;
  }
  expect(client.resets()).toEqual({ 1: NGHTTP2_CANCEL });
  clock.elapsedMs += throughputWindowMs;
  connection.check(clock.elapsedMs, true);
  await expect.poll(() => client.resets()).toEqual({ 1: NGHTTP2_CANCEL, 3: NGHTTP2_CANCEL });
});

test('a client that reads nothing at all is disconnected', async () => {
  const { open, clock, handled } = await listen();
  const { client, connection } = await open(large.length);
  const { maxStreamsPerConnection: count, throughputWindowMs } = defaultHttpLimits;
  const streams = Array.from({ length: count }, (_, at) => 2 * at + 1);
  client.socket.pause();
  // More than the sockets of both sides hold.
  client.send(encodeWindowUpdate(0, count * large.length), ...streams.map((at) => get(at, '/large')));
  await expect.poll(() => handled).toHaveLength(count);
  await expect
    .poll(() => {
      clock.elapsedMs += throughputWindowMs;
      connection.check(clock.elapsedMs, true);
      return [connection.socket.destroyed, connection.isBusy];
    })
    .toEqual([true, false]);
  client.socket.resume();
  await client.closed;
});

test('a request whose body does not arrive in time is ended, those that are answered meanwhile are not', async () => {
  const { open, clock, handled } = await listen({ requestTimeoutMs: 1_000 });
  const { client, connection } = await open();
  client.send(post(1, '/never'), encodeData(1, '{', false), get(3, '/never'));
  await expect.poll(() => handled).toHaveLength(2);
  clock.elapsedMs += 999;
  connection.check(clock.elapsedMs, true);
  clock.elapsedMs += 1;
  connection.check(clock.elapsedMs, true);
  await expect.poll(() => client.resets()).toEqual({ 1: NGHTTP2_CANCEL });
});

test('the rest of a body that is answered early is not asked for', async () => {
  const { open } = await listen();
  const { client } = await open();
  client.send(post(1, '/small'), encodeData(1, 'x'.repeat(1000), false));
  await expect.poll(() => client.resets()).toEqual({ 1: NGHTTP2_NO_ERROR });
  expect(client.received(1)).toBe(6);
});

test('a client with more requests in progress than its connection may have is disconnected', async () => {
  const { open, handled } = await listen({ maxStreamsPerConnection: 2 });
  const { client } = await open();
  client.send(get(1, '/never'), get(3, '/never'));
  await expect.poll(() => handled).toHaveLength(2);
  client.send(get(5, '/never'));
  await client.closed;
  // The code depends on the version of Node.
  expect(client.endCode()).not.toBe(NGHTTP2_NO_ERROR);
  expect(handled).toHaveLength(2);
});

test('a request with too many headers is refused, and the others go on', async () => {
  const { open, handled } = await listen();
  const { client } = await open();
  const many = Array.from({ length: defaultHttpLimits.maxHeaderPairs }, (_, i) => [`x-${i}`, 'y'] as const);
  client.send(encodeHeaders(1, { ...headersOf('/many'), ...Object.fromEntries(many) }, true));
  client.send(get(3, '/small'));
  await expect.poll(() => client.received(3)).toBe(6);
  expect([client.resets(), handled]).toEqual([{ 1: NGHTTP2_ENHANCE_YOUR_CALM }, ['/small']]);
});

test('a client that sends more of a body than it may gets no further', async () => {
  const { open, handled } = await listen({ streamWindowBytes: 1_000 });
  const { client, connection } = await open();
  client.send(post(1, '/never'), encodeData(1, 'x'.repeat(1_000), false));
  await expect.poll(() => handled).toEqual(['/never']);
  expect(client.resets()).toEqual({});
  client.send(encodeData(1, 'x', false));
  // Node 20 resets the stream, later versions end the connection (RFC 9113 section 5.2.2 allows both).
  await expect
    .poll(() => Object.values(client.resets()).at(0) ?? client.endCode())
    .toBe(NGHTTP2_FLOW_CONTROL_ERROR);
  await expect.poll(() => connection.isBusy).toBe(false);
});

test('requests beyond the limit of an address are refused, over all its connections', async () => {
  const { open, handled } = await listen({ maxStreamsPerAddress: 3 });
  const [one, other] = [await open(), await open()];
  one.client.send(get(1, '/never'), get(3, '/never'));
  await expect.poll(() => handled).toHaveLength(2);
  other.client.send(get(1, '/never'), get(3, '/never'));
  await expect.poll(() => other.client.resets()).toEqual({ 3: NGHTTP2_REFUSED_STREAM });
  expect(handled).toHaveLength(3);
  one.client.send(encodeReset(1, NGHTTP2_CANCEL));
  await expect
    .poll(() => {
      other.client.send(get(5, '/small'));
      return other.client.received(5);
    })
    .toBe(6);
});

test('a client that resets its requests is disconnected, one that does it now and then is not', async () => {
  const { open, clock, abuses, handled } = await listen({ maxStreamResets: 10, streamResetsWindowMs: 1_000 });
  const { client } = await open();
  let stream = 1;
  const reset = (): void => {
    client.send(get(stream, '/never'), encodeReset(stream, NGHTTP2_CANCEL));
    stream += 2;
  };
  for (let times = 0; times < 30; times++) {
    reset();
    clock.elapsedMs += 100;
    await expect.poll(() => handled).toHaveLength(times + 1);
  }
  expect([client.endCode(), abuses()]).toEqual([undefined, 0]);
  for (let times = 0; times < 30; times++) reset();
  await client.closed;
  expect([client.endCode(), abuses()]).toEqual([NGHTTP2_ENHANCE_YOUR_CALM, 1]);
});

test('close() lets requests in progress end, and refuses others', async () => {
  const { open, server, handled } = await listen();
  const { client, connection } = await open();
  client.send(post(1, '/echo'));
  await expect.poll(() => handled).toHaveLength(1);
  expect([connection.isBusy, connection.awaitsClient]).toEqual([true, true]);
  server.close();
  await expect.poll(() => client.endCode()).toBe(NGHTTP2_NO_ERROR);
  client.send(get(3, '/small'), encodeData(1, 'x', true));
  await expect.poll(() => client.received(1)).toBe(8);
  expect(handled).toEqual(['/echo']);
  client.socket.end();
  await client.closed;
});

test('a connection that is opened while the server closes gets no answer', async () => {
  const { open, server } = await listen();
  server.close();
  const { client } = await open();
  client.send(get(1, '/small'));
  await expect.poll(() => client.endCode()).toBe(NGHTTP2_NO_ERROR);
  expect(client.received(1)).toBe(0);
});
