import { createServer, connect, type Socket } from 'node:net';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keyChecksum, newApiKey } from '../harness/api-key.ts';
import { createDomain, createRecord, listRecords } from '../harness/fixtures.ts';
import { HttpClient, Unanswered } from '../harness/http-client.ts';
import {
  makeDataFolder,
  makeFolder,
  runProgram,
  settingsFor,
  startService,
  type Finished,
  type Service,
  type StartOptions,
} from '../harness/service.ts';

async function start(options: StartOptions = {}): Promise<Service> {
  const service = await startService(options);
  onTestFinished(async () => {
    await service.stop();
  });
  return service;
}

/** Expects a start to fail with one sentence that contains the given word, and with the exit code. */
async function expectRefusedStart(
  settings: Record<string, string>,
  word: string | RegExp,
  codes: readonly number[] = [1],
): Promise<void> {
  const finished = await runProgram(['serve'], settings);
  const { said } = finished;
  expect(codes, said).toContain(finished.code);
  expect(said.trim().split('\n'), said).toHaveLength(1);
  expect(said).not.toMatch(/\n\s+at /);
  expect(said).toMatch(word);
}

test('start: /healthz and /readyz answer 200 without a key', async () => {
  const { http } = await start();
  expect((await http.get('/healthz', { key: null })).status).toBe(200);
  expect((await http.get('/readyz', { key: null })).status).toBe(200);
});

test('start: /v2/openapi.json describes the interface', async () => {
  const { http } = await start();
  const document = JSON.parse((await http.get('/v2/openapi.json')).text) as {
    openapi: string;
    paths: object;
  };
  expect(document.openapi).toMatch(/^3\.1\./);
  const paths = Object.keys(document.paths).join(' ');
  for (const path of ['/domains', '/records', '/soa', '/dnssec', '/account']) expect(paths).toContain(path);
});

test('start: an empty store gets a key in a file that only the owner can read, and prints where it is', async () => {
  const data = join(makeFolder(), 'data');
  const first = await startService({ data });
  const file = join(data, 'admin.key');
  const key = readFileSync(file, 'utf8').trim();
  expect(key).toMatch(/^zw_[0-9A-Za-z]{38}$/);
  expect(key.slice(-6)).toBe(keyChecksum(key.slice(0, -6)));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // Its output is no terminal, so it may be kept by others.
  expect(first.output()).not.toContain(key);
  expect(first.output()).toContain(file);
  expect(first.output()).toContain('curl');
  expect(first.output()).toContain('dig');
  expect((await first.http.get('/v2/account')).status).toBe(200);
  expect(await first.stop()).toBe(0);

  const second = await startService({ data });
  expect(second.output()).not.toContain(key);
  expect(readFileSync(file, 'utf8').trim()).toBe(key);
  expect((await second.http.get('/v2/account')).status).toBe(200);
  expect(await second.stop()).toBe(0);
});

test('start: a well-formed key in an existing key file is used, wherever the file is', async () => {
  const folder = makeFolder();
  const file = join(folder, 'given.key');
  const key = newApiKey();
  writeFileSync(file, key);
  const { http } = await start({ data: join(folder, 'data'), settings: { ZONEWRIGHT_ADMIN_KEY_FILE: file } });
  expect((await http.get('/v2/account', { key })).status).toBe(200);
  expect(readFileSync(file, 'utf8').trim()).toBe(key);
});

test('start: all data survives a restart, including ids and serials', async () => {
  const data = makeDataFolder();
  const first = await startService({ data });
  const domain = await createDomain(first, undefined, '192.0.2.1');
  await createRecord(first, domain, { type: 'TXT', name: 'a', data: 'kept' });
  const records = await listRecords(first, domain);
  const serial = await first.dns.serial(domain);
  expect(await first.stop()).toBe(0);
  const second = await start({ data });
  expect(await listRecords(second, domain)).toEqual(records);
  expect(await second.dns.serial(domain)).toBe(serial);
  expect(await second.dns.look(`a.${domain}`, 'TXT')).toEqual(['kept']);
});

