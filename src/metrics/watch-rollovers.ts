import type { Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The watch of key rollovers by this process. */
export interface RolloverFigures {
  /** Domains with a rollover or a withdrawal at the last look. */
  readonly inProgress: number;
  /** Commands since the start that have carried one on. */
  readonly moved: number;
  /** Looks and commands since the start that have failed. */
  readonly failures: number;
}

export function watchRollovers(registry: Registry, read: () => RolloverFigures): void {
  watchGauge(registry, {
    name: 'zonewright_key_rollovers',
    help: 'Domains whose key is being exchanged or whose signing is being withdrawn, counted to 100,000.',
    read: () => oneSample(read().inProgress),
  });
  watchCounter(registry, {
    name: 'zonewright_key_rollover_moves_total',
    help: 'Commands that have carried key rollovers on.',
    read: () => oneSample(read().moved),
  });
  watchCounter(registry, {
    name: 'zonewright_key_rollover_failures_total',
    help: 'Key rollovers that could not be looked at or carried on, each time.',
    read: () => oneSample(read().failures),
  });
}
