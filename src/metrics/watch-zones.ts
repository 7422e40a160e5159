import { Counter, Histogram, type Registry } from 'prom-client';
import { oneSample, watchCounter, watchGauge } from './watched-metric.ts';

/** The current state of the zone memory. */
export interface ZoneFigures {
  readonly hosted: number;
  readonly loaded: number;
  readonly usedBytes: number;
  readonly limitBytes: number;
  /** Images evicted for others since the start. */
  readonly evictions: number;
}

export function watchZones(registry: Registry, read: () => ZoneFigures): void {
  watchGauge(registry, {
    name: 'zonewright_zones_hosted',
    help: 'Hosted zones, in memory or not.',
    read: () => oneSample(read().hosted),
  });
  watchGauge(registry, {
    name: 'zonewright_zones_loaded',
    help: 'Zones in memory.',
    read: () => oneSample(read().loaded),
  });
  watchGauge(registry, {
    name: 'zonewright_zone_memory_used_bytes',
    help: 'Zone memory in use.',
    read: () => oneSample(read().usedBytes),
  });
  watchGauge(registry, {
    name: 'zonewright_zone_memory_limit_bytes',
    help: 'Size of the zone memory.',
    read: () => oneSample(read().limitBytes),
  });
  watchCounter(registry, {
    name: 'zonewright_zone_evictions_total',
    help: 'Zones evicted from memory for others.',
    read: () => oneSample(read().evictions),
  });
}

/** Events that the publisher reports. */
export interface ZoneLoadObserver {
  zoneLoaded(durationMs: number): void;
  zoneLoadFailed(): void;
}

/** A small zone takes 50 µs, one of a million records seconds. */
const loadBucketsSeconds = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

export function observeZoneLoads(registry: Registry): ZoneLoadObserver {
  const durations = new Histogram({
    name: 'zonewright_zone_load_duration_seconds',
    help: 'Time to load a zone into memory.',
    buckets: loadBucketsSeconds,
    registers: [registry],
  });
  const failures = new Counter({
    name: 'zonewright_zone_load_failures_total',
    help: 'Zones that could not be loaded; queries for them were answered SERVFAIL.',
    registers: [registry],
  });
  return {
    zoneLoaded: (durationMs) => durations.observe(durationMs / 1000),
    zoneLoadFailed: () => failures.inc(),
  };
}
