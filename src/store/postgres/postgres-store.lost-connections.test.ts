import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTcpProxy, type Direction, type TcpProxy } from '../../../test/harness/tcp-proxy.ts';
import {
  StoreScene,
  newId,
  newKey,
  newName,
  newRecord,
  allChanges,
  type Tenant,
  sceneClock,
} from '../suite/store-scene.test-support.ts';
import { silentLog } from '../../base/log.ts';
import type { Command } from '../../writes/command.ts';
import type { Domain } from '../../model/domain.ts';
import { noObserver } from '../store-observer.ts';
import { connectPostgres } from './postgres-connection.ts';
import type { PostgresAddress } from './postgres-address.ts';
import type { PostgresStore } from './postgres-store.ts';
import { PostgresWriter, writerLimits } from './postgres-writer.ts';
import { newPostgres, openStore, withoutZones } from './postgres-scene.test-support.ts';
import { CommitInDoubt, StoreUnavailable } from '../../writes/store-errors.ts';

type Database = Awaited<ReturnType<typeof newPostgres>>;

let database: Database;
let proxy: TcpProxy;
/** Connected through the proxy. */
let address: PostgresAddress;
/** Connected directly. */
let direct: PostgresStore;

beforeAll(async () => {
  database = await newPostgres();
  direct = await openStore(database.address);
});

afterAll(async () => {
  await direct.close();
  await database.remove();
});

beforeEach(async () => {
  proxy = await startTcpProxy(database.address.hosts[0]);
  address = { ...database.address, hosts: [{ host: '127.0.0.1', port: proxy.port }] };
});

afterEach(() => proxy.stop());

describe('a connection that breaks during a batch', () => {
  test.each<Direction>(['toServer', 'toClient'])(
    'anywhere on the way %s: each acknowledged write is there exactly once',
    async (direction) => {
      const store = await openStore(address);
      const { tenant, domain } = await newTenant(store);
      const { octets, turns } = await octetsOfBatch(direction, (turn) =>
        tenant.create(domain.name, newRecord(`measure-${turn}`)),
      );
      const points = cutPoints(octets);
      for (const point of points) {
        proxy.cutAfter(direction, point);
        const record = newRecord(`cut-after-${point}`);
        const result = await tenant.create(domain.name, record);
        expect(proxy.hasCut(), `cut after ${point} of ${octets} octets`).toBe(true);
        expect(result, `cut after ${point} of ${octets} octets`).toMatchObject({
          ok: true,
          changed: true,
          value: { id: record.id },
        });
      }
      await store.close();
      await expectRecords(domain, points.length + turns);
    },
  );

  test('an update and a removal are also done once', async () => {
    const store = await openStore(address);
    const { tenant, domain } = await newTenant(store);
    const record = newRecord('www');
    await tenant.create(domain.name, record);
    const { serial } = await tenant.get(domain.name);
    const { octets, turns } = await octetsOfBatch('toClient', (turn) =>
      tenant.update(domain.name, record.id, { ttl: 60 + turn }),
    );
    proxy.cutAfter('toClient', octets - 2);
    expect(await tenant.update(domain.name, record.id, { ttl: 90 })).toMatchObject({
      ok: true,
      changed: true,
    });
    proxy.cutAfter('toClient', octets - 2);
    expect(await tenant.delete(domain.name, record.id)).toMatchObject({ ok: true });
    const after = await direct.findDomain(tenant.account.id, domain.name);
    expect(after).toMatchObject({ recordCount: 0, serial: serial + turns + 2 });
    await store.close();
  });

  test('a key is created once, and a repeat finds its kept outcome', async () => {
    const store = await openStore(address);
    const { tenant } = await newTenant(store);
    const create = (turn: number) => {
      const author = { ...tenant.author, idempotency: { key: `turn ${turn}`, hash: 'h' } };
      const key = newKey(tenant.account.id);
      return store.write({ kind: 'createKey', author, key, sealed: `seal of ${key.id}` });
    };
    const { octets, turns } = await octetsOfBatch('toClient', create);
    for (const before of [2, 40]) {
      proxy.cutAfter('toClient', octets - before);
      const made = await create(octets + before);
      expect(proxy.hasCut()).toBe(true);
      expect(made.ok && made.value.sealed).toBe(made.ok && `seal of ${made.value.key.id}`);
      expect(await create(octets + before)).toEqual(made);
    }
    const keys = await direct.listKeys(tenant.account.id, { direction: 'after', key: null, limit: 10 });
    expect(keys.total).toBe(1 + turns + 2);
    await store.close();
  });
});

describe('a batch with a command that the database cannot store', () => {
  test('ends immediately if the database becomes unreachable', async () => {
    const gaveUp = vi.fn();
    const writer = new PostgresWriter({
      address,
      clock: sceneClock,
      log: { ...silentLog, error: gaveUp },
      observer: { ...noObserver, batchCommitted: () => void proxy.stop() },
    });
    const commands = ['not to be stored: \0', 'first', 'second', 'third'].map(newAccount);
    const { results } = await writer.commitBatch(commands);
    const kinds = results.map(({ kind }) => kind);
    expect(kinds).toEqual(['failed', 'decided', 'unavailable', 'unavailable']);
    expect(gaveUp).toHaveBeenCalledTimes(1);
    await writer.close();
  });
});

describe('a process that stalls', () => {
  test('while it holds the lock is disconnected by the server, and the others continue', async () => {
    const holder = await connectPostgres(address, writerLimits);
    await holder.query('BEGIN');
    await holder.query('SELECT last_seq FROM counters FOR UPDATE');
    proxy.freeze();
    const { tenant, domain } = await newTenant(direct);
    expect(await tenant.create(domain.name, newRecord('www'))).toMatchObject({ ok: true });
    holder.destroy();
  });
});

