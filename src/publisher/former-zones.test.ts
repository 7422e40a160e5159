import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import { parseRecord } from '../model/parse-record.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import { createIdSource } from '../operations/new-id.ts';
import { openServedStore, type ServedStore } from '../store/suite/served-store.test-support.ts';
import type { ZoneSnapshot, ZoneSource } from '../store/store.ts';
import type { Author } from '../writes/command.ts';
import { startPublisher, type Publisher, type PublisherOptions } from './publisher.ts';
import { zoneContent } from './zone-content.test-support.ts';

const soa = { nameservers: ['ns1.example.net'], mailbox: 'hostmaster@example.net' };
const newId = createIdSource(systemClock);
/** Loads every zone one step per turn of the event loop. */
const stepwise = { sliceMs: 0, slicedFromRecords: 0 };

let folder: string;
let store: ServedStore;
let author: Author;
/** Each test has one of its own. */
let zone: ZoneName;
let zones = 0;
let publisher: Publisher;
/** Passes an update on to the publisher, as if the store had committed it. */
let deliver: (update: ZoneUpdate) => void;
/** Called before each read of a zone; may return what is read. */
let onRead: () => ZoneSnapshot | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-former-'));
  store = await openServedStore({ folder, clock: systemClock, log: silentLog });
  const account = { id: newId(), name: 'test', email: 'test@example.com', createdAtSeconds: 1 };
  const key = { id: newId(), accountId: account.id, hash: '0'.repeat(64), scope: 'full', label: '' } as const;
  await store.write({ kind: 'createAccount', account, key: { ...key, createdAtSeconds: 1 } });
  author = { accountId: account.id, keyId: key.id, atMs: systemClock.nowMs() };
});

beforeEach(() => {
  zone = `zone${++zones}.example` as ZoneName;
  onRead = () => undefined;
});

afterEach(() => {
  vi.useRealTimers();
  publisher.close();
});

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** A publisher that hears only of the updates that the test delivers. */
function publish(loading: PublisherOptions['loading'] = {}, memoryBytes = 2 ** 22): void {
  let listener: (updates: readonly ZoneUpdate[]) => void = () => undefined;
  const source: ZoneSource = {
    onUpdate: (given) => (listener = given),
    readZone: (name) => onRead() ?? store.readZone(name),
    accountOf: (name) => store.accountOf(name),
    hostedCount: () => store.hostedCount(),
    hostedNames: (after, limit) => store.hostedNames(after, limit),
  };
  deliver = (update) => listener([update]);
  const options = { source, memoryBytes, soa, readers: 1, seed: 5, log: silentLog };
  publisher = startPublisher({ ...options, loading: { ...stepwise, ...loading } });
}

async function createDomain(name = zone, records = 20, dataLength = 1): Promise<void> {
  await store.write({ kind: 'createDomain', author, name, address: null, nameservers: [] });
  const names = Array.from({ length: records }, (_, i) => `n${i}`);
  await Promise.all(names.map((owner) => createRecord(owner, name, dataLength)));
}

async function createRecord(owner: string, domain = zone, dataLength = 1): Promise<void> {
  const rules = { txtLimitBytes: 4096, defaultTtlSeconds: 300 };
  const data = `"${'x'.repeat(dataLength)}"`;
  const parsed = parseRecord({ type: 'TXT', name: owner, data }, domain, rules);
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  const record = { id: newId(), ...parsed.value };
  const outcome = await store.write({ kind: 'createRecord', author, domain, record });
  if (!outcome.ok) throw new Error(outcome.refusal.message);
}

function headOf(name: ZoneName) {
  const snapshot = store.readZone(name);
  if (snapshot === undefined) throw new Error(`${name} is not stored`);
  return snapshot.head;
}

/** Replaces a zone by what is stored now. */
function replace(name = zone): void {
  deliver({ kind: 'replaced', head: headOf(name) });
}

/** Writes a record. @returns the update of its owner */
async function writeUndelivered(owner: string): Promise<ZoneUpdate> {
  let update: ZoneUpdate | undefined;
  store.onUpdate((updates) => (update ??= updates.at(-1)));
  await createRecord(owner);
  if (update === undefined) throw new Error('nothing was committed');
  return update;
}

function content(name = zone): ReturnType<typeof zoneContent> {
  return zoneContent(publisher.memory, name);
}

/** The stored content of a zone, as a new publisher loads it. */
async function storedContent(name = zone): Promise<ReturnType<typeof zoneContent>> {
  const options = { source: store, memoryBytes: 2 ** 22, soa, readers: 1, seed: 5, log: silentLog };
  const other = startPublisher(options);
  await other.loadZone(name);
  const stored = zoneContent(other.memory, name);
  other.close();
  return stored;
}

/** Loads a zone, and returns what is served of it then. */
async function load(name = zone): Promise<ReturnType<typeof zoneContent>> {
  await publisher.loadZone(name);
  return content(name);
}

