// Runs the query of docs/operate/backup-and-restore.md.
import { readFileSync, rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { storePath } from '../store/sqlite/open-store-files.ts';
import { openDatabase, prepareQuery } from '../store/sqlite/sqlite-driver.ts';
import { fillFolder, newFolder } from './migration-scene.test-support.ts';

const document = readFileSync(new URL('../../docs/operate/backup-and-restore.md', import.meta.url), 'utf8');

test('the query for the sqlite3 command finds records with their domains', async () => {
  const [, query = ''] = /^sqlite3 -readonly \S+ "(.+)"$/m.exec(document) ?? [];
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await fillFolder(folder, 10);
  const database = openDatabase(storePath(folder));
  onTestFinished(() => database.close());
  const [row] = prepareQuery(database, query).all();
  const text = expect.any(String) as unknown;
  expect(row).toEqual([expect.stringContaining('.'), text, expect.any(Number), text]);
});
