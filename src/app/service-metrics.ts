import type { HttpMetrics } from '../http/http-app-options.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { observeConnections, observeHttp } from '../metrics/observe-http.ts';
import { watchStoreQueue, watchStoreReads } from '../metrics/observe-store.ts';
import { watchFeed, watchFeedEnd, watchNameservers } from '../metrics/watch-feed.ts';
import type { FollowedZones } from '../store/followed-zones.ts';
import type { PostgresStore } from '../store/postgres/postgres-store.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Config } from './config-settings.ts';
import { packageVersion } from './package-version.ts';

/** The metrics of a process that speaks HTTP. */
export interface ServiceMetrics extends HttpMetrics {
  readonly registry: Metrics['registry'];
}

/** The metrics of this process; parts register theirs as they start. */
export function createProcessMetrics({ role, database }: Config): Metrics {
  return createMetrics({ version: packageVersion(), role, engine: database.kind });
}

export function createServiceMetrics(config: Config): ServiceMetrics {
  const metrics = createProcessMetrics(config);
  const { registry } = metrics;
  return { ...metrics, requests: observeHttp(registry), connections: observeConnections(registry) };
}

type Registered = Pick<Metrics, 'registry'>;

export function watchEmbeddedStore({ registry }: Registered, store: SqliteStore): void {
  watchStoreQueue(registry, () => store.queuedCommands());
}

export function watchFollowedZones({ registry }: Registered, zones: FollowedZones): void {
  watchFeed(registry, () => {
    const { phase, seq, feedSeq, lagMs, doubt } = zones.state();
    const lagSeconds = lagMs === null ? null : lagMs / 1000;
    const isProven = doubt?.about !== 'all';
    return {
      position: seq,
      end: feedSeq,
      lagSeconds,
      phase,
      isProven,
      damagedZones: doubt?.damagedZones ?? 0,
    };
  });
}

/** @param isLinked the nameserver process beside this one reports the end of the feed */
export function watchSharedStore({ registry }: Registered, store: PostgresStore, isLinked: boolean): void {
  watchStoreQueue(registry, () => store.queuedCommands());
  watchStoreReads(registry, () => store.pendingReads());
  if (!isLinked) watchFeedEnd(registry, () => inTime(store.lastSeq(), null));
  watchNameservers(registry, async () => {
    const reports = await inTime(store.nameserverReports(), []);
    return reports.map(({ id, name, seq, ageMs }) => ({
      id,
      name,
      position: seq,
      reportAgeSeconds: ageMs / 1000,
    }));
  });
}

/** A slow or absent database must not withhold all other metrics: a scrape has ten seconds. */
const DATABASE_WAIT_MS = 1_000;

/** Returns what was read, or `otherwise` if reading fails or takes too long. */
async function inTime<T>(read: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<T>(
    (resolve) => (timer = setTimeout(() => resolve(otherwise), DATABASE_WAIT_MS)),
  );
  const known = await Promise.race([read.catch(() => otherwise), tooLate]);
  clearTimeout(timer);
  return known;
}
