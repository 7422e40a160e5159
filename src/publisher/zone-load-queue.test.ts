import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { Author } from '../writes/command.ts';
import type { ZoneName } from '../model/domain.ts';
import type { OwnerKey } from '../model/record.ts';
import { parseRecord } from '../model/parse-record.ts';
import { createIdSource } from '../operations/new-id.ts';
import { openStoreFiles } from '../store/sqlite/open-store-files.ts';
import { openDatabase } from '../store/sqlite/sqlite-driver.ts';
import { openServedStore, type ServedStore } from '../store/suite/served-store.test-support.ts';
import type { ZoneUpdate } from '../model/zone-update.ts';
import type { ZoneSource } from '../store/store.ts';
import { startPublisher, type Publisher, type PublisherOptions } from './publisher.ts';
import { zoneContent } from './zone-content.test-support.ts';
import { MAX_STARTS } from './zone-load.ts';

const soa = { nameservers: ['ns1.example.net'], mailbox: 'hostmaster@example.net' };
// Upkeep removes older changes at once, perhaps before they are followed.
const author: Author = { accountId: 'account', keyId: 'key', atMs: systemClock.nowMs() };
const newId = createIdSource(systemClock);
/** Loads every zone, however small, one step per turn of the event loop. */
const stepwise = { sliceMs: 0, slicedFromRecords: 0 };

let folder: string;
let store: ServedStore;
const publishers: Publisher[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-loading-'));
});

