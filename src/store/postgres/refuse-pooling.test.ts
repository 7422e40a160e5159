import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../test/harness/free-port.ts';
import { unprivilegedUser } from '../../../test/harness/postgres-server.ts';
import { silentLog } from '../../base/log.ts';
import { sceneClock } from '../suite/store-scene.test-support.ts';
import { StoreOpenError } from '../store.ts';
import { openFeedReader } from './feed-reader.ts';
import { connectPostgres } from './postgres-connection.ts';
import { addressOf, newPostgres, openStore } from './postgres-scene.test-support.ts';
import { isPooledByTransaction } from './refuse-pooling.ts';

/** Debian's; the variable names another one. */
const PROGRAM = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';

const limits = { statementMs: 5000, lockMs: 1000, idleInTransactionMs: 1000 };

test.each([
  ['sessions of their own', [1, 1], 2, false],
  ['the same session', [1, 1], 1, true],
  ['a session that another client had in between', [1, 3], 2, true],
])('two connections that have %s', async (_, first, second, expected) => {
  const left = [...first];
  const decided = isPooledByTransaction(
    () => Promise.resolve(left.shift() ?? 0),
    () => Promise.resolve(second),
  );
  expect(await decided).toBe(expected);
});

test('a connection without a pooler is known as such', async () => {
  const database = await newPostgres();
  const connection = await connectPostgres(database.address, limits);
  expect(connection.isPooled).toBe(false);
  await connection.close();
  await database.remove();
});

test.skipIf(!existsSync(PROGRAM)).each(['transaction', 'statement'])(
  'PgBouncer that pools by %s is refused, by the store and by a nameserver',
  async (mode) => {
    const database = await newPostgres();
    const store = await openStore(database.address);
    const address = addressOf(await startPooler(mode, database.url));
    await expect(openStore(address)).rejects.toThrow(StoreOpenError);
    await expect(openStore(address)).rejects.toThrow('pools by transaction');
    const reader = openFeedReader({ address, clock: sceneClock, log: silentLog, onWake: () => undefined });
    await expect(reader.read({ seq: 0, batch: '' }, 1)).rejects.toThrow('pools by transaction');
    await reader.close();
    await store.close();
    await database.remove();
  },
);

test.skipIf(!existsSync(PROGRAM))('PgBouncer that pools by session is accepted', async () => {
  const database = await newPostgres();
  const address = addressOf(await startPooler('session', database.url));
  const connection = await connectPostgres(address, limits);
  expect(connection.isPooled).toBe(true);
  await connection.close();
  const store = await openStore(address);
  expect(await store.lastSeq()).toBe(0);
  await store.close();
  await database.remove();
});

/** Returns the URL of the database through the pooler. */
async function startPooler(mode: string, url: string): Promise<string> {
  const { hostname, port: serverPort, pathname, username } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-pooler-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = options
`,
  );
  const pooler = spawn(PROGRAM, [config], { ...unprivilegedUser(), stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => pooler.once('exit', resolve));
    pooler.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  });
  const pooled = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  const answers = async (): Promise<boolean> => {
    try {
      await (await connectPostgres(addressOf(pooled), limits)).close();
      return true;
    } catch (error) {
      return error instanceof StoreOpenError;
    }
  };
  await expect.poll(answers).toBe(true);
  return pooled;
}
