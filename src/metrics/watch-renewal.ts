import type { Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The renewal of signatures by this process. */
export interface RenewalFigures {
  /** Domains that were due at the last look, up to a limit. */
  readonly due: number;
  /** For how long the most overdue domain has been due. */
  readonly overdueSeconds: number;
  /** Commands since the start that have renewed signatures. */
  readonly renewed: number;
  /** Commands since the start that have failed. */
  readonly failures: number;
}

export function watchRenewal(registry: Registry, read: () => RenewalFigures): void {
  watchGauge(registry, {
    name: 'zonewright_signature_renewals_due',
    help: 'Signed domains whose signatures are to be renewed, counted to 10,000.',
    read: () => oneSample(read().due),
  });
  watchGauge(registry, {
    name: 'zonewright_signature_renewal_overdue_seconds',
    help: 'Time since the most overdue domain should have been renewed; 15 days later its signatures expire.',
    read: () => oneSample(read().overdueSeconds),
  });
  watchCounter(registry, {
    name: 'zonewright_signature_renewals_total',
    help: 'Commands that have renewed signatures, each of up to 1,000 names.',
    read: () => oneSample(read().renewed),
  });
  watchCounter(registry, {
    name: 'zonewright_signature_renewal_failures_total',
    help: 'Renewals that have failed.',
    read: () => oneSample(read().failures),
  });
}
