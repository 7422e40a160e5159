import { openPostgresSource } from './postgres-migration-source.ts';
import { openPostgresTarget } from './postgres-migration-target.ts';
import { openSqliteFolder } from './sqlite-migration-source.ts';
import { openSqliteTarget } from './sqlite-migration-target.ts';
import type { StorePlace } from './store-place.ts';
import type { OpenTransferSource, TransferTarget } from './migration-ends.ts';

/**
 * @param use `alone`: nothing else may write to the store until this is closed.
 * @throws StoreOpenError, TransferError or StoreUnavailable with one sentence.
 */
export async function openSource(place: StorePlace, use: 'alone' | 'shared'): Promise<OpenTransferSource> {
  return place.kind === 'postgres'
    ? await openPostgresSource(place.address, use)
    : openSqliteFolder(place.folder, use);
}

/** @throws StoreOpenError, TransferError or StoreUnavailable with one sentence. */
export async function openTarget(place: StorePlace, nowMs: number): Promise<TransferTarget> {
  return place.kind === 'postgres'
    ? await openPostgresTarget(place.address, nowMs)
    : openSqliteTarget(place.folder, nowMs);
}
