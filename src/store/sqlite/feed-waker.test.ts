import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { SentCommit } from '../followed-zones.ts';
import { LocalServer } from '../local-sockets.ts';
import { MAX_COMMIT_BYTES } from './commit-message.ts';
import { FeedWaker, frameOf, MAX_UNREAD_BYTES } from './feed-waker.ts';
import { readWakes } from './read-wakes.ts';

const head = {
  domainId: 1,
  name: 'example.com' as ZoneName,
  serial: 5,
  soaPrimary: null,
  soaEmail: null,
};

let folder: string;
let path: string;
/** The commits that the follower got, in order; undefined: it was woken without one. */
let heard: (SentCommit | undefined)[];
let waker: FeedWaker;
let server: LocalServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-waker-'));
  path = join(folder, 'wake');
  heard = [];
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
  return LocalServer.open(path, (socket) => readWakes(socket, { wake }));
}

function wake(commits: readonly (SentCommit | undefined)[] = [undefined]): void {
  heard.push(...commits);
}

function connected(): Promise<void> {
  return vi.waitFor(() => expect([...server.sockets]).toHaveLength(1));
}

function commitTo(lastSeq: number, bytes = 4): SentCommit {
  const records = [{ type: 16, ttl: 60, rdata: new Uint8Array(bytes) }];
  const owners = [{ owner: 'www' as OwnerKey, records }];
  const updates = [{ kind: 'changed', head, created: false, owners }] as const;
  return { file: '1-2', afterSeq: lastSeq - 1, lastSeq, updates };
}

test('each new end of the feed wakes the follower once', async () => {
  waker.wake(1);
  waker.wake(1);
  waker.wake(2);
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0));
  waker.wake(3, commitTo(3));
  await vi.waitFor(() => expect(heard.at(-1)).toEqual(commitTo(3)));
  // Wakes that arrive together are one.
  expect(heard.length).toBeLessThanOrEqual(3);
});

test('commits arrive in order, and one that is too large is a wake', async () => {
  waker.wake(1, commitTo(1));
  waker.wake(2, commitTo(2, MAX_COMMIT_BYTES));
  await vi.waitFor(() => expect(heard).toEqual([commitTo(1), undefined]));
  for (let seq = 3; seq < 50; seq++) waker.wake(seq, commitTo(seq, seq));
  await vi.waitFor(() => expect(heard).toHaveLength(49));
  expect(heard.slice(2)).toEqual(Array.from({ length: 47 }, (_, at) => commitTo(at + 3, at + 3)));
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
    expect(heard.length).toBeGreaterThan(0);
  });
});

test('what nobody reads is not collected, and a follower that reads again is woken after all of it', async () => {
  for (const socket of server.sockets) socket.pause();
  const most = 1000;
  for (let seq = 1; seq <= most; seq++) waker.wake(seq, commitTo(seq, 4000));
  for (const socket of server.sockets) socket.resume();
  await vi.waitFor(() => expect(heard.slice(1)).toContain(undefined));
  const commits = heard.filter((commit) => commit !== undefined);
  expect(commits.map(({ lastSeq }) => lastSeq)).toEqual(commits.map((_, at) => at + 1));
  expect(commits.length).toBeLessThan(most);
  expect(commits.length * 4000).toBeGreaterThan(MAX_UNREAD_BYTES);
  expect(heard).toHaveLength(commits.length + 1);
  waker.wake(most + 1, commitTo(most + 1));
  await vi.waitFor(() => expect(heard.at(-1)).toEqual(commitTo(most + 1)));
});

/** Writes octets as a peer of the follower; resolves when the follower has closed the connection. */
function send(...chunks: readonly Uint8Array[]): { readonly closed: Promise<unknown> } {
  const peer = connect(path);
  onTestFinished(() => void peer.destroy());
  peer.on('error', () => undefined);
  const closed = new Promise((resolve) => peer.once('close', resolve));
  peer.resume();
  for (const chunk of chunks) peer.write(chunk);
  return { closed };
}

test('a commit is read however the octets are divided', () => {
  const frame = frameOf(commitTo(7)) ?? new Uint8Array();
  const listeners: ((chunk: Buffer) => void)[] = [];
  const socket = { on: (_: 'data', listener: (chunk: Buffer) => void) => listeners.push(listener) };
  readWakes(socket as unknown as Parameters<typeof readWakes>[0], { wake });
  const octets = Buffer.concat([frame, Uint8Array.of(0), frame, frame]);
  for (const size of [1, 2, 7, frame.length, octets.length]) {
    heard.length = 0;
    for (let at = 0; at < octets.length; at += size) listeners[0](octets.subarray(at, at + size));
    expect(heard.filter((commit) => commit !== undefined)).toEqual([commitTo(7), commitTo(7), commitTo(7)]);
    expect(heard).toHaveLength(4);
  }
});

test.each<[string, (frame: Uint8Array) => Uint8Array]>([
  ['with another octet', (frame) => frame.with(frame.length - 1, 9)],
  ['with another checksum', (frame) => frame.with(6, frame[6] ^ 1)],
  ['that is too long', (frame) => frame.with(2, 255)],
  ['that is something else', (frame) => frame.with(0, 2)],
])('a commit %s makes the follower read the feed, and ends the connection', async (_, damage) => {
  const frame = frameOf(commitTo(7)) ?? new Uint8Array();
  await send(damage(frame), frame).closed;
  expect(heard).toEqual([undefined]);
});

test('a commit that is cut off is ignored', async () => {
  const frame = frameOf(commitTo(7)) ?? new Uint8Array();
  const peer = connect(path);
  peer.end(frame.subarray(0, -1));
  await new Promise((resolve) => peer.once('close', resolve));
  waker.wake(8);
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
});
