import type { Registry } from 'prom-client';
import { oneSample, watchGauge } from './watched-metric.ts';

/** The phases of a zone copy. */
export const feedPhases = ['following', 'copying', 'away'] as const;

/** The state of this process relative to the feed. */
export interface FeedFigures {
  /** Number of the last change that is served. */
  readonly position: number;
  /** Number of the feed's last change; null until this process learns it. */
  readonly end: number | null;
  /** Null if unknown. */
  readonly lagSeconds: number | null;
  readonly phase: (typeof feedPhases)[number];
  /** Zones whose stored rows were found wrong and that were not made right yet. */
  readonly damagedZones: number;
  /** False while any zone may differ from the database. */
  readonly isProven: boolean;
}

export function watchFeed(registry: Registry, read: () => FeedFigures | Promise<FeedFigures>): void {
  watchGauge(registry, {
    name: 'zonewright_feed_position',
    help: 'Number of the last change that this process serves.',
    read: async () => oneSample((await read()).position),
  });
  watchFeedEnd(registry, async () => (await read()).end);
  watchGauge(registry, {
    name: 'zonewright_feed_lag_seconds',
    help: 'How far this process may be behind the database; 0: it is current.',
    read: async () => oneSample((await read()).lagSeconds),
  });
  watchGauge(registry, {
    name: 'zonewright_copy_damaged_zones',
    help: 'Zones whose stored rows were found damaged and that were not copied again yet.',
    read: async () => oneSample((await read()).damagedZones),
  });
  watchGauge(registry, {
    name: 'zonewright_copy_proven',
    help: '1 if the zones are known to be those of the database, apart from damaged ones that are known; else 0.',
    read: async () => oneSample((await read()).isProven ? 1 : 0),
  });
  watchGauge(registry, {
    name: 'zonewright_feed_phase',
    help: '1 for the current phase of the zone copy: following the feed, copying everything, or away from the database.',
    labelNames: ['phase'],
    read: async () => {
      const { phase } = await read();
      return feedPhases.map((each) => ({ labels: { phase: each }, value: each === phase ? 1 : 0 }));
    },
  });
}

/** @param read returns the number of the last change; null if unknown */
export function watchFeedEnd(registry: Registry, read: () => Promise<number | null>): void {
  watchGauge(registry, {
    name: 'zonewright_feed_end',
    help: 'Number of the last change in the feed, as far as this process knows.',
    read: async () => oneSample(await read()),
  });
}

/** The database's knowledge of one nameserver process. */
export interface NameserverFigures {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly reportAgeSeconds: number;
}

/**
 * @param read returns all nameserver processes, or none if the database is away; their number is limited by the
 * operator
 */
export function watchNameservers(
  registry: Registry,
  read: () => Promise<readonly NameserverFigures[]>,
): void {
  watchGauge(registry, {
    name: 'zonewright_nameserver_feed_position',
    help: 'Number of the last change that a nameserver process reports to serve.',
    labelNames: ['id', 'nameserver'],
    read: async () =>
      (await read()).map(({ id, name, position }) => ({ labels: { id, nameserver: name }, value: position })),
  });
  watchGauge(registry, {
    name: 'zonewright_nameserver_report_age_seconds',
    help: 'Time since the last report of a nameserver process.',
    labelNames: ['id', 'nameserver'],
    read: async () =>
      (await read()).map(({ id, name, reportAgeSeconds }) => ({
        labels: { id, nameserver: name },
        value: reportAgeSeconds,
      })),
  });
}
