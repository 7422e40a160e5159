import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { listenHttp } from './listen-http.ts';

const folder = mkdtempSync(join(tmpdir(), 'zonewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

function createHttpServer(): Server {
  const server = createServer((_request, response) => response.end('served'));
  onTestFinished(() => void server.close());
  return server;
}

async function statusOf(socketPath: string): Promise<number | undefined> {
  const [message] = (await once(get({ socketPath, path: '/' }), 'response')) as [IncomingMessage];
  message.resume();
  return message.statusCode;
}

/** Leaves the file of a socket behind, as a process does that is killed. */
async function leaveStaleSocket(path: string): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', script]), 'exit');
  expect(existsSync(path)).toBe(true);
}

test('HTTP listens on a Unix socket with the permissions that are asked for', async () => {
  const path = join(folder, 'plain.sock');
  const server = createHttpServer();
  expect(await listenHttp(server, { address: { path }, socketMode: 0o620 })).toEqual({ path });
  expect((statSync(path).mode & 0o777).toString(8)).toBe('620');
  expect(await statusOf(path)).toBe(200);
  server.close();
  await once(server, 'close');
  expect(existsSync(path)).toBe(false);
});

test('the socket of a process that was killed is replaced', async () => {
  const path = join(folder, 'stale.sock');
  await leaveStaleSocket(path);
  await listenHttp(createHttpServer(), { address: { path } });
  expect(await statusOf(path)).toBe(200);
});

test('a socket on which another process listens is left alone', async () => {
  const path = join(folder, 'live.sock');
  await listenHttp(createHttpServer(), { address: { path } });
  await expect(listenHttp(createHttpServer(), { address: { path } })).rejects.toThrow(
    `HTTP cannot listen on ${path}: another process listens there`,
  );
  expect(await statusOf(path)).toBe(200);
});

test('a file that is not a socket is left alone', async () => {
  const path = join(folder, 'notes.txt');
  writeFileSync(path, 'important');
  await expect(listenHttp(createHttpServer(), { address: { path } })).rejects.toThrow(
    `HTTP cannot listen on ${path}: it exists and is not a socket`,
  );
  expect(existsSync(path)).toBe(true);
});

test('a folder that does not exist is reported in one sentence', async () => {
  const path = join(folder, 'absent', 'http.sock');
  await expect(listenHttp(createHttpServer(), { address: { path } })).rejects.toThrow(
    /^HTTP cannot listen on .*absent\/http\.sock: /,
  );
});
