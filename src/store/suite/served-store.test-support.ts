// The embedded store together with the follower that serves its zones in another process; here both are in one.
import { silentLog } from '../../base/log.ts';
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from '../sqlite/sqlite-store.ts';
import { SqliteFeedFollower } from '../sqlite/sqlite-feed-follower.ts';
import { storePath } from '../sqlite/open-store-files.ts';
import type { ZoneSource } from '../store.ts';

export interface ServedStore extends SqliteStore, ZoneSource {
  /** The serials of domains that are served in a former version. */
  readonly formerSerials: Map<string, number>;
}

/** Writes are answered when every listener has their changes, as in the service. */
export async function openServedStore(options: Omit<SqliteStoreOptions, 'served'>): Promise<ServedStore> {
  const waiting: { readonly seq: number; readonly resolve: () => void }[] = [];
  const formerSerials = new Map<string, number>();
  let wake = (): void => undefined;
  const afterCommit = (seq: number): Promise<void> => {
    const served = new Promise<void>((resolve) => waiting.push({ seq, resolve }));
    wake();
    return served;
  };
  const store = await openSqliteStore({
    ...options,
    served: {
      beforeWrite: () => undefined,
      afterCommit,
      whenShown: () => undefined,
      formerSerial: (name) => formerSerials.get(name),
      isServing: () => true,
      serves: () => true,
    },
  });
  const zones = new SqliteFeedFollower({
    path: storePath(options.folder),
    log: silentLog,
    onLost: (reason) => {
      throw new Error(reason);
    },
  });
  wake = () => zones.wake();
  zones.onProgress(() => {
    for (const { seq } = zones.state(); (waiting[0]?.seq ?? Infinity) <= seq;) waiting.shift()?.resolve();
  });
  const closeStore = store.close.bind(store);
  return Object.assign(store, {
    formerSerials,
    onUpdate: (listener: Parameters<ZoneSource['onUpdate']>[0]) => zones.onUpdate(listener),
    readZone: (name: Parameters<ZoneSource['readZone']>[0]) => zones.readZone(name),
    accountOf: (name: Parameters<ZoneSource['accountOf']>[0]) => zones.accountOf(name),
    hostedCount: () => zones.hostedCount(),
    hostedNames: (after: string, limit: number) => zones.hostedNames(after, limit),
    close: async () => {
      await closeStore();
      zones.close();
    },
  });
}