async function turnsUntil(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !isDone(); turn++) await nextTurn();
  expect(isDone()).toBe(true);
}

const noneIsFormer = (): boolean => publisher.formerZones().length === 0;

test('a loaded zone that is replaced is served as before, until its new content is shown at once', async () => {
  await createDomain();
  publish();
  const former = await load();
  const { serial } = headOf(zone);
  await createRecord('new');
  replace();
  expect(publisher.formerZones()).toEqual([{ name: zone, serial }]);
  const seen = new Set([String(former)]);
  await turnsUntil(() => {
    seen.add(String(content()));
    return noneIsFormer();
  });
  expect(content()).toEqual(await storedContent());
  expect([...seen]).toEqual([String(former), String(content())]);
});

test('the list of former versions is told before the update counts as applied, and when it is over', async () => {
  await createDomain();
  publish();
  await load();
  const told: number[] = [];
  publisher.onFormerChange(() => told.push(publisher.formerZones().length));
  replace();
  expect(told).toEqual([1]);
  replace();
  await turnsUntil(noneIsFormer);
  expect(told).toEqual([1, 0]);
});

test('a zone that is not loaded has no former version when it is replaced', async () => {
  await createDomain();
  publish();
  replace();
  expect(noneIsFormer()).toBe(true);
  expect(content()).toBe('not loaded');
});

test.each([0, 1, 15])(
  'a change %i turns after the replacement is in the new content, and never in the former one',
  async (turns) => {
    await createDomain();
    publish();
    const former = await load();
    await createRecord('first');
    // A load that has not begun reads everything that was delivered before.
    let early = turns === 0 ? undefined : store.readZone(zone);
    onRead = () => {
      const snapshot = early;
      early = undefined;
      return snapshot;
    };
    const second = await writeUndelivered('second');
    replace();
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    deliver(second);
    expect(content()).toEqual(former);
    await turnsUntil(noneIsFormer);
    expect(content()).toEqual(await storedContent());
    expect(String(content())).toContain('second');
  },
);

test.each([
  [0, 1],
  [5, 2],
])('a second replacement after %i turns has the zone read %i times', async (turns, times) => {
  await createDomain();
  publish();
  const former = await load();
  await createRecord('new');
  let reads = 0;
  onRead = () => {
    reads++;
    return undefined;
  };
  replace();
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  replace();
  expect(content()).toEqual(former);
  await turnsUntil(noneIsFormer);
  expect([content(), reads]).toEqual([await storedContent(), times]);
});

test('a domain that is deleted while it is loaded is gone at once, and so is its former version', async () => {
  await createDomain();
  publish();
  await load();
  const { domainId } = headOf(zone);
  replace();
  await nextTurn();
  await store.write({ kind: 'deleteDomain', author, name: zone });
  deliver({ kind: 'deleted', domainId, name: zone });
  expect([content(), noneIsFormer()]).toEqual(['not hosted', true]);
  await createDomain(zone, 1);
  deliver({ kind: 'changed', head: headOf(zone), created: true, owners: [] });
  expect(await load()).toEqual(await storedContent());
});

test('if the new content cannot be read, the former one is no longer served', async () => {
  await createDomain();
  publish();
  await load();
  onRead = () => {
    throw new Error('damaged');
  };
  replace();
  await turnsUntil(noneIsFormer);
  expect(content()).toBe('not loaded');
});

test('a zone that changes faster than it can be loaded is not served in its former version for ever', async () => {
  await createDomain();
  publish();
  await load();
  replace();
  await turnsUntil(() => {
    if (!noneIsFormer()) replace();
    return noneIsFormer();
  });
  expect(content()).toBe('not loaded');
});

test('a zone of more than half the memory makes room for its new content itself', async () => {
  await createDomain(zone, 100, 4000);
  publish({}, 2 ** 20);
  expect(await load()).toHaveLength(102);
  await createRecord('new');
  replace();
  await turnsUntil(noneIsFormer);
  expect(await load()).toEqual(await storedContent());
});

test('beyond the limit of former versions, a zone that is replaced is loaded with the next query', async () => {
  const other = `other.${zone}` as ZoneName;
  await createDomain();
  await createDomain(other);
  publish({ maxFormerZones: 1 });
  await load();
  await load(other);
  replace();
  replace(other);
  expect(publisher.formerZones().map(({ name }) => name)).toEqual([zone]);
  expect(content(other)).toBe('not loaded');
  expect(await load(other)).toEqual(await storedContent(other));
});

test('a former version is not served for longer than the limit', async () => {
  await createDomain();
  publish();
  await load();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  replace();
  vi.advanceTimersByTime(29_999);
  expect(publisher.formerZones()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect([content(), noneIsFormer()]).toEqual(['not loaded', true]);
  vi.useRealTimers();
  expect(await load()).toEqual(await storedContent());
});
