import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../base/log.ts';
import { expect, test } from 'vitest';
import { START_MS, StoreScene, newName, newRecord, sceneClock } from '../suite/store-scene.test-support.ts';
import { findSuiteClockFault, suiteSigning } from '../suite/signed-scene.test-support.ts';
import { storeSuite } from '../suite/store-suite.test-support.ts';
import { openServedStore } from '../suite/served-store.test-support.ts';
import { storePath } from './open-store-files.ts';
import { openDatabase, prepareQuery } from './sqlite-driver.ts';
import { LARGE_ROWS } from '../../writes/command-weight.ts';
import { MAX_ACCOUNT_BYTES, MAX_ACCOUNT_COMMANDS } from '../../writes/write-queue.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

const newFixture = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-store-'));
  return {
    open: () =>
      openServedStore({
        folder,
        clock: sceneClock,
        findClockFault: findSuiteClockFault,
        log: silentLog,
        dnssec: suiteSigning,
      }),
    query(sql: string) {
      const database = openDatabase(storePath(folder));
      const rows = prepareQuery(database, sql).all();
      database.close();
      return Promise.resolve(rows);
    },
    noteEarlierVersion: () => Promise.resolve(),
    remove: () => rm(folder, { recursive: true }),
  };
};

storeSuite('SQLite', newFixture);

test('servedSerials() reports the current serial and the time of the last change, or a former serial', async () => {
  const fixture = await newFixture();
  const store = await fixture.open();
  const tenant = await new StoreScene(store).newAccount();
  const domain = await tenant.createDomain();
  tenant.nowMs += 5000;
  await tenant.create(domain.name, newRecord('www'));
  expect(await store.servedSerials(domain)).toMatchObject([
    { id: 'embedded', serial: domain.serial + 1, takenAtMs: tenant.nowMs, isLive: true },
  ]);
  expect(await store.nameserverReports()).toMatchObject([
    { id: 'embedded', seq: await store.lastSeq(), ageMs: 0 },
  ]);
  store.formerSerials.set(domain.name, domain.serial);
  expect(await store.servedSerials(domain)).toMatchObject([{ serial: domain.serial, takenAtMs: null }]);
  store.formerSerials.clear();
  await tenant.deleteDomain(domain.name);
  expect(await store.servedSerials(domain)).toMatchObject([{ serial: null, takenAtMs: null }]);
  await store.close();
  await fixture.remove();
});

test('writes are refused if the queue is full, and no queued write is lost', async () => {
  const fixture = await newFixture();
  const scene = new StoreScene(await fixture.open());
  const tenant = await scene.newAccount();
  const { name } = await tenant.createDomain(newName());
  const queued = Array.from({ length: MAX_ACCOUNT_COMMANDS }, (_, i) =>
    tenant.create(name, newRecord(`r${i}`)),
  );
  await expect(tenant.create(name, newRecord('late'))).rejects.toThrow(StoreUnavailable);
  expect((await Promise.all(queued)).every(({ ok }) => ok)).toBe(true);
  expect(await tenant.create(name, newRecord('late'))).toMatchObject({ ok: true });
  expect((await tenant.get(name)).recordCount).toBe(MAX_ACCOUNT_COMMANDS + 1);
  await scene.store.close();
  await fixture.remove();
});

test.each([
  [
    'new records',
    (data: string) =>
      ({
        kind: 'createRecord',
        record: { ...newRecord('big'), data, rdata: new Uint8Array(data.length) },
      }) as const,
  ],
  [
    'changed records',
    (data: string) =>
      ({
        kind: 'updateRecord',
        recordId: 'r1',
        patch: { data },
        rules: { txtLimitBytes: 65_000, defaultTtlSeconds: null },
      }) as const,
  ],
])('%s with more data than fits into the queue are refused', async (_, describe) => {
  const fixture = await newFixture();
  const store = await fixture.open();
  // Each character counts as two bytes in a patch, and in a record beside its wire data.
  const long = describe('x'.repeat(65_000));
  const author = { accountId: 'a', keyId: 'k', atMs: 0 };
  const write = () => store.write({ ...long, author, domain: newName() });
  const queued = Array.from({ length: Math.floor(MAX_ACCOUNT_BYTES / 131_000) }, write);
  const beyond = Promise.allSettled(Array.from({ length: 3 }, write));
  const refused = { status: 'rejected', reason: expect.any(StoreUnavailable) as Error };
  expect((await beyond).at(-1)).toMatchObject(refused);
  expect((await Promise.all(queued)).some((result) => result.ok)).toBe(false);
  await store.close();
  await fixture.remove();
});

test('the observer receives every batch and the end of each command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-store-'));
  const ends = new Map<string, number>();
  const batches: number[] = [];
  const store = await openServedStore({
    folder,
    clock: sceneClock,
    log: silentLog,
    observer: {
      batchCommitted: (commands, commitMs) => {
        expect(commitMs).toBeGreaterThan(0);
        batches.push(commands);
      },
      commandEnded: (kind, end) => ends.set(`${kind} ${end}`, (ends.get(`${kind} ${end}`) ?? 0) + 1),
      batchRetried: () => expect.unreachable(),
    },
  });
  const tenant = await new StoreScene(store).newAccount();
  const { name } = await tenant.createDomain(newName());
  const record = newRecord('www');
  await tenant.create(name, record);
  await tenant.create(name, { ...record, id: 'again' });
  await tenant.create('unknown.example' as typeof name, record);
  const queued = [tenant.create(name, newRecord('a')), tenant.create(name, newRecord('b'))];
  expect(store.queuedCommands()).toBe(2);
  await Promise.all(queued);
  expect(store.queuedCommands()).toBe(0);
  await store.close();
  await expect(tenant.create(name, newRecord('late'))).rejects.toThrow(StoreUnavailable);
  expect(Object.fromEntries(ends)).toEqual({
    'createAccount done': 1,
    'createDomain done': 1,
    'createRecord done': 3,
    'createRecord repeated': 1,
    'createRecord refused': 1,
    'createRecord unavailable': 1,
  });
  expect(batches.reduce((a, b) => a + b)).toBe(7);
  await rm(folder, { recursive: true });
});

