import type { Registry } from 'prom-client';
import { oneSample, watchGauge } from './watched-metric.ts';

/** @param read returns the seconds until the certificate expires, negative afterwards; null: there is none that can be used */
export function watchCertificate(registry: Registry, read: () => number | null): void {
  watchGauge(registry, {
    name: 'zonewright_tls_certificate_expiry_seconds',
    help: 'Time until the certificate of HTTPS that is in use expires; negative afterwards.',
    read: () => oneSample(read()),
  });
}
