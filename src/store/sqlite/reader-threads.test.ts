import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import {
  StoreScene,
  newName,
  newRecord,
  type Tenant,
  sceneClock,
} from '../suite/store-scene.test-support.ts';
import { LogGate } from './log-gate.ts';
import { ReaderThreads } from './reader-threads.ts';
import { openServedStore } from '../suite/served-store.test-support.ts';
import { StoreBusy, StoreUnavailable } from '../../writes/store-errors.ts';

const page = { direction: 'after', key: null, limit: 500 } as const;

const openGate = (path: string) => new LogGate(path, () => Promise.resolve());

async function openScene(): Promise<{ tenant: Tenant; path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-readers-'));
  const store = await openServedStore({ folder, clock: sceneClock, log: silentLog });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { tenant: await new StoreScene(store).newAccount(), path: join(folder, 'zonewright.db') };
}

test('a search always finds the record written just before', async () => {
  const { tenant } = await openScene();
  const { store } = tenant.scene;
  const domain = await tenant.createDomain(newName());
  for (let count = 1; count <= 100; count++) {
    await tenant.create(domain.name, newRecord(`host-${count}`, count));
    const { total } = await store.searchRecords(tenant.account.id, page, { search: 'host-' });
    expect(total).toBe(count);
    expect((await store.listChanges(domain, page)).total).toBe(count + 1);
  }
});

test('a page is read while a search is running', async () => {
  const { tenant } = await openScene();
  const { store } = tenant.scene;
  const domain = await tenant.createDomain(newName());
  const ended: string[] = [];
  const search = store
    .searchRecords(tenant.account.id, page, { search: 'x' })
    .then(() => ended.push('search'));
  await store.listRecords(domain, page).then(() => ended.push('page'));
  await search;
  expect(ended).toEqual(['page', 'search']);
});

test('few short records are searched without a thread, few long ones are not', async () => {
  const { tenant } = await openScene();
  const { store } = tenant.scene;
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const domain = await tenant.createDomain(newName());
  await tenant.create(domain.name, newRecord('www', 1));
  const search = async () => (await store.listRecords(domain, page, { search: 'www' })).total;
  expect(await search()).toBe(1);
  expect((await store.listChanges(domain, page)).total).toBe(2);
  expect(started).toHaveLength(0);
  for (const count of [2, 3, 4]) {
    await tenant.create(domain.name, newRecord(`long-${count}`, count, { rdata: new Uint8Array(60_000) }));
  }
  expect(await search()).toBe(1);
  expect(started).toHaveLength(1);
  expect((await store.listChanges(domain, page)).total).toBe(5);
});

test('a crashed thread fails its read, and the next read starts a new thread', async () => {
  const { tenant, path } = await openScene();
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const readers = new ReaderThreads(path, silentLog, openGate(path));
  const read = () => readers.read(undefined, 'listDeletedDomains', tenant.account.id, page);
  expect((await read()).total).toBe(0);
  void started[0].terminate();
  await expect(read()).rejects.toThrow(StoreUnavailable);
  expect((await read()).total).toBe(0);
  expect(started).toHaveLength(2);
  await readers.close();
});

test('a store that cannot be opened fails only the read', async () => {
  const { tenant, path } = await openScene();
  const readers = new ReaderThreads(join(path, '..', 'none.db'), silentLog, openGate(path));
  const read = () => readers.read(undefined, 'listDeletedDomains', tenant.account.id, page);
  await expect(read()).rejects.toThrow(StoreUnavailable);
  await expect(read()).rejects.toThrow(StoreUnavailable);
  await readers.close();
});

test('an aborted read is stopped, and its thread continues', async () => {
  const { tenant, path } = await openScene();
  const readers = new ReaderThreads(path, silentLog, openGate(path));
  const read = (signal?: AbortSignal) => readers.read(signal, 'listDeletedDomains', tenant.account.id, page);
  await expect(read(AbortSignal.abort())).rejects.toThrow(StoreBusy);
  expect((await read()).total).toBe(0);
  await readers.close();
});

test('a read that takes too long is refused with the time limit', async () => {
  const { tenant, path } = await openScene();
  const readers = new ReaderThreads(path, silentLog, openGate(path), 'slow', -1000);
  const read = readers.read(undefined, 'listDeletedDomains', tenant.account.id, page);
  const message = 'Query exceeded -1 s; narrow it or retry';
  await expect(read).rejects.toThrow(new StoreBusy(message));
  await readers.close();
});

test('close() answers pending reads and refuses later ones', async () => {
  const { tenant, path } = await openScene();
  const readers = new ReaderThreads(path, silentLog, openGate(path));
  const read = () => readers.read(undefined, 'listDeletedDomains', tenant.account.id, page);
  const asked = [read(), read(), read()];
  await Promise.all(asked);
  const last = read();
  await new Promise(setImmediate);
  await readers.close();
  expect((await last).total).toBe(0);
  await expect(read()).rejects.toThrow(StoreUnavailable);
});

test('with a long log, a read waits for running reads and later reads wait for it', async () => {
  const { tenant, path } = await openScene();
  const events: string[] = [];
  const note = (event: string): void => void events.push(event);
  const otherPath = join(path, '..', 'other.db');
  writeFileSync(`${otherPath}-wal`, '');
  const shorten = (): Promise<void> => Promise.resolve(truncateSync(`${otherPath}-wal`));
  const gate = new LogGate(otherPath, shorten, { longBytes: 1 });
  const readers = new ReaderThreads(path, silentLog, gate);
  const leave = await gate.enter();
  truncateSync(`${otherPath}-wal`, 2);
  const read = readers
    .read(undefined, 'searchRecords', tenant.account.id, page, { search: 'x' })
    .then(() => note('read'));
  await new Promise(setImmediate);
  note('left');
  leave();
  while (statSync(`${otherPath}-wal`).size > 0) await new Promise(setImmediate);
  truncateSync(`${otherPath}-wal`, 2);
  await gate.enter().then(() => note('entered'));
  await read;
  expect(events).toEqual(['left', 'read', 'entered']);
  await readers.close();
});
