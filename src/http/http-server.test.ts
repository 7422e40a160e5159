import { closeSync, openSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog, type Log } from '../base/log.ts';
import { MAX_WAIT_SECONDS } from '../contract/propagation-query.ts';
import { createDomain } from '../operations/create-domain.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Store } from '../store/store.ts';
import type { TcpAddress } from './http-address.ts';
import { openTestService, withStore } from './http-service.test-support.ts';
import { startHttpServer, startServiceHttpServer, type HttpServer } from './http-server.ts';
import { HttpServerStartError } from './http-server-start-error.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { CommitInDoubt } from '../writes/store-errors.ts';

const service = await openTestService();
const key = `Host: x\r\nAuthorization: Bearer ${service.key}\r\n`;
const get = `GET /v2/account HTTP/1.1\r\n${key}\r\n`;

async function start(
  limits: Partial<HttpLimits> = {},
  context: OperationContext = service.context,
  log: Log = silentLog,
): Promise<HttpServer> {
  const server = await startHttpServer({
    address: { host: '127.0.0.1', port: 0 },
    context,
    rateLimitPerSecond: 0,
    readiness: () => ({ ready: true, detail: {} }),
    log,
    limits,
  });
  onTestFinished(() => server.stop());
  return server;
}

interface Client {
  readonly socket: Socket;
  text(): string;
  readonly closed: Promise<void>;
}

function open(server: HttpServer, bytes = ''): Client {
  const socket = connect(server.address as TcpAddress);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return { socket, text: () => text, closed };
}

/** Returns everything that the server sends until it closes the connection. */
async function exchange(server: HttpServer, bytes: string): Promise<string> {
  const client = open(server, bytes);
  await client.closed;
  return client.text();
}

/** Starts a POST to /v2/domains; the server has read its head and waits for the body. */
async function openUnderWay(server: HttpServer, length: number): Promise<Client> {
  const client = open(
    server,
    `POST /v2/domains HTTP/1.1\r\n${key}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
  );
  await once(client.socket, 'data');
  return client;
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

test('requests that the parser rejects get an error of the same shape, and the connection is closed', async () => {
  const server = await start();
  for (const [bytes, status] of [
    ['hello\r\n\r\n', 400],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [`GET /v2/account HTTP/1.1\r\n${key}X: ${'a'.repeat(41_000)}\r\n\r\n`, 431],
    [
      `POST /v2/domains HTTP/1.1\r\n${key}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
  ] as const) {
    const text = await exchange(server, bytes);
    const [head, body] = text.split('\r\n\r\n');
    expect(statuses(text)).toEqual([status]);
    expect(JSON.parse(body)).toMatchObject({ status });
    expect(head).toMatch(/^X-Request-Id: \S+$/m);
    expect(head).toMatch(/^RateLimit: "address";/m);
    expect(head).toContain('\r\nContent-Type: application/json\r\n');
  }
});

