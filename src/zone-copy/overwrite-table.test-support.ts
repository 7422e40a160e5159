import { closeSync, openSync, writeSync } from 'node:fs';
import { openDatabase, prepareQuery } from '../store/sqlite/sqlite-driver.ts';

const PAGE_BYTES = 4096;

/** Damages the first page of a table in a closed file. */
export function overwriteTable(path: string, table: string): void {
  const database = openDatabase(path);
  const sql = 'SELECT rootpage FROM sqlite_schema WHERE name = ?';
  const page = prepareQuery<[number]>(database, sql).get(table)?.[0] ?? 1;
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
}
