import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FollowedZones } from '../store/followed-zones.ts';
import { LinkClient } from './link-client.ts';
import { MAX_LINE_CHARACTERS } from './link-messages.ts';
import { LinkServer } from './link-server.ts';

/** Zones that serve what they were last told to. */
class Zones {
  seq = 1;
  phase: 'following' | 'away' = 'following';
  wakes = 0;
  private readonly listeners: (() => void)[] = [];

  state() {
    return { phase: this.phase, seq: this.seq, feedSeq: this.seq, lagMs: 0 };
  }

  onProgress(listener: () => void): void {
    this.listeners.push(listener);
  }

  wake(): void {
    this.wakes++;
    this.seq++;
    this.progress();
  }

  progress(): void {
    for (const listener of this.listeners) listener();
  }
}

let folder: string;
let path: string;
let zones: Zones;
let server: LinkServer;
let client: LinkClient;
let metrics: () => Promise<string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-link-'));
  path = join(folder, 'link');
  metrics = () => Promise.resolve('# HELP a b\n');
  await open();
  client = new LinkClient(path);
});
afterEach(async () => {
  client.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

async function open(): Promise<void> {
  zones = new Zones();
  server = await LinkServer.open(path, {
    zones: zones as unknown as FollowedZones,
    workerFigures: () => ({ workers: 2, answering: 1 }),
    renderMetrics: () => metrics(),
  });
}

test('the writing process learns the state, wakes, and hears what is served', async () => {
  await expect
    .poll(() => client.state)
    .toMatchObject({ phase: 'following', seq: 1, workers: 2, answering: 1 });
  client.wake(2);
  await expect.poll(() => client.state?.seq).toBe(2);
  zones.phase = 'away';
  zones.progress();
  await expect.poll(() => client.state?.phase).toBe('away');
});

test('all wakes of one callback are one message', async () => {
  await expect.poll(() => client.state).toBeDefined();
  for (let seq = 2; seq < 50; seq++) client.wake(seq);
  await expect.poll(() => client.state?.seq).toBe(2);
  expect(zones.wakes).toBe(1);
});

test('the state is unknown while there is no nameserver process, and a successor is found', async () => {
  await expect.poll(() => client.state).toBeDefined();
  await server.close();
  await expect.poll(() => client.state).toBeUndefined();
  await open();
  await expect.poll(() => client.state?.seq).toBe(1);
});

test('metrics are passed on, and a nameserver process that does not answer withholds only its own', async () => {
  expect(await client.askMetrics()).toBeNull();
  await expect.poll(() => client.state).toBeDefined();
  expect(await Promise.all([client.askMetrics(), client.askMetrics()])).toEqual([
    '# HELP a b\n',
    '# HELP a b\n',
  ]);
  metrics = () => new Promise(() => undefined);
  expect(await client.askMetrics()).toBeNull();
});

test.each([
  ['an endless line', 'x'.repeat(MAX_LINE_CHARACTERS + 1)],
  ['a malformed line', '{"kind":\n'],
])('a peer that sends %s is cut off', async (_, text) => {
  const peer = connect(path);
  peer.on('error', () => undefined);
  peer.resume();
  peer.write(text);
  await new Promise((resolve) => peer.once('close', resolve));
});
