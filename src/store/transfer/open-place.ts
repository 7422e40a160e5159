import { openPostgresSource } from '../postgres/postgres-transfer-source.ts';
import { openPostgresTarget } from '../postgres/postgres-transfer-target.ts';
import { openSqliteFolder } from '../sqlite/sqlite-transfer-source.ts';
import { openSqliteTarget } from '../sqlite/sqlite-transfer-target.ts';
import type { StorePlace } from './store-place.ts';
import type { OpenTransferSource, TransferTarget } from './transfer-ends.ts';

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
