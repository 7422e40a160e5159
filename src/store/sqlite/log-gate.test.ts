import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import { silentLog } from '../../base/log.ts';
import {
  StoreScene,
  newName,
  newRecord,
  type Tenant,
  sceneClock,
} from '../suite/store-scene.test-support.ts';
import type { ZoneView } from '../zone-view.ts';
import { LogGate, type Leave, type LogLimits } from './log-gate.ts';
import { openServedStore } from '../suite/served-store.test-support.ts';
import { StoreBusy } from '../../writes/store-errors.ts';

const LONG_BYTES = 256 * 1024;

async function openScene(): Promise<{ tenant: Tenant; logBytes: () => number }> {
  const folder = newFolder();
  const logLimits = { longBytes: LONG_BYTES };
  const store = await openServedStore({ folder, clock: sceneClock, log: silentLog, logLimits });
  onTestFinished(() => store.close());
  const tenant = await new StoreScene(store).newAccount();
  return { tenant, logBytes: () => statSync(join(folder, 'zonewright.db-wal')).size };
}

test('zone views that always overlap do not let the log grow without end', async () => {
  const { tenant, logBytes } = await openScene();
  const { name } = await tenant.createDomain(newName());
  const data = 'x'.repeat(LONG_BYTES / 8);
  const views: Promise<ZoneView | undefined>[] = [];
  let mostBytes = 0;
  for (let write = 0; write < 40; write++) {
    await tenant.create(name, newRecord(`r${write}`, 1, { data }));
    mostBytes = Math.max(mostBytes, logBytes());
    views.push(tenant.scene.store.openZoneView(tenant.account.id, name));
    if (views.length < 3) continue;
    const oldest = await views.shift();
    assert(oldest !== undefined, 'the domain is there');
    await oldest.close();
  }
  for (const view of views) await (await view)?.close();
  expect(mostBytes).toBeGreaterThan(LONG_BYTES);
  expect(mostBytes).toBeLessThan(2 * LONG_BYTES);
});

test('opening a view of an unknown domain leaves the gate', async () => {
  const { tenant, logBytes } = await openScene();
  const { store } = tenant.scene;
  const { name } = await tenant.createDomain(newName());
  expect(await store.openZoneView(tenant.account.id, newName())).toBeUndefined();
  await tenant.create(name, newRecord('www', 1, { data: 'x'.repeat(LONG_BYTES) }));
  await store.searchRecords(tenant.account.id, { direction: 'after', key: null, limit: 1 }, {});
  expect(logBytes()).toBe(0);
});

/** A gate with a plain file as the log; records the events. */
class GateScene {
  readonly events: string[] = [];
  readonly gate: LogGate;
  private readonly path = join(newFolder(), 'some.db');
  private readonly leaves = new Map<string, Leave>();
  /** Set if another process reads the store. */
  isHeld = false;

  constructor(limits: Partial<LogLimits>) {
    writeFileSync(`${this.path}-wal`, '');
    this.gate = new LogGate(this.path, () => this.shorten(), { longBytes: 100, fullBytes: 1000, ...limits });
  }

  growTo(bytes: number): void {
    truncateSync(`${this.path}-wal`, bytes);
  }

  async enter(name: string): Promise<void> {
    try {
      this.leaves.set(name, await this.gate.enter());
      this.events.push(`${name} in`);
    } catch (error) {
      this.events.push(`${name} ${error instanceof StoreBusy ? 'refused' : String(error)}`);
    }
  }

  leave(name: string): void {
    this.events.push(`${name} out`);
    this.leaves.get(name)?.();
    this.leaves.get(name)?.();
  }

  private shorten(): Promise<void> {
    this.events.push('shortened');
    if (!this.isHeld) this.growTo(0);
    return Promise.resolve();
  }
}

test('with a long log, new reads wait until all have left and then continue in order', async () => {
  const scene = new GateScene({});
  await scene.enter('a');
  await scene.enter('b');
  scene.growTo(101);
  const entering = [scene.enter('c'), scene.enter('d')];
  await new Promise(setImmediate);
  scene.leave('a');
  await new Promise(setImmediate);
  scene.leave('b');
  await Promise.all(entering);
  await scene.enter('e');
  expect(scene.events).toEqual(['a in', 'b in', 'a out', 'b out', 'shortened', 'c in', 'd in', 'e in']);
});

test('a slow reader delays others only briefly, and not again until the log has doubled', async () => {
  const scene = new GateScene({ pauseMs: 1 });
  await scene.enter('slow');
  scene.growTo(101);
  await scene.enter('a');
  scene.growTo(202);
  await scene.enter('b');
  expect(scene.events).toEqual(['slow in', 'a in', 'b in']);
  for (const name of ['slow', 'a', 'b']) scene.leave(name);
  scene.growTo(203);
  await scene.enter('c');
  expect(scene.events.slice(-2)).toEqual(['shortened', 'c in']);
});

test('with a full log, a read that waits too long is refused until the log is shortened', async () => {
  const scene = new GateScene({ pauseMs: 1, waitMs: 1 });
  await scene.enter('slow');
  scene.growTo(1001);
  await scene.enter('a');
  await scene.enter('b');
  const leaving = scene.enter('c');
  scene.leave('slow');
  await leaving;
  expect(scene.events).toEqual(['slow in', 'a refused', 'b refused', 'slow out', 'shortened', 'c in']);
});

test('a reader that never leaves does not lock out the others forever', async () => {
  const scene = new GateScene({ fullPauseMs: 1 });
  await scene.enter('hangs');
  scene.growTo(1001);
  await scene.enter('a');
  expect(scene.events).toEqual(['hangs in', 'a in']);
});

test('if another process keeps the log long, the next pause comes only after it has doubled', async () => {
  const scene = new GateScene({});
  scene.isHeld = true;
  for (const bytes of [101, 202, 203, 406, 5000, 6000, 6001]) {
    scene.growTo(bytes);
    await scene.enter(`${bytes}`);
    scene.leave(`${bytes}`);
  }
  const pauses = scene.events.flatMap((event, at) => (event === 'shortened' ? scene.events[at + 1] : []));
  expect(pauses).toEqual(['101 in', '203 in', '5000 in', '6001 in']);
});

test('a log that has restarted by itself is measured by the first limit again', async () => {
  const scene = new GateScene({});
  scene.isHeld = true;
  for (const bytes of [900, 10, 101]) {
    scene.growTo(bytes);
    await scene.enter(`${bytes}`);
    scene.leave(`${bytes}`);
  }
  expect(scene.events.filter((event) => event === 'shortened')).toHaveLength(2);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-gate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
