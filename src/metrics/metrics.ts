/**
 * What Prometheus scrapes: one registry a process, in which each part registers what it counts.
 *
 *     http, store, publisher ─ told when it happens ─▶ observers ─┐
 *     nameserver, zones, feed ◀─ read at each scrape ─ watchers ──┴▶ registry ─ render() ─▶ /metrics
 *
 * Knows no part of ours: parts are told to it by `app` as plain figures and functions. Label sets are bounded: none is
 * by domain, by key or by client. Nothing of it runs where queries are answered.
 */

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  readonly contentType: string;
  /** All metrics in the text format of Prometheus, version 0.0.4. */
  render(): Promise<string>;
}

/** What runs, for `zonewright_build_info`. */
export interface BuildInfo {
  readonly version: string;
  readonly role: string;
  readonly engine: string;
}

export function createMetrics(build: BuildInfo): Metrics {
  const registry = new Registry();
  const info = new Gauge({
    name: 'zonewright_build_info',
    help: 'Which programme runs, in which role and on which database; always 1.',
    labelNames: ['version', 'role', 'engine'],
    registers: [registry],
  });
  info.set({ version: build.version, role: build.role, engine: build.engine }, 1);
  // The names that every dashboard for Node knows: process_…, nodejs_…
  collectDefaultMetrics({ register: registry });
  return { registry, contentType: registry.contentType, render: () => registry.metrics() };
}
