import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog, type Log } from '../../base/log.ts';
import { newId, newKey, START_MS, START_SECONDS } from '../suite/store-scene.test-support.ts';
import { LogMover } from './log-mover.ts';
import { openStoreFiles } from './open-store-files.ts';
import { openDatabase, prepareQuery } from './sqlite-driver.ts';
import { SqliteWriter } from './sqlite-writer.ts';

function openWriter(): { path: string; writer: SqliteWriter } {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-log-'));
  const { path, lock } = openStoreFiles(folder, START_MS);
  const writer = new SqliteWriter(path);
  onTestFinished(() => {
    writer.close();
    lock.release();
    rmSync(folder, { recursive: true });
  });
  return { path, writer };
}

function createAccount(writer: SqliteWriter): void {
  const account = { id: newId(), name: '', email: '', createdAtSeconds: START_SECONDS };
  writer.commitBatch([{ kind: 'createAccount', account, key: newKey(account.id) }]);
}

/** The accounts in the store's file, without its log. */
function accountsInFile(path: string): number {
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  const database = openDatabase(copy);
  const [count] = prepareQuery<[number]>(database, 'SELECT count(*) FROM accounts').get() ?? [0];
  database.close();
  return count;
}

test('the log is moved while the writer is in a transaction, and nobody waits for the other', async () => {
  const { path, writer } = openWriter();
  const mover = new LogMover(path, silentLog, 0);
  createAccount(writer);
  expect(accountsInFile(path)).toBe(0);
  writer.database.exec('BEGIN IMMEDIATE');
  await mover.move();
  writer.database.exec('COMMIT');
  expect(accountsInFile(path)).toBe(1);
  createAccount(writer);
  await mover.close();
});

test('a short log is left to the writer', async () => {
  const { path, writer } = openWriter();
  const mover = new LogMover(path, silentLog);
  createAccount(writer);
  await mover.move();
  expect(accountsInFile(path)).toBe(0);
  await mover.close();
});

test('a log that cannot be moved is reported, and harms nothing', async () => {
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (about) => void warnings.push(about) };
  const mover = new LogMover('/nonexistent/zonewright.db', log, 0);
  await mover.move();
  expect(warnings).toHaveLength(1);
  await mover.close();
});
