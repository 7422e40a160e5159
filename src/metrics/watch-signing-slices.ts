import type { Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The signing of large domains by this process. */
export interface SigningSlicesFigures {
  /** Domains whose signatures are made or removed in slices, at the last look. */
  readonly inProgress: number;
  /** Slices since the start. */
  readonly slices: number;
  /** Slices since the start that have failed. */
  readonly failures: number;
}

export function watchSigningSlices(registry: Registry, read: () => SigningSlicesFigures): void {
  watchGauge(registry, {
    name: 'zonewright_domains_in_signing',
    help: 'Large domains whose signatures are being made or removed, counted to 10,000.',
    read: () => oneSample(read().inProgress),
  });
  watchCounter(registry, {
    name: 'zonewright_signing_slices_total',
    help: 'Slices of large domains that have been signed, or whose signatures have been removed.',
    read: () => oneSample(read().slices),
  });
  watchCounter(registry, {
    name: 'zonewright_signing_slice_failures_total',
    help: 'Slices of large domains that have failed, each time.',
    read: () => oneSample(read().failures),
  });
}
