import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { dropDatabase, newDatabase } from '../../../test/harness/postgres-server.ts';
import { silentLog } from '../../base/log.ts';
import type { ZoneName } from '../../model/domain.ts';
import { openZoneCopy, type ZoneCopy } from '../../zone-copy/zone-copy.ts';
import type { OpenStore, StoreFixture } from '../suite/store-scene.test-support.ts';
import type { ZoneSource } from '../store.ts';
import { parsePostgresUrl, type PostgresAddress } from './postgres-address.ts';
import { connectPostgres } from './postgres-connection.ts';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgres-store.ts';
import { findSuiteClockFault, suiteSigning } from '../suite/signed-scene.test-support.ts';
import { sceneClock } from '../suite/store-scene.test-support.ts';

/** Creates a database on the test server that is dropped afterwards. */
export async function newPostgres(): Promise<{
  url: string;
  address: PostgresAddress;
  remove: () => Promise<void>;
}> {
  const url = await newDatabase(inject('postgresUrl'));
  return { url, address: addressOf(url), remove: () => dropDatabase(url) };
}

export function addressOf(url: string): PostgresAddress {
  const address = parsePostgresUrl(url);
  if (!address.ok) throw new Error(address.problem);
  return address.value;
}

/** Waits for the first upkeep, so that it holds no lock and removes no rows of the test. */
export async function openStore(
  address: PostgresAddress,
  options: Partial<PostgresStoreOptions> = {},
): Promise<PostgresStore> {
  const all = {
    address,
    clock: sceneClock,
    upkeepClock: sceneClock,
    log: silentLog,
    historyDays: 30,
    dnssec: suiteSigning,
    findClockFault: findSuiteClockFault,
    ...options,
  };
  const store = await openPostgresStore(all);
  await store.tidy();
  return store;
}

/** A database and the folder of a zone copy, which together form one process with both roles. */
export async function newPostgresFixture(): Promise<StoreFixture> {
  const { address, remove } = await newPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-copy-'));
  return {
    open: () => openWithCopy(address, folder),
    query: (sql) => queryOf(address, sql),
    noteEarlierVersion: () => queryOf(address, 'UPDATE counters SET digest_seq = digest_seq - 1'),
    async remove() {
      await remove();
      await rm(folder, { recursive: true });
    },
  };
}

async function queryOf(address: PostgresAddress, sql: string): Promise<readonly unknown[]> {
  const connection = await connectPostgres(address, {
    statementMs: 5000,
    lockMs: 5000,
    idleInTransactionMs: 5000,
  });
  const { rows } = await connection.query(sql);
  await connection.close();
  return rows;
}

async function openWithCopy(address: PostgresAddress, folder: string): Promise<OpenStore> {
  const copy = await openZoneCopy({
    folder,
    address,
    nameserver: 'test',
    clock: sceneClock,
    log: silentLog,
  });
  const store = await openStore(address, {
    served: {
      beforeWrite: () => undefined,
      afterCommit: (seq) => copy.reached(seq),
      whenShown: (name) => whenShown(copy, name),
      formerSerial: () => undefined,
      isServing: () => true,
      serves: () => true,
    },
  });
  await copy.reached(await store.lastSeq());
  return joinBoth(store, copy);
}

/** As in the service, a write to a domain is answered when its content has been fetched. */
function whenShown(copy: ZoneCopy, name: ZoneName): Promise<void> | undefined {
  const isShown = (): boolean => !(copy.state().awaited ?? []).some((zone) => zone.name === name);
  if (isShown()) return undefined;
  return new Promise((resolve) => {
    copy.onProgress(() => {
      if (isShown()) resolve();
    });
  });
}

/** Uses the store for writes and lists, and the zone copy for zones. */
function joinBoth(store: PostgresStore, copy: ZoneSource & Pick<ZoneCopy, 'close'>): OpenStore {
  return {
    write: (command, getSignal) => store.write(command, getSignal),
    findKeyByHash: (hash) => store.findKeyByHash(hash),
    findAccount: (id) => store.findAccount(id),
    findQuota: (id) => store.findQuota(id),
    listAccounts: (page) => store.listAccounts(page),
    listKeys: (accountId, page) => store.listKeys(accountId, page),
    findDomain: (accountId, name) => store.findDomain(accountId, name),
    listDomains: (...args) => store.listDomains(...args),
    listDeletedDomains: (...args) => store.listDeletedDomains(...args),
    findDeletedDomain: (accountId, name, id) => store.findDeletedDomain(accountId, name, id),
    findRecord: (domainId, recordId) => store.findRecord(domainId, recordId),
    listRecords: (...args) => store.listRecords(...args),
    searchRecords: (...args) => store.searchRecords(...args),
    listChanges: (...args) => store.listChanges(...args),
    openZoneView: (accountId, name) => store.openZoneView(accountId, name),
    findHistoryStart: (domain) => store.findHistoryStart(domain),
    signing: store.signing,
    claims: store.claims,
    names: store.names,
    people: store.people,
    trail: store.trail,
    accounts: store.accounts,
    servedSerials: (domain) => store.servedSerials(domain),
    nameserverReports: () => store.nameserverReports(),
    changesAfter: (seq, limit) => store.changesAfter(seq, limit),
    lastSeq: () => store.lastSeq(),
    onUpdate: (listener) => copy.onUpdate(listener),
    readZone: (name) => copy.readZone(name),
    accountOf: (name) => copy.accountOf(name),
    hostedCount: () => copy.hostedCount(),
    hostedNames: (after, limit) => copy.hostedNames(after, limit),
    async close() {
      await store.close();
      await copy.close();
    },
  };
}

/** For tests that read no zones. */
export function withoutZones(store: PostgresStore): OpenStore {
  const none = {
    onUpdate: () => undefined,
    readZone: () => undefined,
    accountOf: () => '',
    hostedCount: () => 0,
    hostedNames: () => [],
  };
  return joinBoth(store, { ...none, close: () => Promise.resolve() });
}
