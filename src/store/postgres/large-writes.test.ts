import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { runInSteps, type Steps } from '../../base/steps.ts';
import type { Command } from '../../writes/command.ts';
import { isLarge, LARGE_OCTETS, LARGE_ROWS } from '../../writes/command-weight.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';
import { noObserver } from '../store-observer.ts';
import { importZone, readRecords } from '../suite/change-scene.test-support.ts';
import { manyRecords } from '../suite/large-write-suite.test-support.ts';
import { newRecord, sceneClock, StoreScene } from '../suite/store-scene.test-support.ts';
import { runInSession } from './batch-transaction.ts';
import { LargeWrites } from './large-writes.ts';
import { connectPostgres } from './postgres-connection.ts';
import { newPostgres, openStore, withoutZones } from './postgres-scene.test-support.ts';
import type { PostgresStore } from './postgres-store.ts';
import { touchesMore, weighTouched } from './postgres-touched-rows.ts';
import { writerLimits } from './postgres-writer.ts';
import { ReadConnections, shortReads } from './read-connections.ts';

let database: Awaited<ReturnType<typeof newPostgres>>;
let [here, there]: PostgresStore[] = [];

beforeAll(async () => {
  database = await newPostgres();
  [here, there] = await Promise.all([openStore(database.address), openStore(database.address)]);
});

afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await database.remove();
});

test('a large write of one process and small ones of another are all kept', async () => {
  const tenant = await new StoreScene(withoutZones(here)).newAccount();
  const { name } = await tenant.createDomain();
  const progress = { isOver: false };
  const large = importZone(tenant, { name }, manyRecords('r', LARGE_ROWS + 1), { mode: 'merge' }).finally(
    () => (progress.isOver = true),
  );
  let small = 0;
  for (; !progress.isOver; small++) {
    const record = newRecord(`s${small}`);
    const result = await there.write({ kind: 'createRecord', author: tenant.author, domain: name, record });
    expect(result).toMatchObject({ ok: true, changed: true });
  }
  expect(await large).toMatchObject({ ok: true, changed: true });
  const domain = await tenant.get(name);
  expect(domain.recordCount).toBe(LARGE_ROWS + 1 + small);
  expect(await readRecords(tenant.scene, tenant, domain)).toHaveLength(LARGE_ROWS + 1 + small);
});

test('the weight of a command counts the rows that it touches', async () => {
  const tenant = await new StoreScene(withoutZones(here)).newAccount();
  const { name } = await tenant.createDomain();
  const connections = new ReadConnections(database.address, shortReads);
  const isLargeNow = async (command: Command): Promise<boolean> =>
    touchesMore(command) && isLarge(await weighTouched(connections, command));
  const { author } = tenant;
  const replace: Command = {
    kind: 'importZone',
    author,
    domain: name,
    records: manyRecords('r', 30),
    mode: 'replace',
    soa: null,
  };
  const { serial } = await tenant.get(name);
  const revert: Command = { kind: 'revertRecords', author, domain: name, to: serial };
  const list: Command = { kind: 'restoreDomain', author, name, dryRun: true };
  expect(await Promise.all([replace, revert, list].map(isLargeNow))).toEqual([false, false, false]);
  await importZone(tenant, { name }, manyRecords('r', LARGE_ROWS + 1));
  expect(await Promise.all([replace, revert, list].map(isLargeNow))).toEqual([true, true, false]);
  await tenant.deleteDomain(name);
  expect(await Promise.all([replace, revert, list].map(isLargeNow))).toEqual([false, false, true]);
  expect(touchesMore({ kind: 'restoreDomain', author, name })).toBe(false);
  await connections.close();
});

test('the weight of a command counts the octets that it touches', async () => {
  const tenant = await new StoreScene(withoutZones(here)).newAccount();
  const { name, serial } = await tenant.createDomain();
  const connections = new ReadConnections(database.address, shortReads);
  const weights = async (): Promise<boolean[]> => {
    const { author } = tenant;
    const about = { author, domain: name } as const;
    const commands: Command[] = [
      { ...about, kind: 'importZone', records: [], mode: 'replace', soa: null },
      { ...about, kind: 'revertRecords', to: serial },
      { author, kind: 'restoreDomain', name, dryRun: true },
    ];
    const found = await Promise.all(commands.map((command) => weighTouched(connections, command)));
    return found.map(isLarge);
  };
  const data = 'x'.repeat(LARGE_OCTETS / 8);
  const long = manyRecords('r', 8).map((record) => ({ ...record, data }));
  await importZone(tenant, { name }, long);
  expect(await weights()).toEqual([true, true, false]);
  await importZone(tenant, { name }, []);
  expect(await weights()).toEqual([false, true, false]);
  await importZone(tenant, { name }, long);
  await tenant.deleteDomain(name);
  expect(await weights()).toEqual([false, false, true]);
  await connections.close();
});

test('a large write whose client has gone is not committed', async () => {
  const tenant = await new StoreScene(withoutZones(here)).newAccount();
  const { name } = await tenant.createDomain();
  const writes = new LargeWrites({
    address: database.address,
    clock: sceneClock,
    log: silentLog,
    observer: noObserver,
    served: undefined,
  });
  const records = manyRecords('r', LARGE_ROWS + 1);
  const command: Command = {
    kind: 'importZone',
    author: tenant.author,
    domain: name,
    records,
    mode: 'replace',
    soa: null,
  };
  const client = new AbortController();
  const running = writes.run(command, () => client.signal);
  client.abort();
  await expect(running).rejects.toThrow(StoreUnavailable);
  await writes.close();
  await expect(writes.run(command)).rejects.toThrow(StoreUnavailable);
  expect(await tenant.get(name)).toMatchObject({ recordCount: 0 });
});

test('the server ends the transaction of a process that is silent, and not of one that works', async () => {
  const connection = await connectPostgres(database.address, { ...writerLimits, idleInTransactionMs: 1000 });
  function* work(): Steps<string> {
    for (const untilMs = performance.now() + 2500; performance.now() < untilMs;) yield;
    return 'done';
  }
  await connection.query('BEGIN');
  expect(await runInSession(connection, work())).toBe('done');
  await connection.query('SELECT last_seq FROM counters FOR UPDATE');
  await runInSteps(work());
  await expect(connection.query('COMMIT')).rejects.toThrow();
  connection.destroy();
});