describe('an unreachable database', () => {
  test('at the start is reached later, and until then every call is refused', async () => {
    await proxy.stop();
    const store = await openStore(address);
    expect(store.isReady()).toBe(false);
    await expect(store.lastSeq()).rejects.toThrow(StoreUnavailable);
    await expect(newTenant(store)).rejects.toThrow('has not been reached yet');
    await proxy.start();
    await store.whenReady();
    await expect(newTenant(store)).resolves.toBeDefined();
    await store.close();
  });

  test('for a moment loses no write and no read', async () => {
    const store = await openStore(address);
    const { tenant, domain } = await newTenant(store);
    await proxy.stop();
    const writes = Promise.all(
      Array.from({ length: 20 }, (_, index) => tenant.create(domain.name, newRecord(`r${index}`))),
    );
    await expect(store.lastSeq()).rejects.toThrow(StoreUnavailable);
    await proxy.start();
    expect((await writes).every(({ ok }) => ok)).toBe(true);
    proxy.cutAll();
    expect(await tenant.get(domain.name)).toMatchObject({ recordCount: 20 });
    await store.close();
  });

  test('right after a COMMIT was sent leaves the commit in doubt', async () => {
    const store = await openStore(address);
    const { tenant, domain } = await newTenant(store);
    const { octets, turns } = await octetsOfBatch('toClient', (turn) =>
      tenant.create(domain.name, newRecord(`measure-${turn}`)),
    );
    const stopped = new Promise<void>((resolve) =>
      proxy.cutAfter('toClient', octets - 2, () => void proxy.stop().then(resolve)),
    );
    const write = tenant.create(domain.name, newRecord('lost-at-end'));
    await expect(write).rejects.toThrow(CommitInDoubt);
    await stopped;
    const recordCount = turns + 1;
    expect(await direct.findDomain(tenant.account.id, domain.name)).toMatchObject({ recordCount });
    await store.close();
  });

  test('that comes back with other tables also leaves it in doubt', async () => {
    const store = await openStore(address);
    const { tenant, domain } = await newTenant(store);
    const { octets } = await octetsOfBatch('toClient', (turn) =>
      tenant.create(domain.name, newRecord(`measure-${turn}`)),
    );
    const stopped = new Promise<void>((resolve) =>
      proxy.cutAfter('toClient', octets - 2, () => void proxy.stop().then(resolve)),
    );
    const write = tenant.create(domain.name, newRecord('lost-at-end'));
    await stopped;
    const administrator = await connectPostgres(database.address, writerLimits);
    await administrator.query('ALTER TABLE batches RENAME COLUMN id TO other');
    await proxy.start();
    await expect(write).rejects.toThrow(CommitInDoubt);
    await administrator.query('ALTER TABLE batches RENAME COLUMN other TO id');
    await administrator.close();
    await store.close();
  });

  test('for long fails the waiting writes, and none of them is committed', async () => {
    const store = await openStore(address);
    const { tenant, domain } = await newTenant(store);
    await proxy.stop();
    const writes = await Promise.allSettled(
      Array.from({ length: 600 }, (_, index) => tenant.create(domain.name, newRecord(`r${index}`))),
    );
    const reasons = writes.map((write) =>
      write.status === 'rejected' ? (write.reason as Error).name : 'ok',
    );
    expect(new Set(reasons)).toEqual(new Set(['StoreUnavailable']));
    expect(await direct.findDomain(tenant.account.id, domain.name)).toMatchObject({ recordCount: 0 });
    await store.close();
  });
});

function newAccount(name: string): Command {
  const account = { id: newId(), name, email: 'owner@example.net', createdAtSeconds: 0 };
  return { kind: 'createAccount', account, key: newKey(account.id) };
}

async function newTenant(store: PostgresStore): Promise<{ tenant: Tenant; domain: Domain }> {
  const tenant = await new StoreScene(withoutZones(store)).newAccount();
  return { tenant, domain: await tenant.createDomain(newName()) };
}

/**
 * Measures a batch whose statements are prepared already and that is the only traffic. Also returns the number of writes
 * that this needed, because opening a store causes traffic as well.
 */
async function octetsOfBatch(
  direction: Direction,
  write: (turn: number) => Promise<unknown>,
): Promise<{ readonly octets: number; readonly turns: number }> {
  const passed: number[] = [];
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    const before = proxy.passed(direction);
    await write(turn);
    passed.push(proxy.passed(direction) - before);
    const [octets, ...same] = passed.slice(-STEADY_TURNS);
    if (same.length === STEADY_TURNS - 1 && same.every((other) => other === octets))
      return { octets, turns: turn };
  }
  throw new Error(`batches differ all the time: ${passed.join(', ')} octets`);
}

const STEADY_TURNS = 3;
const MAX_TURNS = 100;

/** Points spread over the whole batch, and densely at its end, where COMMIT and its answer are. */
function cutPoints(octets: number): number[] {
  const spread = Array.from({ length: 12 }, (_, index) => 1 + Math.floor((octets * index) / 12));
  const end = [64, 48, 32, 24, 16, 12, 8, 6, 4, 2, 1].map((before) => octets - before);
  return [...new Set([...spread, ...end])];
}

async function expectRecords(domain: Domain, count: number): Promise<void> {
  const page = await direct.listRecords(domain, { direction: 'after', key: null, limit: 1000 });
  expect([page.total, page.rows.length, new Set(page.rows.map(({ name }) => name)).size]).toEqual([
    count,
    count,
    count,
  ]);
  const changes = await allChanges(direct);
  expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1));
  const puts = changes.filter(({ domainId, kind }) => domainId === domain.id && kind === 'recordPut');
  expect(puts).toHaveLength(count);
}
