import { afterAll, beforeAll, beforeEach, afterEach, expect, test, vi } from 'vitest';
import type { PostgresConnection } from './postgres-connection.ts';
import { newPostgres } from './postgres-scene.test-support.ts';
import { ViewConnections } from './view-connections.ts';

type Database = Awaited<ReturnType<typeof newPostgres>>;

let database: Database;
let views: ViewConnections;
beforeAll(async () => {
  database = await newPostgres();
});
afterAll(() => database.remove());
beforeEach(() => {
  views = new ViewConnections(database.address);
});
afterEach(() => views.close());

function begin(): Promise<PostgresConnection> {
  return views.begin(async (connection) => {
    await connection.query('BEGIN');
    return connection;
  });
}

async function processOf(connection: PostgresConnection): Promise<number> {
  const { rows } = await connection.query<[pid: number]>('SELECT pg_backend_pid()');
  return rows[0][0];
}

async function runningProcesses(pids: readonly number[]): Promise<number> {
  const connection = await begin();
  const { rows } = await connection.query<[count: number]>(
    'SELECT count(*) FROM pg_stat_activity WHERE pid = ANY($1)',
    [pids],
  );
  await views.end(connection);
  return rows[0][0];
}

test('a view has the connection of an earlier one, in a transaction of its own', async () => {
  const first = await begin();
  const pid = await processOf(first);
  await expect(first.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
  await views.end(first);
  expect(await processOf(await begin())).toBe(pid);
});

test('views at the same time have connections of their own, of which four are kept', async () => {
  const open = await Promise.all(Array.from({ length: 6 }, begin));
  const pids = await Promise.all(open.map(processOf));
  expect(new Set(pids).size).toBe(6);
  for (const connection of open) await views.end(connection);
  await vi.waitFor(async () => expect(await runningProcesses(pids)).toBe(4));
});

test('a view begins on a new connection when the kept one is lost', async () => {
  const first = await begin();
  const pid = await processOf(first);
  await views.end(first);
  const other = new ViewConnections(database.address);
  await other.begin((connection) => connection.query('SELECT pg_terminate_backend($1)', [pid]));
  await vi.waitFor(async () => expect(await runningProcesses([pid])).toBe(0));
  expect(await processOf(await begin())).not.toBe(pid);
  await other.close();
});

test('the connection of a view that ends in the middle of a read is not used again', async () => {
  const first = await begin();
  const pid = await processOf(first);
  const read = first.query('SELECT pg_sleep(0.2)');
  await views.end(first);
  expect((await read).command).toBe('SELECT');
  expect(await processOf(await begin())).not.toBe(pid);
});

test('no view begins after the end, nor on a connection that was being opened then', async () => {
  const starting = begin();
  await views.close();
  await expect(starting).rejects.toThrow('the store is closed');
  await expect(begin()).rejects.toThrow('the store is closed');
});
