// The embedded store together with the follower that serves its zones in another process; here both are in one. The writer
// thread sends its commits to the follower as in the service.
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../base/log.ts';
import { openSqliteStore, type SqliteStore } from '../sqlite/sqlite-store.ts';
import type { SqliteStoreOptions } from '../sqlite/sqlite-store-options.ts';
import { SqliteFeedFollower } from '../sqlite/sqlite-feed-follower.ts';
import { storePath } from '../sqlite/open-store-files.ts';
import { readWakes } from '../sqlite/read-wakes.ts';
import { LocalServer } from '../local-sockets.ts';
import type { ZoneSource } from '../store.ts';

export interface ServedStore extends SqliteStore, ZoneSource {
  /** The serials of domains that are served in a former version. */
  readonly formerSerials: Map<string, number>;
}

/** Writes are answered when every listener has their changes, as in the service. */
export async function openServedStore(options: Omit<SqliteStoreOptions, 'served'>): Promise<ServedStore> {
  const waiting: { readonly seq: number; readonly resolve: () => void }[] = [];
  const formerSerials = new Map<string, number>();
  let seq = 0;
  const afterCommit = (lastSeq: number): Promise<void> =>
    lastSeq <= seq ? Promise.resolve() : new Promise((resolve) => waiting.push({ seq: lastSeq, resolve }));
  const socketFolder = await mkdtemp(join(tmpdir(), 'zonewright-served-'));
  const wakePath = join(socketFolder, 'wake');
  const connections = new EventEmitter();
  const wakes = await LocalServer.open(wakePath, (socket) => void connections.emit('connection', socket));
  const connected = once(connections, 'connection') as Promise<[Socket]>;
  const store = await openSqliteStore({
    ...options,
    served: {
      wakePath,
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
  zones.onProgress(() => {
    for (seq = zones.state().seq; (waiting[0]?.seq ?? Infinity) <= seq;) waiting.shift()?.resolve();
  });
  const [socket] = await connected;
  readWakes(socket, zones);
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
      await wakes.close();
      await rm(socketFolder, { recursive: true, force: true });
    },
  });
}
