import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { dropDatabase, newDatabase } from '../../test/harness/postgres-server.ts';
import { storePath } from '../store/sqlite/open-store-files.ts';
import { openDatabase, prepareQuery } from '../store/sqlite/sqlite-driver.ts';
import { openBackup, openBackupTarget } from './backup-file.ts';
import {
  allChanges,
  newName,
  newRecord,
  replayChanges,
  StoreScene,
} from '../store/suite/store-scene.test-support.ts';
import { backupStore } from './backup-store.ts';
import { summarise } from './copy-content.ts';
import { openSource, openTarget } from './open-place.ts';
import { restoreStore } from './restore-store.ts';
import type { StorePlace } from './store-place.ts';
import {
  databasePlace,
  fillFolder,
  folderPlace,
  move,
  newFolder,
  NOW_MS,
  openStoreIn,
  quietOptions,
} from './migration-scene.test-support.ts';
import type { ContentSummary } from './store-content.ts';

const TAKEN_AT_MS = NOW_MS - 3_600_000;

let folder: string;
let data: string;
let file: string;
let url: string | undefined;
beforeEach(() => {
  folder = newFolder();
  data = join(folder, 'data');
  file = join(folder, 'backup.db');
  url = undefined;
});
afterEach(async () => {
  if (url !== undefined) await dropDatabase(url);
  rmSync(folder, { recursive: true });
});

test('a backup of either engine is one file, readable by its owner only, with the content of the store', async () => {
  await fillFolder(data);
  const content = await backup(folderPlace(data));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['backup.db', 'data']);
  const opened = openBackup(file);
  expect(opened).toMatchObject({ takenAtMs: TAKEN_AT_MS, hash: content.hash });
  await opened.close();

  expect((await move(folderPlace(data), await database())).content).toEqual(content);
  file = join(folder, 'other.db');
  expect(await backup(await database())).toEqual(content);
  expect(readFileSync(file).equals(readFileSync(join(folder, 'backup.db')))).toBe(true);
});

test('a backup of a version that kept no time for upkeep can be restored', async () => {
  await fillFolder(data);
  run(storePath(data), 'DELETE FROM upkeep_time');
  const { hash } = await backup(folderPlace(data));
  run(file, 'DROP TABLE upkeep_time; PRAGMA user_version = 5');
  const opened = openBackup(file);
  expect((await summarise(opened, 'checking', quietOptions)).hash).toBe(hash);
  await opened.close();
  await restore(folderPlace(join(folder, 'restored')));
});

test.each(['SQLite', 'PostgreSQL'])('a restore to %s is complete and has later serials', async (engine) => {
  await fillFolder(data);
  await backup(folderPlace(data));
  const place = engine === 'SQLite' ? folderPlace(join(folder, 'restored')) : await database();
  const content = await restore(place);
  const before = await summaryOf(folderPlace(data));
  expect(content.rows).toEqual({ ...before.rows, changes: before.rows['changes'] + 2 });
  expect((await summaryOf(place)).hash).toBe(content.hash);

  const read = join(folder, 'read');
  if (engine === 'PostgreSQL') await move(place, folderPlace(read));
  const original = await openStoreIn(data);
  const restored = await openStoreIn(engine === 'SQLite' ? join(folder, 'restored') : read);
  const raised = new StoreScene(restored).served();
  for (const [name, zone] of new StoreScene(original).served()) {
    expect(raised.get(name)).toEqual({ serial: NOW_MS / 1000, records: zone.records });
  }
  // The feed continues without a gap, and replaying it gives the served zones.
  const changes = await allChanges(restored);
  expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1));
  expect(replayChanges(changes)).toEqual(raised);
  // The restored store accepts writes.
  const tenant = await new StoreScene(restored).newAccount();
  const { name } = await tenant.createDomain(newName());
  expect(await tenant.create(name, newRecord('www'))).toMatchObject({ ok: true });
  await original.close();
  await restored.close();
});

test('an empty store can be backed up and restored', async () => {
  await (await openStoreIn(data)).close();
  const content = await backup(folderPlace(data));
  expect(await restore(folderPlace(join(folder, 'restored')))).toEqual(content);
  expect(await restore(await database())).toEqual(content);
});

test('a backup taken during writes is a consistent snapshot', async () => {
  await fillFolder(data, 3000);
  const store = await openStoreIn(data);
  const tenant = await new StoreScene(store).newAccount();
  const { name } = await tenant.createDomain(newName());
  let isWriting = true;
  let written = 0;
  const writers = Array.from({ length: 8 }, async () => {
    while (isWriting) {
      await tenant.create(name, newRecord(`w${++written}`));
      if (written % 7 === 0) await tenant.createDomain(newName());
    }
  });
  const { rows } = await backup(folderPlace(data));
  const writtenMeanwhile = written;
  isWriting = false;
  await Promise.all(writers);
  await store.close();
  expect(writtenMeanwhile).toBeGreaterThan(8);

  const database = openDatabase(file, { readOnly: true });
  const ask = (sql: string) => prepareQuery(database, sql).all();
  expect(
    ask(`SELECT name FROM domains WHERE record_count <>
         (SELECT count(*) FROM records WHERE domain_id = domains.id)`),
  ).toEqual([]);
  expect(ask('SELECT total(domain_count) FROM accounts')).toEqual([[rows['domains']]]);
  expect(ask('SELECT min(seq), max(seq), count(*) FROM changes')).toEqual(
    ask('SELECT 1, last_seq, last_seq FROM counters'),
  );
  database.close();
});

