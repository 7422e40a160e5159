import type { Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The nameserver's threads at one moment. */
export interface WorkerFigures {
  readonly workers: number;
  readonly answering: number;
  /** Since the start. */
  readonly fell: number;
  readonly hung: number;
}

export function watchWorkers(registry: Registry, read: () => WorkerFigures): void {
  watchGauge(registry, {
    name: 'zonewright_dns_workers',
    help: 'Threads that there are to be to answer queries.',
    read: () => oneSample(read().workers),
  });
  watchGauge(registry, {
    name: 'zonewright_dns_workers_answering',
    help: 'Threads that have their sockets open and give a sign of life.',
    read: () => oneSample(read().answering),
  });
  watchCounter(registry, {
    name: 'zonewright_dns_worker_replacements_total',
    help: 'Threads that were replaced, because they fell or because they hung; both are bugs.',
    labelNames: ['cause'],
    read: () => [
      { labels: { cause: 'fell' }, value: read().fell },
      { labels: { cause: 'hung' }, value: read().hung },
    ],
  });
}
