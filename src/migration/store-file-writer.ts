import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { MigrationError, type StoreContent } from './store-content.ts';
import type { Cell, Row, StoreTable } from './store-tables.ts';
import { migrate } from '../store/sqlite/migrate.ts';
import { isCustomersRecord } from '../store/customers-rows.ts';
import { FILL_USAGE } from '../store/fill-usage.ts';
import { FILL_TRAIL_USAGE } from '../store/trail-columns.ts';
import { FILE_MODE, partPath, systemReason } from '../store/sqlite/open-store-files.ts';
import {
  bindable,
  openDatabase,
  prepareQuery,
  sqliteErrorCode,
  type SqliteDatabase,
  type SqliteStatement,
} from '../store/sqlite/sqlite-driver.ts';
import { readTables } from './sqlite-source.ts';

/** Rows arrive in another order than that of the indexes, so a large part of the indexes is kept in memory. */
const CACHE_KIB = 256 * 1024;

/** https://sqlite.org/rescode.html */
const reasons: Readonly<Record<number, string>> = { 10: 'the disk reports an error', 13: 'the disk is full' };

/**
 * Writes the file of a store under a temporary name (`.part`) until it is complete, checked and synced. No other
 * connection opens it before, so it is written without a journal.
 */
export class StoreFileWriter {
  readonly path: string;
  readonly written: StoreContent;
  private readonly database: SqliteDatabase;
  private readonly inserts = new Map<string, SqliteStatement>();
  private isOpen = true;

  /** @throws MigrationError if the temporary file exists already or cannot be created */
  constructor(path: string, nowMs: number) {
    this.path = path;
    makePart(partPath(path));
    this.database = this.explained(() => openDatabase(partPath(path)));
    this.written = readTables(this.database, path);
    try {
      this.explained(() => {
        this.database.exec(
          `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}`,
        );
        migrate(this.database, path, nowMs);
        // The migrations insert this row; it is copied like every other one.
        this.database.exec('BEGIN; DELETE FROM counters');
      });
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  insert(table: StoreTable, rows: readonly Row[]): void {
    this.explained(() => {
      const insert = this.prepareInsert(table);
      for (const row of rows) insert.run(...row.map(toBound));
    });
  }

  /** Counts what each account has, from the rows. */
  fillUsage(): void {
    this.explained(() => this.database.exec(FILL_USAGE + FILL_TRAIL_USAGE));
  }

  /** Runs a statement that is not about the copied tables. */
  run(sql: string, ...values: Row): void {
    this.explained(() => this.database.prepare(sql).run(...values));
  }

  /** Checks the file, syncs it and gives it its name. An empty store of that name is replaced. */
  finish(): void {
    this.explained(() => {
      this.database.exec('COMMIT');
      this.check();
      this.database.close();
      this.isOpen = false;
      syncPath(partPath(this.path));
      // The write-ahead log of the replaced store must never be applied to this one.
      for (const suffix of ['-wal', '-shm']) rmSync(`${this.path}${suffix}`, { force: true });
      renameSync(partPath(this.path), this.path);
      syncPath(dirname(this.path));
    });
  }

  /** Removes the temporary file; does nothing after `finish`. */
  abandon(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.database.close();
    rmSync(partPath(this.path), { force: true });
  }

  private prepareInsert({ name, columns }: StoreTable): SqliteStatement {
    let statement = this.inserts.get(name);
    if (statement === undefined) {
      const names = columns.map((column) => column.name).join(', ');
      const marks = columns.map(() => '?').join(', ');
      statement = this.database.prepare(`INSERT INTO ${name} (${names}) VALUES (${marks})`);
      this.inserts.set(name, statement);
    }
    return statement;
  }

  private check(): void {
    const problems = [
      ...prepareQuery<[string]>(this.database, 'PRAGMA integrity_check(1)').all(),
      ...prepareQuery<[string]>(this.database, 'PRAGMA foreign_key_check').all(),
      ...prepareQuery<[string]>(this.database, WRONG_COUNTS).all(),
    ].filter(([text]) => text !== 'ok');
    if (problems.length > 0)
      throw new MigrationError(`${this.path} would be damaged: ${problems[0].join(' ')}`);
  }

  private explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const code = sqliteErrorCode(error);
      if (code === undefined && !isSystemError(error)) throw error;
      const reason = reasons[code ?? 0] ?? systemReason(error);
      throw new MigrationError(`${this.path} cannot be written: ${reason}`, { cause: error });
    }
  }
}

/** Finds a domain whose `record_count` is wrong. */
const WRONG_COUNTS = `
  SELECT 'domain ' || name || ' has a record count of ' || record_count || ' but another number of records' FROM domains
  WHERE record_count <> (SELECT count(*) FROM records WHERE records.domain_id = domains.id AND ${isCustomersRecord('records.id')}) LIMIT 1`;

function makePart(path: string): void {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE));
  } catch (error) {
    if (existsSync(path)) {
      throw new MigrationError(`${path} already exists: remove it, unless it is being written right now`);
    }
    throw new MigrationError(`${path} cannot be written: ${systemReason(error)}`, { cause: error });
  }
}

function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function toBound(value: Cell): Cell {
  return value instanceof Uint8Array ? bindable(value) : value;
}
