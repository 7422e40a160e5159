import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { TransferError, type TransferSource } from './migration-ends.ts';
import type { TransferRow, TransferTable } from './migration-tables.ts';
import { migrate } from '../store/sqlite/migrate.ts';
import { FILE_MODE, partPath, systemReason } from '../store/sqlite/open-store-files.ts';
import {
  openDatabase,
  prepareQuery,
  sqliteErrorCode,
  type SqliteDatabase,
  type SqliteStatement,
} from '../store/sqlite/sqlite-driver.ts';
import { readTables } from './sqlite-migration-source.ts';

/** Indexes are filled in another order than rows come: this much of them stays in memory. */
const CACHE_KIB = 256 * 1024;

/** https://sqlite.org/rescode.html */
const REASONS: Readonly<Record<number, string>> = { 10: 'the disk reports an error', 13: 'the disk is full' };

/**
 * A store's file being written: beside its place until it is whole, checked and on the disk. No other connection sees
 * it before, so it is written without journal.
 */
export class StoreFileWriter {
  readonly path: string;
  readonly written: TransferSource;
  private readonly database: SqliteDatabase;
  private readonly inserts = new Map<string, SqliteStatement>();
  private isOpen = true;

  /** @throws TransferError when there is one being written already, or none can be. */
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
        // Transferred like every other row.
        this.database.exec('BEGIN; DELETE FROM counters');
      });
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  insert(table: TransferTable, rows: readonly TransferRow[]): void {
    this.explained(() => {
      const insert = this.prepareInsert(table);
      for (const row of rows) insert.run(...row);
    });
  }

  /** SQL of the caller's, beside the transferred tables. */
  run(sql: string, ...values: TransferRow): void {
    this.explained(() => this.database.prepare(sql).run(...values));
  }

  /** Checks the file, brings it to the disk and puts it into its place. An empty store that stood there is replaced. */
  finish(): void {
    this.explained(() => {
      this.database.exec('COMMIT');
      this.check();
      this.database.close();
      this.isOpen = false;
      syncPath(partPath(this.path));
      // An empty store's log must never be taken for this one's.
      for (const suffix of ['-wal', '-shm']) rmSync(`${this.path}${suffix}`, { force: true });
      renameSync(partPath(this.path), this.path);
      syncPath(dirname(this.path));
    });
  }

  /** Leaves nothing behind; does nothing after `finish`. */
  abandon(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.database.close();
    rmSync(partPath(this.path), { force: true });
  }

  private prepareInsert({ name, columns }: TransferTable): SqliteStatement {
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
      throw new TransferError(`${this.path} would be damaged: ${problems[0].join(' ')}`);
  }

  private explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const code = sqliteErrorCode(error);
      if (code === undefined && !isSystemError(error)) throw error;
      const reason = REASONS[code ?? 0] ?? systemReason(error);
      throw new TransferError(`${this.path} cannot be written: ${reason}`, { cause: error });
    }
  }
}

/** A domain whose records are not as many as it says. */
const WRONG_COUNTS = `
  SELECT 'domain ' || name || ' says ' || record_count || ' records and has another number of them' FROM domains
  WHERE record_count <> (SELECT count(*) FROM records WHERE records.domain_id = domains.id) LIMIT 1`;

function makePart(path: string): void {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE));
  } catch (error) {
    if (existsSync(path)) {
      throw new TransferError(`${path} is there already: remove it, unless it is being written right now`);
    }
    throw new TransferError(`${path} cannot be written: ${systemReason(error)}`, { cause: error });
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