test('restoring into a store that is not empty is refused and changes nothing', async () => {
  await fillFolder(data, 3);
  const content = await backup(folderPlace(data));
  await move(folderPlace(data), await database());
  for (const place of [folderPlace(data), await database()]) {
    await expect(restore(place)).rejects.toThrow(
      / is not empty: it has 2 accounts, 2 domains, 7 records and 10 feed entries; a backup can only be restored into an empty store$/,
    );
    expect(await summaryOf(place)).toEqual(content);
  }
});

test('restoring into the folder of a running service is refused', async () => {
  await fillFolder(data, 3);
  await backup(folderPlace(data));
  const store = await openStoreIn(join(folder, 'other'));
  await expect(restore(folderPlace(join(folder, 'other')))).rejects.toThrow(
    /^another process is already running/,
  );
  await store.close();
});

test.each([
  ['a missing file', () => undefined, /^there is no file .*backup\.db$/],
  [
    'a file that is no database',
    () => writeFileSync(file, 'x'.repeat(5000)),
    / is damaged or not a Zonewright store/,
  ],
  ["another program's database", () => alter('PRAGMA application_id = 7'), / is not a Zonewright store$/],
  [
    'a newer backup',
    () => alter('PRAGMA user_version = 99'),
    / is a store of version 99, this program knows versions up to \d+: use the newer program$/,
  ],
  ["a store's own file", () => alter('DROP TABLE backup'), / is the file of a store, not a backup: /],
  [
    'a backup whose content was changed',
    () => alter("UPDATE records SET data = '192.0.2.99' WHERE owner = 'host1'"),
    / is damaged: its content has the hash [0-9a-f]{64}, not [0-9a-f]{64}$/,
  ],
  ['a backup with torn pages', () => tear(), / is damaged/],
])(
  'restoring from %s is refused with one sentence, before anything is written',
  async (_, spoil, sentence) => {
    if (sentence.source.includes('no file')) await (await openStoreIn(data)).close();
    else {
      await fillFolder(data, 3);
      await backup(folderPlace(data));
      spoil();
    }
    const target = join(folder, 'restored');
    await expect(restore(folderPlace(target))).rejects.toThrow(sentence);
    expect(existsSync(storePath(target))).toBe(false);
    // A service can start there.
    await (await openStoreIn(target)).close();
  },
);

test.each([
  ['into a missing folder', () => join(folder, 'no', 'backup.db'), /cannot be written: /],
  ['over a file', () => storePath(data), / already exists and is not overwritten$/],
  [
    'while another is being written',
    () => partOfAnother(),
    /backup\.db\.part already exists: remove it, unless/,
  ],
])('a backup %s is refused and changes nothing', async (_, prepare, sentence) => {
  await fillFolder(data, 3);
  const before = readFileSync(storePath(data));
  file = prepare();
  const files = readdirSync(folder);
  await expect(backup(folderPlace(data))).rejects.toThrow(sentence);
  expect(readdirSync(folder)).toEqual(files);
  expect(readFileSync(storePath(data)).equals(before)).toBe(true);
});

test('a backup on a full disk is reported and leaves nothing behind', async () => {
  await fillFolder(data);
  // A limit on the file size (in blocks of 512 octets) stands in for a full disk.
  const script = `
    process.on('SIGXFSZ', () => {});
    const { runCommandLine } = await import(${moduleUrl('../cli/run-command-line.ts')});
    const { processTerminal } = await import(${moduleUrl('../cli/terminal/terminal.ts')});
    const { createZonewrightProgram } = await import(${moduleUrl('../app/zonewright-program.ts')});
    const terminal = processTerminal();
    const words = ['backup', '--data', ${JSON.stringify(data)}, '--to', ${JSON.stringify(file)}];
    process.exitCode = await runCommandLine(createZonewrightProgram(terminal), words, terminal);`;
  const result = spawnSync(
    'sh',
    [
      '-c',
      'ulimit -f 200; exec "$@"',
      'sh',
      process.execPath,
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      script,
    ],
    { encoding: 'utf8' },
  );
  expect(result.stderr).toMatch(/^zonewright: .*backup\.db cannot be written: /);
  expect(result.status).toBe(1);
  expect(readdirSync(folder)).toEqual(['data']);
});

function moduleUrl(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href);
}

/** Creates a database that is dropped after the test. */
async function database(): Promise<StorePlace> {
  url ??= await newDatabase(inject('postgresUrl'));
  return databasePlace(url);
}

async function backup(from: StorePlace): Promise<ContentSummary> {
  const target = openBackupTarget(file, TAKEN_AT_MS);
  try {
    const source = await openSource(from, 'shared');
    try {
      return await backupStore(source, target, quietOptions);
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
}

async function restore(to: StorePlace): Promise<ContentSummary> {
  const source = openBackup(file);
  try {
    const target = await openTarget(to, NOW_MS);
    try {
      return await restoreStore(source, target, NOW_MS, quietOptions);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function summaryOf(place: StorePlace): Promise<ContentSummary> {
  const source = await openSource(place, 'shared');
  const summary = await summarise(source, 'comparing', quietOptions);
  await source.close();
  return summary;
}

function alter(sql: string): void {
  const opened = openDatabase(file);
  opened.exec(sql);
  opened.close();
}

/** Overwrites the file from the third page on (https://sqlite.org/fileformat2.html). */
function tear(): void {
  const content = readFileSync(file);
  writeFileSync(file, content.fill(0xff, 2 * 4096, content.length - 4096));
}

function partOfAnother(): string {
  writeFileSync(`${file}.part`, 'another');
  return file;
}

function run(path: string, sql: string): void {
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}