test('start: a large domain is served completely after a restart, and accepts writes while it is loaded', async () => {
  const data = makeDataFolder();
  const first = await startService({ data });
  const domain = await createDomain(first);
  const path = `/v2/domains/${domain}/records`;
  const count = 3_000;
  const address = (i: number): string => `10.0.${i >> 8}.${i & 0xff}`;
  const lanes = Array.from({ length: 32 }, async (_, lane) => {
    for (let i = lane; i < count; i += 32) {
      const record = { type: 'A', name: `n${i % 1000}`, data: address(i), ttl: 60 };
      expect((await first.http.post(path, record)).status).toBe(201);
    }
  });
  await Promise.all(lanes);
  await first.kill();
  const second = await start({ data });
  const write = second.http.post(path, { type: 'A', name: 'n0', data: '192.0.2.1', ttl: 60 });
  const seen: unknown[] = [];
  for (let from = 1; from < 1_000; from += 37) {
    const names = Array.from({ length: 37 }, (_, i) => `n${from + i}.${domain}`);
    seen.push(...(await Promise.all(names.map((name) => second.dns.look(name, 'A')))));
  }
  const expected = Array.from({ length: 999 }, (_, i) => [i + 1, i + 1001, i + 2001].map(address).sort());
  expect(seen).toEqual(expected);
  expect((await write).status).toBe(201);
  expect(await second.dns.look(`n0.${domain}`, 'A')).toHaveLength(4);
});

test('start: a port in use for HTTP is reported in one sentence with exit code 1', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as { port: number };
  await expectRefusedStart(
    { ...settingsFor(makeDataFolder()), ZONEWRIGHT_HTTP: `127.0.0.1:${port}` },
    String(port),
  );
});

test.each(['udp', 'tcp'])(
  'start: a port in use for DNS over %s is reported in one sentence with exit code 1',
  async (protocol) => {
    const port = protocol === 'udp' ? await occupyUdp() : await occupyTcp();
    await expectRefusedStart(
      { ...settingsFor(makeDataFolder()), ZONEWRIGHT_DNS: `127.0.0.1:${port}` },
      String(port),
    );
  },
);

test('start: a data folder that cannot be created or written is reported in one sentence with exit code 1', async () => {
  const file = join(makeFolder(), 'a-file');
  writeFileSync(file, '');
  await expectRefusedStart(settingsFor(join(file, 'data')), 'a-file');
  await expectRefusedStart(settingsFor(file), 'a-file');
});

test('start: a second process on the same store exits with one sentence and code 1, and the first continues', async () => {
  const first = await start();
  const domain = await createDomain(first);
  await expectRefusedStart(settingsFor(first.data), /./);
  await createRecord(first, domain, {});
  expect(await first.dns.look(`www.${domain}`, 'A')).toEqual(['192.0.2.1']);
});

test('start: a file that is not a store is reported in one sentence with exit code 1, and is not changed', async () => {
  const data = makeDataFolder();
  const service = await startService({ data });
  expect(await service.stop()).toBe(0);
  const files = readdirSync(data).filter((name) => name !== 'admin.key');
  for (const name of files) {
    rmSync(join(data, name));
    writeFileSync(join(data, name), 'this is no database, and long enough to be looked at '.repeat(100));
  }
  await expectRefusedStart(settingsFor(data), /./);
});

