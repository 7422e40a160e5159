/**
 * Prometheus metrics: one registry per process, in which components register counters, gauges and callbacks.
 *
 *     http, store, publisher ─ report each event ────▶ observers ─┐
 *     nameserver, zones, feed ◀─ read at each scrape ─ watchers ──┴▶ registry ─ render() ─▶ /metrics
 *
 * Imports no other component: `app` passes in plain figures and functions. Label sets are bounded: no label contains a
 * domain, a key or a client. No metrics code runs on the threads that answer queries.
 */

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly contentType: string;
  /** All metrics in the text format of Prometheus, version 0.0.4. */
  render(): Promise<string>;
}

/** Version, role and store, for `zonewright_build_info`. */
export interface BuildInfo {
  readonly version: string;
  readonly role: string;
  readonly engine: string;
}

export function createMetrics(build: BuildInfo): Metrics {
  const registry = new Registry();
  const info = new Gauge({
    name: 'zonewright_build_info',
    help: 'Version, role and database engine of this process; always 1.',
    labelNames: ['version', 'role', 'engine'],
    registers: [registry],
  });
  info.set({ version: build.version, role: build.role, engine: build.engine }, 1);
  // The standard names of Node dashboards: process_…, nodejs_…
  collectDefaultMetrics({ register: registry });
  return { registry, contentType: registry.contentType, render: () => registry.metrics() };
}
