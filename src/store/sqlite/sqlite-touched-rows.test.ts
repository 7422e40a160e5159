import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import type { Command } from '../../writes/command.ts';
import { isLarge, LARGE_OCTETS, LARGE_ROWS, weighCommand } from '../../writes/command-weight.ts';
import { importZone } from '../suite/change-scene.test-support.ts';
import { manyRecords } from '../suite/large-write-suite.test-support.ts';
import { openServedStore } from '../suite/served-store.test-support.ts';
import { sceneClock, StoreScene } from '../suite/store-scene.test-support.ts';
import { storePath } from './open-store-files.ts';
import { openDatabase } from './sqlite-driver.ts';
import { createTouchedRows } from './sqlite-touched-rows.ts';

/** A domain, and whether replacing and reverting it, restoring it, and a dry run of restoring it is large. */
async function openScene() {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-weights-'));
  const store = await openServedStore({ folder, clock: sceneClock, log: silentLog });
  const database = openDatabase(storePath(folder), { readOnly: true });
  onTestFinished(async () => {
    database.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const tenant = await new StoreScene(store).newAccount();
  const domain = await tenant.createDomain();
  const touchedRows = createTouchedRows(database);
  const about = { author: tenant.author, domain: domain.name } as const;
  const commands: Command[] = [
    { ...about, kind: 'importZone', records: [], mode: 'replace', soa: null },
    { ...about, kind: 'revertRecords', to: domain.serial },
    { author: tenant.author, kind: 'restoreDomain', name: domain.name },
    { author: tenant.author, kind: 'restoreDomain', name: domain.name, dryRun: true },
  ];
  const areLarge = (): boolean[] =>
    commands.map((command) => isLarge(weighCommand(command, touchedRows(command))));
  return { tenant, domain, areLarge };
}

test.each<[string, number, string]>([
  ['many short records', LARGE_ROWS + 1, '192.0.2.1'],
  ['few long records', 8, 'x'.repeat(LARGE_OCTETS / 8)],
])('the weight of a command counts what it touches: %s', async (_, count, data) => {
  const { tenant, domain, areLarge } = await openScene();
  const records = manyRecords('r', count).map((record) => ({ ...record, data }));
  expect(areLarge()).toEqual([false, false, false, false]);
  await importZone(tenant, domain, records);
  expect(areLarge()).toEqual([true, true, false, false]);
  await importZone(tenant, domain, []);
  expect(areLarge()).toEqual([false, true, false, false]);
  await importZone(tenant, domain, records);
  await tenant.deleteDomain(domain.name);
  expect(areLarge()).toEqual([false, false, false, true]);
});
