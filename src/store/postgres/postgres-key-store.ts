import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Account, ApiKey } from '../../model/account.ts';
import type { Command, CommandResult } from '../../writes/command.ts';
import type { KeyStore } from '../key-store.ts';
import type { PeopleReads } from '../people-columns.ts';
import { noObserver } from '../store-observer.ts';
import type { Page, PageRequest } from '../store.ts';
import { resultOf } from '../../writes/write-queue.ts';
import { migrations } from './migrations/migrations.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { connectPostgres, type SessionLimits } from './postgres-connection.ts';
import { toStoreError } from './postgres-errors.ts';
import { createPeopleReads } from './postgres-people.ts';
import { PostgresReads } from './postgres-reads.ts';
import { checkStore } from './check-store.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { ReadConnections, shortReads } from './read-connections.ts';

/** For three small queries. */
const checkLimits: SessionLimits = { statementMs: 5000, lockMs: 1000, idleInTransactionMs: 2000 };

/**
 * Opens the store in a database on which services may be running.
 *
 * @throws StoreOpenError with one sentence; StoreUnavailable
 */
export async function openPostgresKeyStore(
  address: PostgresAddress,
  clock: Clock,
  log: Log,
): Promise<KeyStore> {
  const connection = await connectPostgres(address, checkLimits);
  try {
    // Running services may use the tables, so they are not migrated here and must have the current version.
    await checkStore(connection, address, migrations.length);
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await connection.close();
  }
  return new PostgresKeyStore(address, clock, log);
}

class PostgresKeyStore implements KeyStore {
  readonly people: PeopleReads;
  private readonly writer: PostgresWriter;
  private readonly connections: ReadConnections;
  private readonly reads: PostgresReads;

  constructor(address: PostgresAddress, clock: Clock, log: Log) {
    this.writer = new PostgresWriter({ address, clock, log, observer: noObserver });
    this.connections = new ReadConnections(address, shortReads);
    this.people = createPeopleReads(this.connections, (read) => read());
    this.reads = new PostgresReads(this.connections, { quick: this.connections, slow: this.connections });
  }

  async write<C extends Command>(command: C): Promise<CommandResult<C>> {
    const { results } = await this.writer.commitBatch([command]);
    return resultOf(command, results.at(0)) as CommandResult<C>;
  }

  findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    return this.reads.findKeyByHash(hash);
  }

  findAccount(id: string): Promise<Account | undefined> {
    return this.reads.findAccount(id);
  }

  listAccounts(page: PageRequest): Promise<Page<Account>> {
    return this.reads.listAccounts(page);
  }

  async close(): Promise<void> {
    await Promise.all([this.writer.close(), this.connections.close()]);
  }
}
