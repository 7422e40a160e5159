import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { findChild } from '../harness/process-family.ts';
import { makeDataFolder, makeFolder, runProgram, settingsFor, startService } from '../harness/service.ts';

/* HTTP on a Unix socket: the parent makes its file, keeps it while the HTTP process is replaced, and removes it. */

interface Reply {
  readonly status: number | undefined;
  readonly body: string;
}

async function send(
  socketPath: string,
  key: string,
  line: string,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const [method, path] = line.split(' ');
  const all = { authorization: `Bearer ${key}`, ...headers };
  const sent = request({ socketPath, method, path, headers: all, agent: false });
  sent.end(body);
  const [message] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: message.statusCode, body: await text(message) };
}

const domain = '{"domain":"socket.example"}';

test('HTTP is served on a Unix socket, also by the successor of a killed process', async () => {
  const path = join(makeFolder(), 'http.sock');
  const service = await startService({
    settings: { ZONEWRIGHT_HTTP: `unix:${path}`, ZONEWRIGHT_HTTP_SOCKET_MODE: '600' },
  });
  onTestFinished(() => service.stop().then(() => undefined));
  expect(service.httpAddress).toBe(`unix:${path}`);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(await send(path, service.key, 'POST /v2/domains', domain)).toMatchObject({ status: 201 });
  const killed = findChild(service.pid, 'http') ?? 0;
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => findChild(service.pid, 'http')).not.toBe(killed);
  // The connection waits in the socket of the parent.
  expect(await send(path, service.key, 'GET /v2/domains/socket.example')).toMatchObject({ status: 200 });
  expect(await service.stop()).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('the command line finds the socket by the settings of the server', async () => {
  const path = join(makeFolder(), 'http.sock');
  const settings = { ZONEWRIGHT_HTTP: `unix:${path}` };
  const service = await startService({ settings });
  onTestFinished(() => service.stop().then(() => undefined));
  const client = { ...settings, ZONEWRIGHT_KEY: service.key };
  expect(await runProgram(['domain', 'create', 'line.example', '--ip', '192.0.2.1'], client)).toMatchObject({
    code: 0,
  });
  const { said } = await runProgram(['domain', 'list', '--url', `unix:${path}`], {
    ZONEWRIGHT_KEY: service.key,
  });
  expect(said).toContain('line.example');
});

test('a second service leaves the socket of the first alone, and replaces that of a killed one', async () => {
  const path = join(makeFolder(), 'http.sock');
  const settings = { ZONEWRIGHT_HTTP: `unix:${path}` };
  const first = await startService({ settings });
  const second = await runProgram(['serve'], { ...settingsFor(makeDataFolder()), ...settings });
  expect(second).toMatchObject({
    code: 1,
    said: `zonewright: HTTP cannot listen on ${path}: another process listens there\n`,
  });
  expect(await send(path, first.key, 'GET /readyz')).toMatchObject({ status: 200 });
  await first.kill();
  // The children end when they notice that their parent has.
  await expect.poll(() => send(path, first.key, 'GET /readyz').catch(() => 'nobody')).toBe('nobody');
  expect(existsSync(path)).toBe(true);
  const third = await startService({ settings });
  expect(await send(path, third.key, 'GET /readyz')).toMatchObject({ status: 200 });
  expect(await third.stop()).toBe(0);
});

test.each([
  ['unix', '198.51.100.7'],
  ['', null],
])('with the trusted proxies "%s", the client in the history is %s', async (trusted, address) => {
  const path = join(makeFolder(), 'http.sock');
  const service = await startService({
    settings: { ZONEWRIGHT_HTTP: `unix:${path}`, ZONEWRIGHT_TRUSTED_PROXIES: trusted },
  });
  onTestFinished(() => service.stop().then(() => undefined));
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  await send(path, service.key, 'POST /v2/domains', domain, headers);
  const history = await send(path, service.key, 'GET /v2/domains/socket.example/changes');
  expect(JSON.parse(history.body)).toMatchObject({ changes: [{ address }, { address }, { address }] });
});

test('a Unix socket that a supervisor has bound needs its path in the setting', async () => {
  const path = join(makeFolder(), 'http.sock');
  const supervisor = createServer().listen(path);
  await once(supervisor, 'listening');
  onTestFinished(() => void supervisor.close());
  const descriptor = (supervisor as unknown as { _handle: { fd: number } })._handle.fd;
  const sockets = [{ name: 'http', descriptor }];
  await expect(startService({ sockets })).rejects.toThrow('set http to unix: and its path');
  const service = await startService({ sockets, settings: { ZONEWRIGHT_HTTP: `unix:${path}` } });
  expect(service.httpAddress).toBe(`unix:${path}`);
  expect(await service.stop()).toBe(0);
});
