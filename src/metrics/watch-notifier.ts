import type { Registry } from 'prom-client';
import { oneSample, watchCounter } from './watched-metric.ts';

/** The notifications that this process has sent to parent zones. */
export interface NotifierFigures {
  /** Changes since the start that a parent zone was told of. */
  readonly told: number;
  /** Changes since the start of which no target has taken note, or that were too many. */
  readonly untold: number;
}

export function watchNotifier(registry: Registry, read: () => NotifierFigures): void {
  watchCounter(registry, {
    name: 'zonewright_cds_notifications_total',
    help: 'Changes of CDS records that parent zones were told of.',
    read: () => oneSample(read().told),
  });
  watchCounter(registry, {
    name: 'zonewright_cds_notification_failures_total',
    help: 'Changes of CDS records that a parent zone wants to be told of, and could not be.',
    read: () => oneSample(read().untold),
  });
}
