import type { Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The watch of domains that wait for their first DS record by this process. */
export interface BootstrapFigures {
  /** Domains that are signalled while they wait; 0 without a signalling domain. */
  readonly waiting: number;
  /** Records of all signalling domains. */
  readonly records: number;
  /** Commands since the start that have changed signalling records. */
  readonly updates: number;
  /** Commands since the start that were refused, and passes that have failed. */
  readonly failures: number;
}

export function watchBootstrap(registry: Registry, read: () => BootstrapFigures): void {
  watchGauge(registry, {
    name: 'zonewright_bootstrap_domains',
    help: 'Domains that are signalled until the parent zone has their first DS record, at most 100,000.',
    read: () => oneSample(read().waiting),
  });
  watchGauge(registry, {
    name: 'zonewright_signalling_records',
    help: 'Records in the signalling domains of the operator.',
    read: () => oneSample(read().records),
  });
  watchCounter(registry, {
    name: 'zonewright_signalling_updates_total',
    help: 'Commands that have changed signalling records.',
    read: () => oneSample(read().updates),
  });
  watchCounter(registry, {
    name: 'zonewright_signalling_failures_total',
    help: 'Commands and passes that could not bring signalling records in line, each time.',
    read: () => oneSample(read().failures),
  });
}
