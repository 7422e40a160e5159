import type { Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The watch of unverified domains by this process. */
export interface ClaimFigures {
  readonly unverified: number;
  /** Since the start. */
  readonly verified: number;
  readonly expired: number;
  /** Passes since the start that have failed. */
  readonly failures: number;
}

export function watchClaims(registry: Registry, read: () => ClaimFigures): void {
  watchGauge(registry, {
    name: 'zonewright_unverified_domains',
    help: 'Domains that are not served until control of them is shown, at most 100,000.',
    read: () => oneSample(read().unverified),
  });
  watchCounter(registry, {
    name: 'zonewright_claims_verified_total',
    help: 'Domains whose control was found to be shown, without anybody asking for a look.',
    read: () => oneSample(read().verified),
  });
  watchCounter(registry, {
    name: 'zonewright_claims_expired_total',
    help: 'Domains that were deleted because nobody had shown control of them in time.',
    read: () => oneSample(read().expired),
  });
  watchCounter(registry, {
    name: 'zonewright_claim_failures_total',
    help: 'Passes over unverified domains that have failed.',
    read: () => oneSample(read().failures),
  });
}
