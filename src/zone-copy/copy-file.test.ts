import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog, type Log } from '../base/log.ts';
import { openDatabase } from '../store/sqlite/sqlite-driver.ts';
import { markDamaged, openCopyFile } from './copy-file.ts';
import { CopyWriter } from './copy-writer.ts';
import { overwriteTable } from './overwrite-table.test-support.ts';

let folder: string;
let warnings: string[];
const log: Log = { ...silentLog, warn: (_, message) => warnings.push(message) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-copy-file-'));
  warnings = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a copy keeps its id and its position', () => {
  const first = openCopyFile(folder, log);
  const position = { seq: 7, batch: crypto.randomUUID() };
  setPosition(first.path, position);
  expect(openCopyFile(folder, log)).toEqual(first);
  expect(readPosition(first.path)).toEqual(position);
  expect(warnings).toEqual([]);
});

test.each([
  ['overwritten', (path: string) => writeFileSync(path, 'no database'.repeat(1000))],
  ['cut off', (path: string) => truncateSync(path, 1000)],
  ['of another version', (path: string) => change(path, 'PRAGMA user_version = 99')],
  ['of another program', (path: string) => change(path, 'PRAGMA application_id = 99')],
  ['without a table', (path: string) => change(path, 'DROP TABLE copy')],
  ['with a damaged table', (path: string) => overwriteTable(path, 'domains')],
  ['without its row', (path: string) => change(path, 'DELETE FROM copy')],
  ['found damaged while it was in use', markDamaged],
])('a copy %s is replaced once, with a warning', (_, spoil) => {
  const { path } = openCopyFile(folder, log);
  setPosition(path, { seq: 7, batch: crypto.randomUUID() });
  spoil(path);
  openCopyFile(folder, log);
  openCopyFile(folder, log);
  expect(warnings).toEqual(['the zone copy cannot be used and is replaced']);
  expect(readPosition(path)).toBeNull();
});

test('a copy without tables gets them, without a warning', () => {
  writeFileSync(join(folder, 'zone-copy.db'), '');
  expect(readPosition(openCopyFile(folder, log).path)).toBeNull();
  expect(warnings).toEqual([]);
});

function setPosition(path: string, position: CopyWriter['position']): void {
  const writer = new CopyWriter(path);
  writer.setPosition(position);
  writer.close();
}

function readPosition(path: string): CopyWriter['position'] {
  const writer = new CopyWriter(path);
  writer.close();
  return writer.position;
}

function change(path: string, sql: string): void {
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
}
