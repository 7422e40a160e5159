import { existsSync } from 'node:fs';
import type { Account, ApiKey } from '../../model/account.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import type { KeyStore } from '../key-store.ts';
import type { PeopleReads } from '../people-columns.ts';
import { StoreOpenError, type Page, type PageRequest } from '../store.ts';
import { resultOf } from '../../writes/write-queue.ts';
import { migrations } from './migrations/migrations.ts';
import { refusePart, storePath, withSentence } from './open-store-files.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';
import { createPeopleReads } from './sqlite-people.ts';
import { SqliteReads } from './sqlite-reads.ts';
import { closeSnapshot } from './close-snapshot.ts';
import { openStoreForReading } from './open-store-for-reading.ts';
import { SqliteWriter } from './sqlite-writer.ts';

/**
 * Opens the store in a data folder on which a service may be running. A second writer does no harm: a batch reads everything
 * inside its own transaction, and writers wait for each other (for `BUSY_TIMEOUT_MS`).
 *
 * @throws StoreOpenError with one sentence
 */
export function openSqliteKeyStore(folder: string): KeyStore {
  const path = storePath(folder);
  refusePart(folder);
  if (!existsSync(path)) throw new StoreOpenError(`there is no store in ${folder}`);
  // A running service may use the tables, so they are not migrated here and must have the current version.
  closeSnapshot(openStoreForReading(path, migrations.length));
  return withSentence(path, () => new SqliteKeyStore(path));
}

class SqliteKeyStore implements KeyStore {
  readonly people: PeopleReads;
  private readonly path: string;
  private readonly database: SqliteDatabase;
  private readonly writer: SqliteWriter;
  private readonly reads: SqliteReads;

  constructor(path: string) {
    this.path = path;
    this.writer = new SqliteWriter(path);
    this.database = this.writer.database;
    this.reads = new SqliteReads(this.database);
    this.people = createPeopleReads(this.database);
  }

  write<C extends Command>(command: C): Promise<CommandResult<C>> {
    return this.answer(
      () => resultOf(command, this.writer.commitBatch([command]).results.at(0)) as CommandResult<C>,
    );
  }

  findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    return this.answer(() => this.reads.findKeyByHash(hash));
  }

  findAccount(id: string): Promise<Account | undefined> {
    return this.answer(() => this.reads.findAccount(id));
  }

  listAccounts(page: PageRequest): Promise<Page<Account>> {
    return this.answer(() => this.reads.listAccounts(page));
  }

  /** Does not empty the log, which would have to wait for the readers of the service. */
  close(): Promise<void> {
    this.database.close();
    return Promise.resolve();
  }

  private answer<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => resolve(withSentence(this.path, work)));
  }
}
