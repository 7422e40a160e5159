import type { Registry } from 'prom-client';
import { oneSample, watchCounter } from './watched-metric.ts';

/** Counters of the nameserver threads since the start. */
export interface DnsFigures {
  readonly queries: readonly { readonly type: string; readonly transport: string; readonly count: number }[];
  readonly answers: readonly { readonly code: string; readonly transport: string; readonly count: number }[];
  readonly events: {
    readonly malformed: number;
    readonly rateLimited: number;
    readonly slipped: number;
    readonly truncated: number;
    readonly zoneHit: number;
    readonly zoneWait: number;
  };
  readonly byWorker: readonly number[];
}

/** @param read returns the sums of all threads; called a few times per scrape */
export function watchDns(registry: Registry, read: () => DnsFigures): void {
  watchCounter(registry, {
    name: 'zonewright_dns_queries_total',
    help: 'Queries by type; other: types without a name and unreadable questions.',
    labelNames: ['type', 'transport'],
    read: () =>
      read().queries.map(({ type, transport, count }) => ({ labels: { type, transport }, value: count })),
  });
  watchCounter(registry, {
    name: 'zonewright_dns_answers_total',
    help: 'Answers by response code.',
    labelNames: ['rcode', 'transport'],
    read: () =>
      read().answers.map(({ code, transport, count }) => ({
        labels: { rcode: code, transport },
        value: count,
      })),
  });
  watchCounter(registry, {
    name: 'zonewright_dns_worker_queries_total',
    help: 'Queries by thread.',
    labelNames: ['worker'],
    read: () =>
      read().byWorker.map((count, worker) => ({ labels: { worker: String(worker) }, value: count })),
  });
  watchEvents(registry, () => read().events);
}

function watchEvents(registry: Registry, read: () => DnsFigures['events']): void {
  watchCounter(registry, {
    name: 'zonewright_dns_dropped_total',
    help: 'Messages without an answer: malformed messages and rate-limited queries.',
    labelNames: ['reason'],
    read: () => [
      { labels: { reason: 'malformed' }, value: read().malformed },
      { labels: { reason: 'rate_limited' }, value: read().rateLimited },
    ],
  });
  watchCounter(registry, {
    name: 'zonewright_dns_slipped_total',
    help: 'Rate-limited queries answered empty, so that a real client retries over TCP or with a cookie.',
    read: () => oneSample(read().slipped),
  });
  watchCounter(registry, {
    name: 'zonewright_dns_truncated_total',
    help: 'Answers truncated over UDP, so that the client retries over TCP.',
    read: () => oneSample(read().truncated),
  });
  watchCounter(registry, {
    name: 'zonewright_zone_hits_total',
    help: 'Queries whose zone was in memory.',
    read: () => oneSample(read().zoneHit),
  });
  watchCounter(registry, {
    name: 'zonewright_zone_waits_total',
    help: 'Queries whose zone had to be loaded first.',
    read: () => oneSample(read().zoneWait),
  });
}
