import type { Registry } from 'prom-client';
import { oneSample, watchGauge } from './watched-metric.ts';

/** In which a copy of the feed can be. */
export const feedPhases = ['following', 'copying', 'away'] as const;

/** How far this process has come with the feed of changes. */
export interface FeedFigures {
  /** The last change that is being served. */
  readonly position: number;
  /** The feed's last change, as far as this process knows; null: it was never told. */
  readonly end: number | null;
  /** Null: not known. */
  readonly lagSeconds: number | null;
  readonly phase: (typeof feedPhases)[number];
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
    help: 'How far what this process serves may be behind the database; 0: it is current.',
    read: async () => oneSample((await read()).lagSeconds),
  });
  watchGauge(registry, {
    name: 'zonewright_feed_phase',
    help: '1 for the phase that the copy is in: following the feed, copying all anew, or away from the database.',
    labelNames: ['phase'],
    read: async () => {
      const { phase } = await read();
      return feedPhases.map((each) => ({ labels: { phase: each }, value: each === phase ? 1 : 0 }));
    },
  });
}

/** @param read the number of the last change; null: not known */
export function watchFeedEnd(registry: Registry, read: () => Promise<number | null>): void {
  watchGauge(registry, {
    name: 'zonewright_feed_end',
    help: 'Number of the last change that there is, as far as this process knows.',
    read: async () => oneSample(await read()),
  });
}

/** What the database knows of one nameserver process. */
export interface NameserverFigures {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly reportAgeSeconds: number;
}

/** @param read all nameserver processes, none where the database is away; their number is the operator's choice */
export function watchNameservers(
  registry: Registry,
  read: () => Promise<readonly NameserverFigures[]>,
): void {
  watchGauge(registry, {
    name: 'zonewright_nameserver_feed_position',
    help: 'Number of the last change that a nameserver process has reported to serve.',
    labelNames: ['id', 'nameserver'],
    read: async () =>
      (await read()).map(({ id, name, position }) => ({ labels: { id, nameserver: name }, value: position })),
  });
  watchGauge(registry, {
    name: 'zonewright_nameserver_report_age_seconds',
    help: 'How long ago a nameserver process has reported.',
    labelNames: ['id', 'nameserver'],
    read: async () =>
      (await read()).map(({ id, name, reportAgeSeconds }) => ({
        labels: { id, nameserver: name },
        value: reportAgeSeconds,
      })),
  });
}
