import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { observeStore } from '../metrics/observe-store.ts';
import { openZoneCopy, type ZoneCopy } from '../zone-copy/zone-copy.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import { lockFolder, storePath } from '../store/sqlite/open-store-files.ts';
import { openSqliteStore, type SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { ZoneSource } from '../store/store.ts';
import { quotasOf } from './config-limits.ts';
import { DatabaseWatch } from './database-watch.ts';
import type { RunningParts } from './running-parts.ts';
import { createServedWait } from './served-wait.ts';
import { watchCopy, watchEmbeddedStore, watchSharedStore } from './service-metrics.ts';
import type { StartOptions } from './service-options.ts';

/** The contents of the data folder, which only one process may use at a time, in every role. */
export interface LocalData {
  /** The source of the zones for DNS; undefined with role api. */
  readonly zones: ZoneSource | undefined;
  /** The same source if it is a copy of PostgreSQL. */
  readonly copy: ZoneCopy | undefined;
  /** The same source if it is the embedded store. */
  readonly store: SqliteStore | undefined;
}

export async function openLocalData(options: StartOptions, parts: RunningParts): Promise<LocalData> {
  const { config, log, metrics } = options;
  const { data: folder, database } = config;
  if (database.kind === 'sqlite') {
    const { historyDays } = config;
    const observer = observeStore(metrics.registry);
    const store = await openSqliteStore({
      folder,
      clock: systemClock,
      log,
      historyDays,
      observer,
      quotas: quotasOf(config),
    });
    parts.add(() => store.close());
    watchEmbeddedStore(metrics, store);
    return { zones: store, copy: undefined, store };
  }
  warnOfUnusedStore(folder, log);
  if (config.role === 'api') {
    const lock = lockFolder(folder);
    parts.add(() => lock.release());
    return { zones: undefined, copy: undefined, store: undefined };
  }
  const { address } = database;
  const copy = await openZoneCopy({
    folder,
    address,
    nameserver: config.serverName,
    clock: systemClock,
    log,
  });
  parts.add(() => copy.close());
  watchCopy(metrics, copy);
  return { zones: copy, copy, store: undefined };
}

/** A store that was never moved holds data that customers miss; after a move it can be removed. */
function warnOfUnusedStore(folder: string, log: Log): void {
  const path = storePath(folder);
  if (!existsSync(path)) return;
  log.warn(
    { path },
    'the embedded store in the data folder is not used with PostgreSQL: copy it with zonewright move, or remove it',
  );
}

export interface SharedStore {
  readonly store: PostgresStore;
  readonly database: DatabaseWatch;
}

/** Opens the store in PostgreSQL, which may be unavailable. Returns undefined with SQLite and with role nameserver. */
export async function openSharedStore(
  { config, log, metrics }: StartOptions,
  copy: ZoneCopy | undefined,
  parts: RunningParts,
): Promise<SharedStore | undefined> {
  const { database, role, historyDays } = config;
  if (database.kind === 'sqlite' || role === 'nameserver') return undefined;
  // Loads the driver only if it is used.
  const { openPostgresStore } = await import('../store/postgres/postgres-store.ts');
  const store = await openPostgresStore({
    address: database.address,
    clock: systemClock,
    log,
    historyDays,
    observer: observeStore(metrics.registry),
    quotas: quotasOf(config),
    ...(copy === undefined ? {} : { afterCommit: createServedWait(copy) }),
  });
  parts.add(() => store.close());
  watchSharedStore(metrics, store, copy !== undefined);
  const watch = new DatabaseWatch(store, log);
  parts.add(() => watch.close());
  return { store, database: watch };
}
