import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ZoneName } from '../model/domain.ts';
import type { FormerZone } from '../publisher/former-zones.ts';
import type { FollowedZones, FormerVersion } from '../store/followed-zones.ts';
import { LinkClient } from './link-client.ts';
import { MAX_LINE_CHARACTERS } from './link-messages.ts';
import { LinkServer } from './link-server.ts';

/** Zones that serve what they were last told to. */
class Zones {
  seq = 1;
  phase: 'following' | 'away' = 'following';
  wakes = 0;
  awaited: FormerVersion[] = [];
  private readonly listeners: (() => void)[] = [];

  state() {
    return { phase: this.phase, seq: this.seq, feedSeq: this.seq, lagMs: 0, awaited: this.awaited };
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
/** Zones that are served in a former version. */
class Former {
  zones: FormerZone[] = [];
  private listener = (): void => undefined;

  formerZones(): readonly FormerZone[] {
    return this.zones;
  }

  onFormerChange(listener: () => void): void {
    this.listener = listener;
  }

  set(...names: string[]): void {
    this.zones = names.map((name) => ({ name: name as ZoneName, serial: 5 }));
    this.listener();
  }
}

let former: Former;
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
  former = new Former();
  server = await LinkServer.open(path, {
    zones: zones as unknown as FollowedZones,
    publisher: former,
    addresses: [{ host: '127.0.0.1', port: 5300 }],
    workerFigures: () => ({ workers: 2, answering: 1 }),
    renderMetrics: () => metrics(),
  });
}

test('the writing process learns the state, wakes, and hears what is served', async () => {
  await expect
    .poll(() => client.state)
    .toMatchObject({ phase: 'following', seq: 1, workers: 2, answering: 1, addresses: [{ port: 5300 }] });
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

test('zones that are served in a former version are known before the position that they are behind', async () => {
  await expect.poll(() => client.state?.former).toEqual([]);
  const seen: string[] = [];
  client.onMessage(() => {
    const { seq, former: behind } = client.state ?? { seq: 0, former: [] };
    seen.push(`${seq} ${behind.map(({ name }) => name).join(' ')}`);
  });
  former.set('a.example');
  former.set('a.example', 'b.example');
  zones.wake();
  former.set('b.example');
  former.set();
  await expect.poll(() => seen).toContain('2 ');
  expect(seen.slice(0, 3)).toEqual(['1 a.example b.example', '2 a.example b.example', '2 ']);
});

test('a zone whose content is fetched and then loaded is served in a former version all the time', async () => {
  await expect.poll(() => client.state?.former).toEqual([]);
  const seen: string[] = [];
  client.onMessage(() => {
    const { seq, former: behind } = client.state ?? { seq: 0, former: [] };
    seen.push([seq, ...behind.map(({ name, serial }) => `${name} ${serial}`)].join());
  });
  const name = 'a.example' as ZoneName;
  zones.awaited = [{ name, serial: null }];
  zones.wake();
  zones.awaited = [{ name, serial: 4 }];
  zones.wake();
  // The zone is replaced by what was fetched.
  former.set(name);
  zones.awaited = [];
  zones.wake();
  former.set();
  await expect.poll(() => seen.at(-1)).toBe('4');
  expect(seen).toEqual([
    ...['1,a.example null', '2,a.example null', '2,a.example 4', '3,a.example 4'],
    ...['3,a.example 5', '4,a.example 5', '4'],
  ]);
});

test('a process that connects learns which zones are served in a former version', async () => {
  former.set('a.example');
  await expect.poll(() => client.state?.former).toEqual([{ name: 'a.example', serial: 5 }]);
  client.close();
  client = new LinkClient(path);
  await expect.poll(() => client.state?.former).toEqual([{ name: 'a.example', serial: 5 }]);
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