test.each([
  ['ZONEWRIGHT_HTTP', 'nonsense'],
  ['ZONEWRIGHT_HTTP', '127.0.0.1:99999'],
  ['ZONEWRIGHT_DNS', '127.0.0.1'.concat(':x')],
  ['ZONEWRIGHT_RATE_LIMIT', 'abc'],
  ['ZONEWRIGHT_RATE_LIMIT', '-1'],
  ['ZONEWRIGHT_DEFAULT_TTL', '0.5'],
  ['ZONEWRIGHT_DEFAULT_TTL', '2147483648'],
  ['ZONEWRIGHT_TXT_LIMIT', '65001'],
  ['ZONEWRIGHT_NAMESERVERS', 'a..b'],
  ['ZONEWRIGHT_LOG', 'shouting'],
  ['ZONEWRIGHT_WORKERS', 'many'],
])('start: %s=%s is refused with one sentence that names the setting', async (name, value) => {
  await expectRefusedStart({ ...settingsFor(makeDataFolder()), [name]: value }, name, [1, 2]);
});

test('stop: after SIGTERM the service finishes the request in progress, is not ready, and exits with 0 in time', async () => {
  const service = await startService({ data: makeDataFolder() });
  const body = JSON.stringify({ domain: 'under-way.example' });
  const socket = await openRequest(service, body.length);
  socket.write(body.slice(0, 5));
  const stopped = service.stop();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const probe = new HttpClient(service.httpAddress, service.key);
  const readiness = await probe.get('/readyz').catch((error: unknown) => error);
  if (readiness instanceof Error) expect(readiness).toBeInstanceOf(Unanswered);
  else expect(readiness).toMatchObject({ status: 503 });

  const answer = readAll(socket);
  socket.write(body.slice(5));
  expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
  expect(await stopped).toBe(0);
  probe.close();
  const again = await start({ data: service.data });
  expect((await again.http.get('/v2/domains/under-way.example')).status).toBe(200);
});

test.concurrent('stop: a request that never ends does not keep the process', async () => {
  const service = await startService();
  const socket = await openRequest(service, 1000);
  socket.write('{');
  expect(await service.stop()).toBe(0);
});

test.concurrent('stop: idle connections to HTTP and DNS do not keep the process', async () => {
  const service = await startService();
  await service.http.get('/v2/domains');
  for (const address of [service.httpAddress, service.dnsAddress, service.httpAddress]) {
    const socket = connect(Number(address.split(':')[1]), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
  }
  expect(await service.stop()).toBe(0);
});

test('stop: everything answered before SIGTERM under load is there after the restart', async () => {
  const data = makeDataFolder();
  const service = await startService({ data });
  const domain = await createDomain(service);
  const answered: string[] = [];
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    for (let i = 0; ; i++) {
      const name = `w${writer}-${i}`;
      const record = { type: 'A', name, data: '192.0.2.1', ttl: 60 };
      const reply = await service.http.post(`/v2/domains/${domain}/records`, record).catch(() => undefined);
      if (reply?.status !== 201) return;
      answered.push(name);
    }
  });
  await expect.poll(() => answered.length).toBeGreaterThan(200);
  expect(await service.stop()).toBe(0);
  await Promise.all(writers);
  const again = await start({ data });
  const names = new Set((await listRecords(again, domain)).map((record) => record.name));
  expect(answered.filter((name) => !names.has(name))).toEqual([]);
});

test('stop: SIGINT has the same effect as SIGTERM', async () => {
  const service = await start();
  service.signal('SIGINT');
  expect(await service.ended()).toBe(0);
});

test('start: an unknown command or option is refused with exit code other than 0', async () => {
  for (const args of [['nonsense'], ['serve', '--nonsense']]) {
    const finished: Finished = await runProgram(args, settingsFor(makeDataFolder()));
    expect(finished.code).not.toBe(0);
    expect(finished.said).toContain('nonsense');
  }
});

/** Starts a POST; the service has read its head and waits for the body. */
async function openRequest(service: Service, length: number): Promise<Socket> {
  const socket = connect(Number(service.httpAddress.split(':')[1]), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST /v2/domains HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  return socket;
}

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
  });
}

async function occupyTcp(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as { port: number }).port;
}

async function occupyUdp(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => {
    socket.close();
  });
  return socket.address().port;
}
