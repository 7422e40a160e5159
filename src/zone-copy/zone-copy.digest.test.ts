import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { connectPostgres } from '../store/postgres/postgres-connection.ts';
import { newPostgres, openStore, withoutZones } from '../store/postgres/postgres-scene.test-support.ts';
import { importZone } from '../store/suite/change-scene.test-support.ts';
import { manyRecords } from '../store/suite/large-write-suite.test-support.ts';
import { newRecord, sceneClock, StoreScene } from '../store/suite/store-scene.test-support.ts';
import { LARGE_ROWS } from '../writes/command-weight.ts';
import { openZoneCopy } from './zone-copy.ts';
import { until } from './zone-database.test-support.ts';

test('a copy has the digest of the store at every position, and reports it', async () => {
  const { address, remove } = await newPostgres();
  const store = await openStore(address);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-digest-'));
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
  const copy = await openZoneCopy({ folder, address, nameserver: 'ns1', clock: sceneClock, log });
  const limits = { statementMs: 5000, lockMs: 5000, idleInTransactionMs: 5000 };
  const connection = await connectPostgres(address, limits);
  const tenant = await new StoreScene(withoutZones(store)).newAccount();
  const { author } = tenant;

  const one = await tenant.createDomain();
  const two = await tenant.createDomain();
  const record = newRecord('www');
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => tenant.create(one.name, newRecord(`r${index}`))),
  );
  await tenant.create(two.name, record);
  await importZone(tenant, one, manyRecords('l', LARGE_ROWS + 1), { mode: 'merge' });
  await tenant.update(two.name, record.id, { name: 'other', ttl: 60 });
  await store.write({ kind: 'updateDomain', author, name: one.name, soaEmail: 'a@b.example' });
  await tenant.deleteDomain(two.name);
  await store.write({ kind: 'restoreDomain', author, name: two.name });
  await tenant.deleteDomain(one.name);
  const again = await tenant.createDomain(one.name);
  // Its content is fetched, while changes go on.
  await importZone(tenant, again, manyRecords('m', LARGE_ROWS + 1), { mode: 'merge' });
  await tenant.create(one.name, newRecord('later'));

  await copy.reached(await store.lastSeq());
  await until(async () => {
    const { rows } = await connection.query(`
      SELECT nameservers.digest = batches.digest, doubt FROM nameservers
      JOIN batches ON batches.last_seq = nameservers.seq AND has_changes, counters
      WHERE nameservers.seq = counters.last_seq`);
    return JSON.stringify(rows) === '[[true,"none"]]';
  });
  expect(copy.state().doubt).toBeUndefined();
  expect([one.name, two.name].map((name) => copy.accountOf(name))).toEqual([
    tenant.author.accountId,
    tenant.author.accountId,
  ]);
  expect(errors).toEqual([]);
  await connection.close();
  await copy.close();
  await store.close();
  await remove();
  rmSync(folder, { recursive: true });
});
