import { openPostgresSource } from './postgres-source.ts';
import { openPostgresTarget } from './postgres-target.ts';
import { openSqliteFolder } from './sqlite-source.ts';
import { openSqliteTarget } from './sqlite-target.ts';
import type { StorePlace } from './store-place.ts';
import type { MigrationSource, MigrationTarget } from './store-content.ts';

/**
 * @param use `alone`: nothing else may write to the store until the source is closed
 * @throws StoreOpenError, MigrationError or StoreUnavailable with one sentence
 */
export async function openSource(place: StorePlace, use: 'alone' | 'shared'): Promise<MigrationSource> {
  return place.kind === 'postgres'
    ? await openPostgresSource(place.address, use)
    : openSqliteFolder(place.folder, use);
}

/** @throws StoreOpenError, MigrationError or StoreUnavailable with one sentence */
export async function openTarget(place: StorePlace, nowMs: number): Promise<MigrationTarget> {
  return place.kind === 'postgres'
    ? await openPostgresTarget(place.address, nowMs)
    : openSqliteTarget(place.folder, nowMs);
}