const DAY_MS = 86_400_000;

test('nothing is lost if the clock is set ahead for a minute', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-store-'));
  const time = { wallMs: START_MS, monotonicMs: 0 };
  const open = () =>
    openServedStore({
      folder,
      clock: { nowMs: () => time.wallMs },
      monotonic: { elapsedMs: () => time.monotonicMs },
      log: silentLog,
    });
  const store = await open();
  await store.tidy();
  const tenant = await new StoreScene(store).newAccount();
  const { name } = await tenant.createDomain();
  await tenant.deleteDomain(name);
  time.wallMs += 31 * DAY_MS;
  await store.tidy();
  expect(await store.changesAfter(0, 10)).toHaveLength(2);
  expect(store.deletionReading()).toMatchObject({ isHeld: true, aheadMs: 31 * DAY_MS });
  await store.close();

  // The store remembers the time, so a restart does not make the clock trusted.
  const again = await open();
  await again.tidy();
  expect(again.deletionReading()).toMatchObject({ isHeld: true });
  expect(await again.changesAfter(0, 10)).toHaveLength(2);
  time.wallMs = START_MS;
  await again.tidy();
  expect(again.deletionReading()).toMatchObject({ isHeld: false });
  expect(await again.write({ kind: 'restoreDomain', author: tenant.author, name })).toMatchObject({
    ok: true,
  });
  await again.close();
  await rm(folder, { recursive: true });
});

test('old data is deleted once a clock that jumped has run on for six hours', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-store-'));
  const time = { wallMs: START_MS, monotonicMs: 0 };
  const store = await openServedStore({
    folder,
    clock: { nowMs: () => time.wallMs },
    monotonic: { elapsedMs: () => time.monotonicMs },
    log: silentLog,
  });
  await store.tidy();
  const tenant = await new StoreScene(store).newAccount();
  await tenant.createDomain();
  time.wallMs += 31 * DAY_MS;
  await store.tidy();
  expect(await store.changesAfter(0, 10)).toHaveLength(1);
  time.wallMs += 6 * 3_600_000;
  time.monotonicMs += 6 * 3_600_000;
  await store.tidy();
  expect(await store.changesAfter(0, 10)).toHaveLength(0);
  await store.close();
  await rm(folder, { recursive: true });
});

test('a failed write is remembered until one works, and upkeep proves that', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-store-'));
  const store = await openServedStore({ folder, clock: sceneClock, log: silentLog });
  await store.tidy();
  expect(store.health.failure).toBeUndefined();
  const other = openDatabase(storePath(folder));
  other.exec('ALTER TABLE upkeep_time RENAME TO elsewhere');
  await store.tidy();
  expect(store.health.failure).toContain('no such table');
  other.exec('ALTER TABLE elsewhere RENAME TO upkeep_time');
  other.close();
  await store.tidy();
  expect(store.health.failure).toBeUndefined();
  await store.close();
  await rm(folder, { recursive: true });
});

test('dry runs and large writes that change nothing never take a turn of the writer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-store-'));
  let written = 0;
  const store = await openServedStore({
    folder,
    clock: sceneClock,
    log: silentLog,
    observer: {
      batchCommitted: (commands) => (written += commands),
      commandEnded: () => undefined,
      batchRetried: () => undefined,
    },
  });
  const scene = new StoreScene(store);
  const tenant = await scene.newAccount();
  const domain = await tenant.createDomain();
  const records = Array.from({ length: LARGE_ROWS + 1 }, (_, at) => newRecord(`r${at}`));
  const base = { author: tenant.author, domain: domain.name } as const;
  const large = { ...base, kind: 'importZone', records, mode: 'replace', soa: null } as const;
  const first = await store.write(large);
  expect(first).toMatchObject({ ok: true, changed: true, serial: domain.serial + 1 });
  expect(written).toBe(3);

  const count = LARGE_ROWS + 1;
  expect(await store.write(large)).toMatchObject({ ok: true, changed: false, value: { unchanged: count } });
  const revert = { ...base, kind: 'revertRecords', to: domain.serial, dryRun: true } as const;
  const reverted = await store.write(revert);
  expect(reverted).toMatchObject({ ok: true, changed: true, serial: domain.serial + 1 });
  expect(reverted.ok && reverted.difference?.deleted).toHaveLength(count);
  const single = { ...base, kind: 'createRecord', record: newRecord('one'), dryRun: true } as const;
  expect(await store.write(single)).toMatchObject({ ok: true, difference: { created: [single.record] } });
  const refusal = { code: 'precondition_failed' };
  expect(await store.write({ ...large, ifMatch: ['"no"'] })).toMatchObject({ ok: false, refusal });
  expect(written).toBe(3);

  const many = Array.from({ length: 8 }, () => store.write(revert));
  const order: string[] = [];
  const ends = many.map((one) => one.then(() => order.push('dry run')));
  const neighbour = await scene.newAccount();
  await neighbour.createDomain();
  order.push('neighbour');
  await Promise.all(ends);
  expect(order.at(-1)).toBe('dry run');
  expect(await tenant.get(domain.name)).toMatchObject({ recordCount: count });
  await store.close();
  await expect(store.write(revert)).rejects.toThrow(StoreUnavailable);
  await rm(folder, { recursive: true });
});
