import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { openServedStore } from '../store/suite/served-store.test-support.ts';
import { enableSigning, suiteSigning } from '../store/suite/signed-scene.test-support.ts';
import { newName, newRecord, START_MS, StoreScene } from '../store/suite/store-scene.test-support.ts';
import { ClockCheck, describeRefusedWrites } from './clock-check.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A service as it starts, and its clocks. */
async function start(folder: string, nowMs: number) {
  const times = { nowMs, elapsedMs: 0 };
  const clock = { nowMs: () => times.nowMs };
  const check = new ClockCheck(clock, { elapsedMs: () => times.elapsedMs });
  const findClockFault = (): string | undefined => check.findFault();
  const store = await openServedStore({
    folder,
    clock,
    findClockFault,
    log: silentLog,
    dnssec: suiteSigning,
  });
  check.attach({ deletionReading: () => store.deletionReading(), databaseOffsetMs: () => undefined });
  await check.readSignatures(store, silentLog);
  return { times, check, store, scene: new StoreScene(store) };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a service whose clock is years behind signs nothing until it is right, and then at once', async () => {
  const folder = newFolder();
  const first = await start(folder, START_MS);
  const tenant = await first.scene.newAccount();
  const { name } = await tenant.createDomain(newName());
  const { name: other } = await tenant.createDomain(newName());
  await enableSigning(tenant, name, 'nsec');
  await first.store.close();

  // Twice: the first start must leave nothing behind from which the second one takes the clock for right.
  for (const owner of ['first', 'second']) {
    const { store, check, times } = await start(folder, START_MS - 1000 * DAY_MS);
    const { author } = tenant;
    const create = { kind: 'createRecord', author, domain: name, record: newRecord(owner) } as const;
    const off = { ok: false, refusal: { code: 'dnssec_unavailable' } };
    expect(await store.write(create)).toMatchObject(off);
    expect(await store.write({ ...create, domain: other })).toMatchObject({ ok: true });
    expect(check.findDoubt()).toMatch(/^The clock has gone back by \d+ hours; signatures are not renewed/);
    times.nowMs = START_MS + HOUR_MS;
    expect(check.findDoubt()).toBeUndefined();
    expect(await store.write(create)).toMatchObject({ ok: true });
    await store.close();
  }
});

test('a clock that was ahead while a domain was signed is trusted again as soon as it is right', async () => {
  const folder = newFolder();
  const { store, scene, times } = await start(folder, START_MS);
  const tenant = await scene.newAccount();
  for (const aheadMs of [0, 20 * DAY_MS]) {
    const { name } = await tenant.createDomain(newName());
    times.nowMs = START_MS + aheadMs;
    times.elapsedMs = aheadMs;
    await enableSigning(tenant, name, 'nsec');
  }
  await store.close();
  const again = await start(folder, START_MS + HOUR_MS);
  expect(again.check.findDoubt()).toBeUndefined();
  expect(again.check.findFault()).toBeUndefined();
  await again.store.close();
});

test('a store without signatures says nothing about the clock', async () => {
  const { store, check } = await start(newFolder(), START_MS);
  expect(check.findFault()).toBeUndefined();
  await store.close();
});

test('refused writes are a problem, but no reason to send requests elsewhere', () => {
  expect(describeRefusedWrites(undefined)).toBeUndefined();
  expect(describeRefusedWrites('has gone back by 48 hours')).toEqual({
    message: 'The clock has gone back by 48 hours; writes to signed domains are refused until it is right',
    isSevere: false,
  });
});