afterEach(async () => {
  for (const publisher of publishers.splice(0)) publisher.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Opens a store with zones of so many records, each with an owner of its own. Zones named other… have another account. */
async function openStore(zones: Record<string, number>): Promise<void> {
  const { path, lock } = openStoreFiles(folder, 0);
  const database = openDatabase(path);
  database.exec(
    "BEGIN; INSERT INTO accounts (id, name, email, created_at, domain_count, key_count) VALUES ('account', '', '', 0, 9, 1), ('other', '', '', 0, 0, 0)",
  );
  database.exec(
    "INSERT INTO keys (id, account_id, hash, scope, label, created_at) VALUES ('key', 'account', '', 'full', '', 0)",
  );
  database.exec('UPDATE counters SET account_count = 2, key_count = 1, last_domain_id = 1000');
  const addDomain = database.prepare(
    `INSERT INTO domains (id, account_id, name, created_at, serial, record_count, octets)
     VALUES (?, ?, ?, 0, 5, ?, 0)`,
  );
  const addRecord = database.prepare("INSERT INTO records VALUES (?, ?, ?, ?, 1, '', -1, 300, ?)");
  Object.entries(zones).forEach(([zone, records], id) => {
    addDomain.run(id + 1, zone.startsWith('other') ? 'other' : 'account', zone, records);
    for (let i = 0; i < records; i++)
      addRecord.run(id + 1, newId(), `n${i}`, `n${i}`, Uint8Array.of(10, i >>> 16, i >>> 8, i));
  });
  database.exec('COMMIT');
  database.close();
  lock.release();
  store = await openServedStore({ folder, clock: systemClock, log: silentLog });
}

function publish(
  loading: PublisherOptions['loading'] = {},
  memoryBytes = 2 ** 26,
  source: ZoneSource = store,
): Publisher {
  const options = { source, memoryBytes, soa, readers: 1, seed: 5, log: silentLog };
  const publisher = startPublisher({ ...options, loading });
  publishers.push(publisher);
  return publisher;
}

/** The zone's content in a new publisher that loads it in one slice. */
function freshContent(zone: string): ReturnType<typeof zoneContent> {
  const publisher = publish({ slicedFromRecords: Infinity, slicedFromBytes: Infinity });
  expect(publisher.loadZone(zone)).toBe(undefined);
  const content = zoneContent(publisher.memory, zone);
  publisher.close();
  return content;
}

async function create(zone: string, name: string, type: string, data: string): Promise<string> {
  const parsed = parseRecord({ type, name, data }, zone as ZoneName, {
    txtLimitBytes: 4096,
    defaultTtlSeconds: 300,
  });
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  const record = { id: newId(), ...parsed.value };
  const command = { kind: 'createRecord', author, domain: zone as ZoneName, record } as const;
  return (await store.write(command)).ok ? record.id : '';
}

async function deleteRecord(zone: string, recordId: string): Promise<void> {
  await store.write({ kind: 'deleteRecord', author, domain: zone as ZoneName, recordId });
}

async function deleteDomain(name: string): Promise<void> {
  await store.write({ kind: 'deleteDomain', author, name: name as ZoneName });
}

async function createDomain(name: string): Promise<void> {
  const domain = { name: name as ZoneName, address: null, nameservers: [] };
  await store.write({ kind: 'createDomain', author, ...domain });
}

/** Loads zones concurrently. @returns those that took more than one slice, in the order in which they ended */
async function loadLong(publisher: Publisher, zones: readonly string[]): Promise<string[]> {
  const events: string[] = [];
  const load = async (zone: string): Promise<void> => {
    const loading = publisher.loadZone(zone);
    if (loading === undefined) return;
    await loading;
    const content = zoneContent(publisher.memory, zone);
    events.push(`${zone} ${typeof content === 'string' ? content : 'shown'}`);
  };
  await Promise.all(zones.map(load));
  return events;
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextTurn();
}

test('while a zone of 200,000 records loads unseen, other zones are loaded and changed', async () => {
  await openStore({ 'huge.example': 200_000, 'a.example': 10, 'b.example': 10, 'c.example': 10 });
  const publisher = publish();
  const loading = publisher.loadZone('huge.example');
  expect(publisher.loadZone('huge.example')).toBe(loading);
  const events: string[] = [];
  void loading?.then(() => events.push('huge'));
  for (const zone of ['a.example', 'b.example', 'c.example']) {
    expect(publisher.loadZone(zone)).toBe(undefined);
    expect(zoneContent(publisher.memory, zone)).toHaveLength(12);
    await create('huge.example', `later-${zone[0]}`, 'A', '192.0.2.1');
    events.push(zone);
    expect(zoneContent(publisher.memory, 'huge.example')).toBe('not loaded');
  }
  await loading;
  expect(events).toEqual(['a.example', 'b.example', 'c.example', 'huge']);
  const content = zoneContent(publisher.memory, 'huge.example');
  expect(content).toHaveLength(200_005);
  expect(String(content) === String(freshContent('huge.example'))).toBe(true);
});

describe('the order of loads', () => {
  const zones = { 'long.example': 3000, 'short.example': 300, 'last.example': 300 };

  async function finished(loading: PublisherOptions['loading']): Promise<string[]> {
    await openStore(zones);
    const publisher = publish(loading);
    const events = await loadLong(publisher, Object.keys(zones));
    for (const zone of Object.keys(zones))
      expect(zoneContent(publisher.memory, zone)).toEqual(freshContent(zone));
    return events;
  }

  test('zones that load concurrently take turns, so that the shorter one is loaded first', async () => {
    const events = await finished({ ...stepwise, maxRunning: 3 });
    expect(events).toEqual(['short.example shown', 'last.example shown', 'long.example shown']);
  });

  test('beyond the limit of running loads, zones wait for those before them', async () => {
    const events = await finished({ ...stepwise, maxRunning: 1 });
    expect(events).toEqual(['long.example shown', 'short.example shown', 'last.example shown']);
  });

  test('a zone of few records is loaded at once, however many others are loading', async () => {
    expect(await finished({ sliceMs: 0, slicedFromRecords: 1000, maxRunning: 1 })).toEqual([
      'long.example shown',
    ]);
  });
});

describe('the order of loads of several accounts', () => {
  const zones = { 'a.example': 600, 'b.example': 600, 'c.example': 600, 'other.example': 600 };

  test('accounts take turns, whatever the number of their zones', async () => {
    await openStore(zones);
    const events = await loadLong(publish({ ...stepwise, maxRunning: 4 }), Object.keys(zones));
    // It gets every second turn, the others every sixth.
    expect(events[0]).toBe('other.example shown');
    expect(events).toHaveLength(4);
  });

  test('an account that loads nothing need not wait for those of another one', async () => {
    await openStore({ ...zones, 'other-2.example': 600 });
    const publisher = publish({ ...stepwise, maxRunning: 1 });
    const events = await loadLong(publisher, ['a.example', 'b.example', 'other.example', 'other-2.example']);
    expect(events.indexOf('other.example shown')).toBeLessThan(events.indexOf('b.example shown'));
    expect(events).toHaveLength(4);
  });

  test('small zones of an account wait once it has loaded many in one turn, those of others do not', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}.example`, 900]));
    await openStore({ ...many, 'other.example': 10 });
    const publisher = publish();
    const loads = Object.keys(many).map((zone) => publisher.loadZone(zone));
    expect(loads[0]).toBe(undefined);
    expect(loads.at(-1)).toBeInstanceOf(Promise);
    expect(publisher.loadZone('other.example')).toBe(undefined);
    for (const load of loads) await load;
    expect(publisher.figures()).toMatchObject({ loaded: 31 });
  });

  test('a zone that finds no room beside others of its account waits for them, and not those of others', async () => {
    await openStore({ 'a.example': 20_000, 'b.example': 20_000, 'other.example': 600 });
    // Room for one of the two large zones at a time.
    const publisher = publish(stepwise, 4 * 2 ** 20);
    const events = await loadLong(publisher, ['a.example', 'b.example', 'other.example']);
    expect(events[0]).toBe('other.example shown');
    expect(events.slice(1).map((event) => event.split(' ')[1])).toEqual(['shown', 'shown']);
  });
});

test('a zone of few records with much data goes on in slices', async () => {
  const zone = 'heavy.example';
  await openStore({ [zone]: 100 });
  const publisher = publish({ sliceMs: 0, slicedFromBytes: 200 });
  const loading = publisher.loadZone(zone);
  expect(loading).toBeInstanceOf(Promise);
  await loading;
  expect(zoneContent(publisher.memory, zone)).toEqual(freshContent(zone));
});

describe('changes during a load are in the zone that is shown', () => {
  const zone = 'big.example';
  const changes: [string, () => Promise<unknown>][] = [
    ['nothing', async () => turns(1)],
    ['a record is added', () => create(zone, 'new', 'A', '192.0.2.1')],
    ['a record is added to a name that was read', () => create(zone, 'n0', 'A', '192.0.2.1')],
    ['a record is added to a name that will be read', () => create(zone, 'n99', 'A', '192.0.2.1')],
    ['a record comes and goes', async () => deleteRecord(zone, await create(zone, 'n99', 'A', '192.0.2.1'))],
    ['a record is added to the apex', () => create(zone, '', 'NS', 'ns9.example.net')],
    ['the domain is deleted', () => deleteDomain(zone)],
    ['the domain is deleted and created again', () => deleteDomain(zone).then(() => createDomain(zone))],
    [
      'the domain is deleted and created again in one batch',
      () => Promise.all([deleteDomain(zone), createDomain(zone)]),
    ],
    [
      'more changes than the limit',
      () => Promise.all(Array.from({ length: 30 }, (_, i) => create(zone, `more${i}`, 'A', '192.0.2.1'))),
    ],
  ];

  test.each(changes)('%s', async (_, change) => {
    await openStore({ [zone]: 100 });
    const late = lateSource(zone);
    const publisher = publish({ ...stepwise, maxWaitingRecords: 40 }, 2 ** 26, late.source);
    const usedBytes = publisher.usedBytes();
    await change();
    const loading = publisher.loadZone(zone);
    await turns(20);
    expect(zoneContent(publisher.memory, zone)).toBe('not loaded');
    late.deliver();
    expect(zoneContent(publisher.memory, zone)).toBeOneOf(['not loaded', 'not hosted']);
    await loading;
    const content = zoneContent(publisher.memory, zone);
    expect(content).toEqual(freshContent(zone));
    if (content === 'not hosted') expect(publisher.usedBytes()).toBeLessThanOrEqual(usedBytes);
  });

  /** A source whose first read returns the zone's present state, and which holds updates back until `deliver()`. */
  function lateSource(name: string): { source: ZoneSource; deliver: () => void } {
    let early = store.readZone(name as ZoneName);
    const listeners: ((updates: readonly ZoneUpdate[]) => void)[] = [];
    const kept: (readonly ZoneUpdate[])[] = [];
    store.onUpdate((updates) => kept.push(updates));
    const source: ZoneSource = {
      onUpdate: (listener) => listeners.push(listener),
      readZone: (asked) => {
        const snapshot = early ?? store.readZone(asked);
        early = undefined;
        return snapshot;
      },
      accountOf: (asked) => store.accountOf(asked),
      hostedCount: () => store.hostedCount(),
      hostedNames: (after, limit) => store.hostedNames(after, limit),
    };
    const deliver = (): void => kept.forEach((updates) => listeners.forEach((listener) => listener(updates)));
    return { source, deliver };
  }
});

test('loading a zone that always changes faster than it is read is abandoned, and the promise resolves', async () => {
  const zone = 'big.example';
  await openStore({ [zone]: 100 });
  const { source, readings } = changingSource();
  const publisher = publish({ ...stepwise, maxWaitingRecords: 0 }, 2 ** 26, source);
  await publisher.loadZone(zone);
  expect(readings()).toBe(MAX_STARTS);
  expect(zoneContent(publisher.memory, zone)).toBe('not loaded');
  expect(publisher.loadZone(zone)).toBe(undefined);
});

/** A source of zones that change in the turn of the event loop after each reading has begun. */
function changingSource(): { source: ZoneSource; readings: () => number } {
  const listeners: ((updates: readonly ZoneUpdate[]) => void)[] = [];
  let readings = 0;
  const source: ZoneSource = {
    onUpdate: (listener) => listeners.push(listener),
    readZone: (name) => {
      const snapshot = store.readZone(name);
      if (snapshot === undefined) return undefined;
      readings++;
      const head = { ...snapshot.head, serial: snapshot.head.serial + 1 };
      const owners = [{ owner: 'n0' as OwnerKey, records: [] }];
      setImmediate(() =>
        listeners.forEach((told) => told([{ kind: 'changed', head, created: false, owners }])),
      );
      return snapshot;
    },
    accountOf: (name) => store.accountOf(name),
    hostedCount: () => store.hostedCount(),
    hostedNames: (after, limit) => store.hostedNames(after, limit),
  };
  return { source, readings: () => readings };
}

test('zones that do not fit together are loaded one after the other', async () => {
  await openStore({ 'one.example': 30_000, 'two.example': 30_000 });
  // An image of 30,000 names takes a block of 4 MiB; of the two in these 8 MiB, the directory occupies one.
  const publisher = publish({ sliceMs: 0.1 }, 2 ** 23);
  const events = await loadLong(publisher, ['one.example', 'two.example']);
  expect(events.map((event) => event.split(' ')[1])).toEqual(['shown', 'shown']);
});

test('a zone that does not fit frees its memory, and is not read again for every query', async () => {
  await openStore({ 'huge.example': 30_000 });
  const publisher = publish({ sliceMs: 0.1 }, 2 ** 20);
  const usedBytes = publisher.usedBytes();
  await publisher.loadZone('huge.example');
  expect(publisher.usedBytes()).toBeLessThanOrEqual(usedBytes);
  expect(publisher.loadZone('huge.example')).toBe(undefined);
});

test('closing ends a load: its promise resolves, and the snapshot is released', async () => {
  await openStore({ 'huge.example': 5000 });
  const publisher = publish(stepwise);
  const loading = publisher.loadZone('huge.example');
  await turns(5);
  publisher.close();
  await loading;
  expect(zoneContent(publisher.memory, 'huge.example')).toBe('not loaded');
});

const name = fc.constantFrom('', 'a', 'b', '*.a', 'x.y.b', 'n1', 'n19');
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('create' as const), name, length: fc.constantFrom(1, 4000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), index: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('replace' as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('load' as const, 'end' as const, 'begin' as const) }),
  },
);

/**
 * The store, some of whose changes arrive as replacements.
 *
 * @param onReplaced called before one does
 */
function replacingSource(onReplaced: () => void): {
  source: ZoneSource;
  asReplacement: (write: () => Promise<unknown>) => Promise<void>;
} {
  let isReplacing = false;
  const replaced = (update: ZoneUpdate): ZoneUpdate => {
    if (update.kind !== 'changed' || !isReplacing) return update;
    onReplaced();
    return { kind: 'replaced', head: update.head };
  };
  const source: ZoneSource = {
    onUpdate: (listener) => store.onUpdate((updates) => listener(updates.map(replaced))),
    readZone: (asked) => store.readZone(asked),
    accountOf: (asked) => store.accountOf(asked),
    hostedCount: () => store.hostedCount(),
    hostedNames: (after, limit) => store.hostedNames(after, limit),
  };
  const asReplacement = async (write: () => Promise<unknown>): Promise<void> => {
    isReplacing = true;
    await write();
    isReplacing = false;
  };
  return { source, asReplacement };
}

test('for any order of loads and changes, the zone shown equals the stored or a former one', async () => {
  await openStore({});
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const zone = `zone${run++}.example`;
      await createDomain(zone);
      const created = await Promise.all(
        Array.from({ length: 20 }, (_, i) => create(zone, `n${i}`, 'TXT', `"${i}"`)),
      );
      let former: ReturnType<typeof zoneContent> = 'not loaded';
      const { source, asReplacement } = replacingSource(() => (former = zoneContent(publisher.memory, zone)));
      const publisher = publish({ ...stepwise, maxWaitingRecords: 8, maxRunning: 1 }, 2 ** 26, source);
      const isFormer = (): boolean => publisher.formerZones().length > 0;
      for (const step of [{ kind: 'load' } as const, ...actions]) {
        if (step.kind === 'turns') await turns(step.count);
        else if (step.kind === 'create')
          created.push(await create(zone, step.name, 'TXT', `"${created.length}${'x'.repeat(step.length)}"`));
        else if (step.kind === 'replace')
          await asReplacement(() => create(zone, step.name, 'TXT', `"replaced ${created.length}"`));
        else if (step.kind === 'delete') await deleteRecord(zone, created[step.index % created.length] ?? '');
        else if (step.kind === 'end') await deleteDomain(zone);
        else if (step.kind === 'begin') await createDomain(zone);
        else void publisher.loadZone(zone);
        const shown = zoneContent(publisher.memory, zone);
        if (isFormer()) expect(shown).toEqual(former);
        else if (typeof shown !== 'string') expect(shown).toEqual(freshContent(zone));
      }
      await publisher.loadZone(zone);
      while (isFormer()) await nextTurn();
      expect(zoneContent(publisher.memory, zone)).toEqual(freshContent(zone));
      publisher.close();
    }),
    { numRuns: 40 },
  );
});
