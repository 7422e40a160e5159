import { existsSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { observeStore } from '../metrics/observe-store.ts';
import type { ServedWrites } from '../store/after-commit.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { storePath } from '../store/sqlite/open-store-files.ts';
import type { SigningSettings } from '../store/signing-settings.ts';
import type { Store } from '../store/store.ts';
import { ClockCheck } from './clock-check.ts';
import { quotasOf } from './config-limits.ts';
import { DatabaseWatch } from './database-watch.ts';
import type { RunningParts } from './running-parts.ts';
import { watchEmbeddedStore, watchSharedStore } from './service-metrics.ts';
import type { StartOptions } from './service-options.ts';

export interface SharedStore {
  readonly store: PostgresStore;
  readonly database: DatabaseWatch;
}

/** One of the two engines. */
export interface OpenedStore {
  readonly store: Store;
  readonly embedded: SqliteStore | undefined;
  readonly shared: SharedStore | undefined;
  /** Compares the clock of this process with the store. */
  readonly clockCheck: ClockCheck;
  /** Resolves when the store accepts writes. */
  readonly ready: Promise<void>;
}

/**
 * @param served if the zones are served by another process beside this one
 * @param dnssec undefined if domains cannot be signed
 */
export async function openStore(
  options: StartOptions,
  served: ServedWrites | undefined,
  dnssec: SigningSettings | undefined,
  parts: RunningParts,
): Promise<OpenedStore> {
  const { config, log, metrics } = options;
  const { database, historyDays, trailDays } = config;
  const clockCheck = new ClockCheck();
  const about = {
    clock: systemClock,
    log,
    historyDays,
    trailDays,
    observer: observeStore(metrics.registry),
    quotas: quotasOf(config),
    workMemoryBytes: config.workMemory,
    dnssec,
    findClockFault: () => clockCheck.findFault(),
    ...(served === undefined ? {} : { served }),
  };
  // Loads the driver only if it is used.
  if (database.kind === 'sqlite') {
    const { openSqliteStore } = await import('../store/sqlite/sqlite-store.ts');
    const store = await openSqliteStore({ ...about, folder: config.data });
    parts.add(() => store.close());
    watchEmbeddedStore(metrics, store);
    clockCheck.attach({ deletionReading: () => store.deletionReading(), databaseOffsetMs: () => undefined });
    await clockCheck.readSignatures(store, log);
    return { store, embedded: store, shared: undefined, clockCheck, ready: Promise.resolve() };
  }
  const { openPostgresStore } = await import('../store/postgres/postgres-store.ts');
  const store = await openPostgresStore({ ...about, address: database.address });
  parts.add(() => store.close());
  watchSharedStore(metrics, store, served !== undefined);
  const watch = new DatabaseWatch(store, log);
  parts.add(() => watch.close());
  clockCheck.attach({
    deletionReading: () => store.deletionReading(),
    databaseOffsetMs: () => watch.clockOffsetMs,
  });
  const ready = store.whenReady().then(() => clockCheck.readSignatures(store, log));
  return { store, embedded: undefined, shared: { store, database: watch }, clockCheck, ready };
}

/** A store that was never moved holds data that customers miss; after a move it can be removed. */
export function warnOfUnusedStore(folder: string, log: Log): void {
  const path = storePath(folder);
  if (!existsSync(path)) return;
  log.warn(
    { path },
    'the embedded store in the data folder is not used with PostgreSQL: copy it with zonewright move, or remove it',
  );
}
