import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalServer } from '../local-sockets.ts';
import { FeedWaker } from './feed-waker.ts';

let folder: string;
let path: string;
let wakes = 0;
let waker: FeedWaker;
let server: LocalServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-waker-'));
  path = join(folder, 'wake');
  wakes = 0;
  server = await listen();
  waker = new FeedWaker(path);
  await connected();
});
afterEach(async () => {
  waker.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

function listen(): Promise<LocalServer> {
  return LocalServer.open(path, (socket) => void socket.on('data', (octets) => (wakes += octets.length)));
}

function connected(): Promise<void> {
  return vi.waitFor(() => expect([...server.sockets]).toHaveLength(1));
}

test('each new end of the feed wakes the follower once', async () => {
  waker.wake(1);
  waker.wake(1);
  waker.wake(2);
  await vi.waitFor(() => expect(wakes).toBe(2));
});

test('a follower that starts again is woken again', async () => {
  await server.close();
  waker.wake(3);
  server = await listen();
  await connected();
  // The end at the follower may be open a moment earlier than this one.
  let seq = 4;
  await vi.waitFor(() => {
    waker.wake(seq++);
    expect(wakes).toBeGreaterThan(0);
  });
});

test('wakes that nobody reads are not collected', async () => {
  for (const socket of server.sockets) socket.pause();
  for (let seq = 0; seq < 1_000_000; seq++) waker.wake(seq);
  for (const socket of server.sockets) socket.resume();
  await vi.waitFor(() => expect(wakes).toBeGreaterThan(0));
  expect(wakes).toBeLessThan(1_000_000);
});
