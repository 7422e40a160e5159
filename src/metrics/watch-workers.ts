import type { Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The current state of the nameserver threads. */
export interface WorkerFigures {
  readonly workers: number;
  readonly answering: number;
  /** Count since the start. */
  readonly fell: number;
  readonly hung: number;
}

export function watchWorkers(registry: Registry, read: () => WorkerFigures): void {
  watchGauge(registry, {
    name: 'zonewright_dns_workers',
    help: 'Configured number of nameserver threads.',
    read: () => oneSample(read().workers),
  });
  watchGauge(registry, {
    name: 'zonewright_dns_workers_answering',
    help: 'Threads with open sockets that respond.',
    read: () => oneSample(read().answering),
  });
  watchCounter(registry, {
    name: 'zonewright_dns_worker_replacements_total',
    help: 'Threads replaced after a crash or a hang; both are bugs.',
    labelNames: ['cause'],
    read: () => [
      { labels: { cause: 'fell' }, value: read().fell },
      { labels: { cause: 'hung' }, value: read().hung },
    ],
  });
}
