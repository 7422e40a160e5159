import type { HttpMetrics } from '../http/http-app-options.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { observeHttp } from '../metrics/observe-http.ts';
import { watchStoreQueue } from '../metrics/observe-store.ts';
import { watchFeed } from '../metrics/watch-feed.ts';
import type { ZoneCopy } from '../store/follower/zone-copy.ts';
import type { SqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Config } from './config-settings.ts';
import { packageVersion } from './package-version.ts';

/** What this process counts; parts add theirs as they start. */
export interface ServiceMetrics extends HttpMetrics {
  readonly registry: Metrics['registry'];
}

export function createServiceMetrics({ role, database }: Config): ServiceMetrics {
  const metrics = createMetrics({ version: packageVersion(), role, engine: database.kind });
  return { ...metrics, requests: observeHttp(metrics.registry) };
}

/** The embedded store is served from directly: there is nothing to follow. */
export function watchEmbeddedStore({ registry }: ServiceMetrics, store: SqliteStore): void {
  watchStoreQueue(registry, () => store.queuedCommands());
  watchFeed(registry, async () => {
    const seq = await store.lastSeq();
    return { position: seq, end: seq, lagSeconds: 0, phase: 'following' };
  });
}

export function watchCopy({ registry }: ServiceMetrics, copy: ZoneCopy): void {
  watchFeed(registry, () => {
    const { phase, seq, feedSeq, lagMs } = copy.state();
    return { position: seq, end: feedSeq, lagSeconds: lagMs === null ? null : lagMs / 1000, phase };
  });
}
