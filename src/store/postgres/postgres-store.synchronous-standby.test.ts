import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPostgresServer, type PostgresServer } from '../../../test/harness/postgres-server.ts';
import type { Domain } from '../../model/domain.ts';
import { newName, newRecord, StoreScene, type Tenant } from '../suite/store-scene.test-support.ts';
import { connectPostgres } from './postgres-connection.ts';
import { addressOf, openStore, withoutZones } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';

const limits = { statementMs: 5000, lockMs: 1000, idleInTransactionMs: 30_000 };

let server: PostgresServer;
let store: PostgresStore;
let tenant: Tenant;
let domain: Domain;

beforeAll(async () => {
  server = await startPostgresServer();
  store = await openStore(addressOf(await server.newDatabase()));
});

afterAll(async () => {
  await store.close();
  await server.remove();
});

beforeEach(async () => {
  tenant = await new StoreScene(withoutZones(store)).newAccount();
  domain = await tenant.createDomain(newName());
});

afterEach(() => doWithoutStandby());

// After the crash the server shows a commit that no standby has and no longer waits for it; a promoted standby would lack it.
test('a commit that a crash left only on the disk of the primary is acknowledged once a standby has it', async () => {
  const record = newRecord('www');
  await wantStandby();
  const write = tenant.create(domain.name, record);
  await waitForStandby();
  await server.kill();
  await server.start();
  expect(await Promise.race([write, waitForStandby()])).toBe('waits');
  await doWithoutStandby();
  expect(await write).toMatchObject({ ok: true, changed: true, value: { id: record.id } });
});

test('a repeat is acknowledged once a standby has the original, a refusal immediately', async () => {
  const record = newRecord('www');
  await tenant.create(domain.name, record);
  await wantStandby();
  expect(await tenant.create(newName(), record)).toMatchObject({ ok: false });
  const repeat = tenant.create(domain.name, record);
  expect(await Promise.race([repeat, waitForStandby()])).toBe('waits');
  await doWithoutStandby();
  expect(await repeat).toMatchObject({ ok: true, changed: false, value: { id: record.id } });
});

test('a commit that waits for a standby is seen, and upkeep proves that writes work again', async () => {
  await wantStandby();
  const write = tenant.create(domain.name, newRecord('www'));
  await waitForStandby();
  expect(await store.isWaitingForStandby()).toBe(true);
  expect(store.health.waitingMs).toBeGreaterThan(0);
  store.health.failed('no answer');
  const tidying = store.tidy();
  expect(await Promise.race([tidying, waitForStandby()])).toBe('waits');
  expect(store.health.failure).toBe('no answer');
  await doWithoutStandby();
  await write;
  await tidying;
  expect([store.health.failure, store.health.waitingMs]).toEqual([undefined, 0]);
});

/** From now on commits wait for a standby, and there is none. */
async function wantStandby(): Promise<void> {
  await ask("ALTER SYSTEM SET synchronous_standby_names = 'absent'");
  await ask('SELECT pg_reload_conf()');
  // Told to the server's processes by signals.
  await expect.poll(() => ask('SHOW synchronous_standby_names')).toBe('absent');
}

async function doWithoutStandby(): Promise<void> {
  await ask('ALTER SYSTEM RESET synchronous_standby_names');
  await ask('SELECT pg_reload_conf()');
}

/** Resolves when a commit waits for a standby. */
async function waitForStandby(): Promise<'waits'> {
  const waiting = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep')";
  await expect.poll(() => ask(waiting)).toBe(true);
  return 'waits';
}

async function ask(statement: string): Promise<unknown> {
  const connection = await connectPostgres(addressOf(server.url()), limits);
  const { rows } = await connection.query(statement);
  await connection.close();
  return rows[0]?.[0];
}
