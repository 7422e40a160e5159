import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { dropDatabase, newDatabase } from '../../test/harness/postgres-server.ts';
import { silentLog } from '../base/log.ts';
import { openZoneCopy, type ZoneCopy } from '../zone-copy/zone-copy.ts';
import { openBackup, openBackupTarget } from './backup-file.ts';
import type { ZoneSource } from '../store/store.ts';
import { backupStore } from './backup-store.ts';
import { openSource, openTarget } from './open-place.ts';
import { restoreStore } from './restore-store.ts';
import {
  databasePlace,
  fillFolder,
  folderPlace,
  move,
  newFolder,
  NOW_MS,
  quietOptions,
} from './migration-scene.test-support.ts';
import { sceneClock } from '../store/suite/store-scene.test-support.ts';

test('a nameserver serves its zone copy until the restored database is complete, then the restored zones with later serials', async () => {
  const folder = newFolder();
  const urls = [await newDatabase(inject('postgresUrl')), await newDatabase(inject('postgresUrl'))];
  const [first, second] = urls.map(databasePlace);
  const data = join(folder, 'data');
  await fillFolder(data);
  await backupTo(join(folder, 'backup.db'), data);
  await move(folderPlace(data), first);

  const before = await openCopy(folder, first.address);
  await expect.poll(() => [before.state().phase, before.hostedCount()]).toEqual(['following', 2]);
  const served = serialsOf(before);
  await before.close();

  const copy = await openCopy(folder, second.address);
  const seen = new Set<string>();
  copy.onUpdate(() => void seen.add(JSON.stringify(serialsOf(copy))));
  const target = await openTarget(second, NOW_MS);
  const backup = openBackup(join(folder, 'backup.db'));
  await restoreStore(backup, target, NOW_MS, {
    ...quietOptions,
    progress: {
      start: () => undefined,
      advance: () => void seen.add(JSON.stringify(serialsOf(copy))),
    },
  });
  await target.close();
  await backup.close();
  const raised = Object.fromEntries(Object.keys(served).map((name) => [name, NOW_MS / 1000]));
  await expect.poll(() => serialsOf(copy)).toEqual(raised);
  // Domains change one after the other, and none is ever missing.
  for (const moment of seen) expect(Object.keys(JSON.parse(moment) as object)).toEqual(Object.keys(served));
  await copy.close();
  for (const url of urls) await dropDatabase(url);
  rmSync(folder, { recursive: true });
});

function openCopy(folder: string, address: Parameters<typeof openZoneCopy>[0]['address']): Promise<ZoneCopy> {
  return openZoneCopy({
    folder: join(folder, 'copy'),
    address,
    nameserver: 'ns1',
    clock: sceneClock,
    log: silentLog,
  });
}

function serialsOf(source: ZoneSource): Record<string, number | undefined> {
  const names = source.hostedNames('', 10);
  return Object.fromEntries(names.map((name) => [name, source.readZone(name)?.head.serial]));
}

async function backupTo(file: string, folder: string): Promise<void> {
  const target = openBackupTarget(file, NOW_MS - 1000);
  await backupStore(await openSource(folderPlace(folder), 'shared'), target, quietOptions);
  await target.close();
}
