// A real embedded store whose domains are due for renewal, and the renewal on top of it with clocks from the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog, type Log } from '../base/log.ts';
import { openDatabase, prepareQuery, type SqlRow } from '../store/sqlite/sqlite-driver.ts';
import { storePath } from '../store/sqlite/open-store-files.ts';
import { openSqliteStore, type SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { SqliteStoreOptions } from '../store/sqlite/sqlite-store-options.ts';
import { START_MS, StoreScene, type Tenant } from '../store/suite/store-scene.test-support.ts';
import { Renewal, type RenewalOptions } from './renew-signatures.ts';

export interface RenewalScene {
  readonly folder: string;
  readonly renewal: Renewal;
  readonly clock: { nowMs(): number };
  /** Lines of the log: level and message. */
  readonly logged: readonly string[];
  readonly store: () => SqliteStore;
  readonly tenant: () => Promise<Tenant>;
  /** Moves both clocks. */
  readonly pass: (ms: number) => void;
  /** Closes the store; the renewal then finds it closed until `reopen`. */
  readonly close: () => Promise<void>;
  readonly reopen: () => Promise<void>;
  /** Runs a statement on the tables, past the store. */
  readonly query: (sql: string) => void;
  /** Reads rows of the tables, past the store. */
  readonly rows: (sql: string) => readonly SqlRow[];
}

export async function openRenewalScene(
  options: Partial<RenewalOptions> = {},
  storeOptions: Partial<SqliteStoreOptions> = {},
): Promise<RenewalScene> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-renewal-'));
  let passedMs = 0;
  const clock = { nowMs: () => START_MS + passedMs };
  const open = () => openSqliteStore({ folder, clock, log: silentLog, ...storeOptions });
  let store = await open();
  const logged: string[] = [];
  const noteOf =
    (level: string) =>
    (_: object, message: string): void =>
      void logged.push(`${level} ${message}`);
  const log: Log = { ...silentLog, info: noteOf('info'), warn: noteOf('warn'), error: noteOf('error') };
  const renewal = new Renewal({
    store: {
      get signing() {
        return store.signing;
      },
      write: (command) => store.write(command),
    },
    log,
    clock,
    monotonic: { elapsedMs: () => passedMs },
    findClockDoubt: () => undefined,
    canSign: true,
    random: () => 0,
    ...options,
  });
  onTestFinished(async () => {
    await renewal.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    renewal,
    clock,
    logged,
    store: () => store,
    tenant: () => newTenant(store),
    pass: (ms) => void (passedMs += ms),
    close: () => store.close(),
    reopen: async () => {
      store = await open();
    },
    query: (sql) => {
      const database = openDatabase(storePath(folder));
      database.exec(sql);
      database.close();
    },
    rows: (sql) => {
      const database = openDatabase(storePath(folder), { readOnly: true });
      const found = prepareQuery(database, sql).all();
      database.close();
      return found;
    },
  };
}

function newTenant(store: SqliteStore): Promise<Tenant> {
  // The scene also listens to zones, which this store does not have.
  const zones = {
    onUpdate: () => undefined,
    readZone: () => undefined,
    accountOf: () => '',
    hostedCount: () => 0,
    hostedNames: () => [],
  };
  return new StoreScene(Object.assign(Object.create(store) as SqliteStore, zones)).newAccount();
}
