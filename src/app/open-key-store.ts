import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { KeyStore } from '../store/key-store.ts';
import { openPostgresKeyStore } from '../store/postgres/postgres-key-store.ts';
import { openSqliteKeyStore } from '../store/sqlite/sqlite-key-store.ts';
import type { StorePlace } from '../migration/store-place.ts';

/** @throws StoreOpenError or StoreUnavailable with one sentence. */
export async function openKeyStore(place: StorePlace, clock: Clock, log: Log): Promise<KeyStore> {
  return place.kind === 'postgres'
    ? await openPostgresKeyStore(place.address, clock, log)
    : openSqliteKeyStore(place.folder);
}
