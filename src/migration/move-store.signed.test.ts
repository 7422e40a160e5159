import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { dropDatabase, newDatabase } from '../../test/harness/postgres-server.ts';
import { openDatabase, prepareQuery } from '../store/sqlite/sqlite-driver.ts';
import { storePath } from '../store/sqlite/open-store-files.ts';
import { openServedStore } from '../store/suite/served-store.test-support.ts';
import { checkServed, enableSigning, suiteSigning } from '../store/suite/signed-scene.test-support.ts';
import { newName, newRecord, sceneClock, StoreScene } from '../store/suite/store-scene.test-support.ts';
import { silentLog } from '../base/log.ts';
import type { ZoneName } from '../model/domain.ts';
import { openBackup, openBackupTarget } from './backup-file.ts';
import { summarise } from './copy-content.ts';
import { backupStore } from './backup-store.ts';
import {
  databasePlace,
  fillFolder,
  folderPlace,
  move,
  newFolder,
  NOW_MS,
  quietOptions,
} from './migration-scene.test-support.ts';
import { openSource, openTarget } from './open-place.ts';
import { restoreStore } from './restore-store.ts';

let folder: string;
let url: string | undefined;
beforeEach(() => {
  folder = newFolder();
  url = undefined;
});
afterEach(async () => {
  if (url !== undefined) await dropDatabase(url);
  rmSync(folder, { recursive: true });
});

test('a signed domain keeps its keys and signatures in a move to PostgreSQL and back', async () => {
  const name = await fillSigned(join(folder, 'data'));
  const database = databasePlace((url = await newDatabase(inject('postgresUrl'))));
  const there = await move(folderPlace(join(folder, 'data')), database);
  expect(there.content.rows).toMatchObject({ zone_keys: 1 });
  expect(await move(database, folderPlace(join(folder, 'back')))).toEqual(there);
  expect(rowsOf('back')).toEqual(rowsOf('data'));
  const store = await openIn(join(folder, 'back'));
  expect(checkServed(store, name, 'nsec')).toEqual([]);
  await store.close();
});

test('a signed domain is restored with its keys, and is due for signing because its serial has risen', async () => {
  await fillSigned(join(folder, 'data'));
  const source = await openSource(folderPlace(join(folder, 'data')), 'shared');
  const backup = openBackupTarget(join(folder, 'backup.db'), NOW_MS);
  await backupStore(source, backup, quietOptions);
  await backup.close();
  await source.close();
  const opened = openBackup(join(folder, 'backup.db'));
  const target = await openTarget(folderPlace(join(folder, 'restored')), NOW_MS);
  await restoreStore(opened, target, NOW_MS, quietOptions);
  await target.close();
  await opened.close();
  expect(rowsOf('restored')).toEqual(rowsOf('data'));
  const store = await openIn(join(folder, 'restored'));
  expect(await store.signing.domainsDueForRenewal(1, 9)).toMatchObject([{ renewAtSeconds: 0 }]);
  await store.close();
});

test('a backup of a version that could not sign has the hash that it was given', async () => {
  await fillFolder(join(folder, 'data'), 3);
  const source = await openSource(folderPlace(join(folder, 'data')), 'shared');
  const path = join(folder, 'backup.db');
  const backup = openBackupTarget(path, NOW_MS);
  const { hash } = await backupStore(source, backup, quietOptions);
  await backup.close();
  await source.close();
  const database = openDatabase(path);
  database.exec('DROP INDEX domains_by_renewal; DROP TABLE zone_keys; PRAGMA user_version = 10');
  for (const table of ['domains', 'deleted_domains'])
    for (const column of ['denial', 'renew_at', 'revised_serial'])
      database.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  database.close();
  const opened = openBackup(path);
  expect((await summarise(opened, 'checking', quietOptions)).hash).toBe(hash);
  const target = await openTarget(folderPlace(join(folder, 'restored')), NOW_MS);
  await restoreStore(opened, target, NOW_MS, quietOptions);
  await target.close();
  await opened.close();
});

function openIn(data: string) {
  return openServedStore({
    folder: data,
    clock: sceneClock,
    log: silentLog,
    historyDays: 36_500,
    dnssec: suiteSigning,
  });
}

async function fillSigned(data: string): Promise<ZoneName> {
  const scene = new StoreScene(await openIn(data));
  const tenant = await scene.newAccount();
  const { name } = await tenant.createDomain(newName(), [newRecord('www')]);
  await enableSigning(tenant, name, 'nsec');
  await scene.store.close();
  return name;
}

/** Keys and records of the store in a folder. */
function rowsOf(data: string): unknown[] {
  const database = openDatabase(storePath(join(folder, data)));
  const rows = ['zone_keys', 'records'].map((table) =>
    prepareQuery(database, `SELECT * FROM ${table} ORDER BY domain_id, id`).all(),
  );
  database.close();
  expect(rows[1].length).toBeGreaterThan(3);
  return rows;
}