test('an error for garbage after a request does not overtake the answer to the request', async () => {
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const findAccount = async (id: string) => held.then(() => service.context.store.findAccount(id));
  const server = await start({}, withStore(service, { findAccount }));
  const client = open(server, `${get}${get}hello\r\n\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(client.text()).toBe('');
  finish();
  await client.closed;
  expect(statuses(client.text())).toEqual([200, 200, 400]);
});

test('clients that send headers or body too slowly are disconnected, others are served meanwhile', async () => {
  const server = await start({ headersTimeoutMs: 1_000, requestTimeoutMs: 1_200, connectionsCheckMs: 50 });
  const slow = [
    open(server),
    open(server, 'GET /v2/account HTTP/1.1\r\nHo'),
    open(server, `POST /v2/domains HTTP/1.1\r\n${key}Content-Length: 100\r\n\r\n{`),
  ];
  expect(statuses(await exchange(server, get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')))).toEqual([
    200,
  ]);
  await Promise.all(slow.map((client) => client.closed));
  expect(slow.flatMap((client) => statuses(client.text()))).toEqual([408, 408, 408]);
});

test('a refused body is read only up to a limit', async () => {
  const server = await start();
  for (const head of [key, 'Host: x\r\n']) {
    const client = open(server, `POST /v2/domains HTTP/1.1\r\n${head}Content-Length: 1000000000\r\n\r\n`);
    const piece = Buffer.alloc(1_048_576, 0x20);
    const pour = () => client.socket.write(piece);
    client.socket.on('drain', pour);
    pour();
    await client.closed;
    expect(client.socket.bytesWritten).toBeLessThan(64 * 1_048_576);
  }
});

test('a client that sends a whole refused body before it reads gets its answer, and can continue', async () => {
  const server = await start();
  const body = ' '.repeat(2_000_000);
  const client = open(
    server,
    `POST /v2/domains HTTP/1.1\r\n${key}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  client.socket.write(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await client.closed;
  expect(statuses(client.text())).toEqual([413, 200]);
});

test('a request without Host is refused; HTTP/1.0 and unknown expectations are accepted', async () => {
  const server = await start();
  const [, ...rest] = key.split('\r\n');
  const keyOnly = rest.join('\r\n');
  expect(
    statuses(await exchange(server, `GET /v2/account HTTP/1.1\r\n${keyOnly}Connection: close\r\n\r\n`)),
  ).toEqual([400]);
  expect(await exchange(server, `GET /v2/account HTTP/1.0\r\n${keyOnly}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  const expecting = `GET /v2/account HTTP/1.1\r\n${key}Expect: tea\r\nConnection: close\r\n\r\n`;
  expect(statuses(await exchange(server, expecting))).toEqual([200]);
});

test('connections beyond the limit are dropped, existing ones are served', async () => {
  const server = await start({ maxConnections: 2 });
  const first = open(server, get);
  const second = open(server, get);
  await Promise.all([once(first.socket, 'data'), once(second.socket, 'data')]);
  const third = open(server, get);
  await third.closed;
  expect(third.text()).toBe('');
  first.socket.write(get);
  await once(first.socket, 'data');
  expect(statuses(first.text())).toEqual([200, 200]);
});

test('stop() finishes requests in progress and closes idle connections', async () => {
  const server = await start();
  const idle = open(server, get);
  await once(idle.socket, 'data');
  const body = JSON.stringify({ domain: 'under-way.example' });
  const busy = await openUnderWay(server, body.length);
  const stopped = server.stop();
  await idle.closed;
  busy.socket.write(body);
  await Promise.all([busy.closed, stopped]);
  expect(statuses(busy.text())).toEqual([100, 201]);
  const late = open(server, get);
  await late.closed;
  expect(late.text()).toBe('');
});

test('stop() logs how many requests with invalid keys were refused', async () => {
  const lines: object[] = [];
  const log: Log = { ...silentLog, warn: (fields) => void lines.push(fields) };
  const server = await start({}, service.context, log);
  const request =
    'GET /v2/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer none\r\nConnection: close\r\n\r\n';
  for (let i = 0; i < 3; i++) expect(await exchange(server, request)).toContain('invalid_key');
  expect(lines).toEqual([{ address: '127.0.0.1' }]);
  await server.stop();
  expect(lines.slice(1)).toEqual([{ address: '127.0.0.1', count: 2 }]);
});

test('stop() closes connections whose clients do not send the rest of a request', async () => {
  const server = await start({ stopStallMs: 100, stopTimeoutMs: 1_000_000 });
  const endless = await openUnderWay(server, 100);
  const headless = open(server, 'GET /v2/domains HTTP/1.1\r\nHo');
  const idle = open(server, get);
  await once(idle.socket, 'data');
  await server.stop();
  await Promise.all([endless.closed, headless.closed, idle.closed]);
});

test('stop() closes connections whose requests do not finish', async () => {
  const server = await start({ stopStallMs: 1_000_000, stopTimeoutMs: 200 });
  const endless = await openUnderWay(server, 100);
  await server.stop();
  await endless.closed;
});

test('stop() waits for requests that arrive slowly', async () => {
  const server = await start({ stopStallMs: 600 });
  const body = JSON.stringify({ domain: 'slowly.example' });
  const slow = await openUnderWay(server, body.length);
  const stopped = server.stop();
  for (const octet of body) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    slow.socket.write(octet);
  }
  await Promise.all([slow.closed, stopped]);
  expect(statuses(slow.text())).toEqual([100, 201]);
});

test('stop() does not take a pause of this process for one of the client', async () => {
  const server = await start({ stopStallMs: 400 });
  const body = JSON.stringify({ domain: 'paused.example' });
  const client = await openUnderWay(server, body.length);
  const stopped = server.stop();
  await new Promise((resolve) => setTimeout(resolve, 200));
  client.socket.write(body);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
  await Promise.all([client.closed, stopped]);
  expect(statuses(client.text())).toEqual([100, 201]);
});

test('the connection is closed without an answer if the result of a write is unknown', async () => {
  const lines: unknown[] = [];
  const write = () => Promise.reject(new CommitInDoubt('the connection broke during COMMIT'));
  const log = { ...silentLog, error: (fields: object, message: string) => lines.push([fields, message]) };
  const server = await start({}, withStore(service, { write }), log);
  const body = JSON.stringify({ domain: 'unknown.example' });
  const post = `POST /v2/domains HTTP/1.1\r\n${key}Content-Length: ${body.length}\r\n\r\n${body}`;
  expect(await exchange(server, post)).toBe('');
  expect(lines).toEqual([
    [expect.objectContaining({ method: 'POST', url: '/v2/domains' }), expect.stringContaining('unknown')],
  ]);
});

const awaitNext = (domain: string) =>
  `GET /v2/domains/${domain}/propagation?serial=1&wait=60 HTTP/1.1\r\n${key}\r\n`;

/** A service whose nameserver never serves the requested serial; counts the polls of each domain. */
async function behindService(...domains: readonly string[]) {
  for (const domain of domains) await createDomain(service.context, service.caller, { domain });
  const looks = new Map<string, number>();
  const servedSerials: Store['servedSerials'] = ({ name }) => {
    looks.set(name, (looks.get(name) ?? 0) + 1);
    return Promise.resolve([]);
  };
  return {
    context: withStore(service, { servedSerials }),
    looks: () => domains.map((domain) => looks.get(domain) ?? 0),
  };
}

test('a wait for nameservers can last longer than the timeouts for slow clients', async () => {
  const { context } = await behindService('awaited.example');
  const server = await start(
    { requestTimeoutMs: 400, headersTimeoutMs: 400, connectionsCheckMs: 20 },
    context,
  );
  const request = awaitNext('awaited.example')
    .replace('wait=60', 'wait=1')
    .replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  expect(statuses(await exchange(server, request))).toEqual([200]);
  expect(defaultHttpLimits.socketIdleTimeoutMs).toBeGreaterThan(MAX_WAIT_SECONDS * 1000);
});

test('when a client goes away, its wait ends and the store is not polled any more', async () => {
  const { context, looks } = await behindService('awaited.example');
  const server = await start({}, context);
  const client = open(server, awaitNext('awaited.example'));
  await expect.poll(() => Math.min(...looks())).toBeGreaterThan(2);
  client.socket.destroy();
  const looksMeanwhile = async () => {
    const [before] = looks();
    await new Promise((resolve) => setTimeout(resolve, 150));
    return looks()[0] - before;
  };
  await expect.poll(looksMeanwhile).toBe(0);
});

test('stop() ends all waits immediately', async () => {
  const domains = ['awaited.example', 'awaited-too.example'];
  const { context, looks } = await behindService(...domains);
  const server = await start({ stopTimeoutMs: 50_000 }, context);
  const clients = domains.map((domain) => open(server, awaitNext(domain)));
  await expect.poll(() => Math.min(...looks())).toBeGreaterThan(2);
  await server.stop();
  await Promise.all(clients.map(({ closed }) => closed));
  for (const client of clients) {
    expect(statuses(client.text())).toEqual([503]);
    expect(client.text()).toContain('\r\nRetry-After: 1\r\n');
  }
});

test('an import waits before its body is read while other bodies take too much memory', async () => {
  const server = await start();
  const put = (length: number) =>
    `PUT /v2/domains/a.example/zonefile HTTP/1.1\r\n${key}Content-Length: ${length}\r\n\r\n`;
  const longest = open(server, `${put(64 * 1024 * 1024)}x`);
  while (longest.socket.bytesWritten === 0) await new Promise(setImmediate);
  expect(statuses(await exchangeUntilData(open(server, get)))).toEqual([200]);
  const waiting = open(server, put(2 * 1024 * 1024) + 'x'.repeat(2 * 1024 * 1024));
  // Short imports, as they are when domains are copied, do not wait.
  expect(statuses(await exchangeUntilData(open(server, `${put(1)}x`)))).toEqual([404]);
  expect(waiting.text()).toBe('');
  longest.socket.destroy();
  await once(waiting.socket, 'data');
  expect(statuses(waiting.text())).toEqual([404]);
});

async function exchangeUntilData(client: Client): Promise<string> {
  await once(client.socket, 'data');
  return client.text();
}

test('behind a trusted proxy, the history has the address of the client', async () => {
  const options = { address: { host: '127.0.0.1', port: 0 }, context: service.context, log: silentLog };
  const readiness = () => ({ ready: true, detail: {} });
  const trustedProxies = ['127.0.0.0/8'];
  const server = await startHttpServer({ ...options, rateLimitPerSecond: 0, readiness, trustedProxies });
  onTestFinished(() => server.stop());
  const send = (line: string, forwardedFor: string, body = '') => {
    const client = open(
      server,
      `${line} HTTP/1.1\r\n${key}X-Forwarded-For: ${forwardedFor}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return exchangeUntilData(client);
  };
  const domain = '{"domain":"proxied.example"}';
  expect(statuses(await send('POST /v2/domains', 'nonsense', domain))).toEqual([400]);
  expect(statuses(await send('POST /v2/domains', '203.0.113.9, 198.51.100.7', domain))).toEqual([201]);
  const history = await send('GET /v2/domains/proxied.example/changes', '198.51.100.7');
  expect(history).toContain('"address":"198.51.100.7"');
});

test('a descriptor that is not a socket is reported in one sentence', async () => {
  const file = openSync('/dev/null', 'r');
  onTestFinished(() => closeSync(file));
  const listener = { address: { host: '127.0.0.1', port: 0 }, descriptor: file, log: silentLog };
  const started = startServiceHttpServer({ ...listener, readiness: () => ({ ready: true, detail: {} }) });
  await expect(started).rejects.toThrow(
    new HttpServerStartError(`HTTP cannot listen on descriptor ${file}: it is not an unused socket (EINVAL)`),
  );
});

test('a port in use is reported in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const started = startHttpServer({
    address: { host: '127.0.0.1', port },
    context: service.context,
    rateLimitPerSecond: 0,
    readiness: () => ({ ready: true, detail: {} }),
    log: silentLog,
  });
  await expect(started).rejects.toThrow(HttpServerStartError);
  await expect(started).rejects.toThrow(
    `HTTP cannot listen on 127.0.0.1 port ${port}: the address is in use by another program`,
  );
});

test('requests without a key are told how long their connection stays open', async () => {
  const server = await start();
  const client = open(server, `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(await exchangeUntilData(client)).toContain('\r\nKeep-Alive: timeout=8\r\n');
  const known = open(server, `GET /v2/account HTTP/1.1\r\n${key}\r\n`);
  expect(await exchangeUntilData(known)).toContain('\r\nKeep-Alive: timeout=75\r\n');
  const closing = open(server, `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(await exchangeUntilData(closing)).not.toContain('Keep-Alive');
});
