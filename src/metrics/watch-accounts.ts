import type { Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The work of this process on suspended and deleted accounts. */
export interface AccountFigures {
  /** Accounts that are due, at the last look. */
  readonly due: number;
  /** Slices since the start. */
  readonly slices: number;
  /** Slices since the start that have failed. */
  readonly failures: number;
}

export function watchAccounts(registry: Registry, read: () => AccountFigures): void {
  watchGauge(registry, {
    name: 'zonewright_accounts_due',
    help: 'Accounts whose domains are being withheld or served again, or which are being removed, counted to 100.',
    read: () => oneSample(read().due),
  });
  watchCounter(registry, {
    name: 'zonewright_account_slices_total',
    help: 'Slices of suspended and deleted accounts that have been carried out.',
    read: () => oneSample(read().slices),
  });
  watchCounter(registry, {
    name: 'zonewright_account_slice_failures_total',
    help: 'Slices of suspended and deleted accounts that have failed, each time.',
    read: () => oneSample(read().failures),
  });
}
