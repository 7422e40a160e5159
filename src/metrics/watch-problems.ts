import type { Registry } from 'prom-client';
import { oneSample, watchGauge } from './watched-metric.ts';

export interface ProblemFigures {
  /** A figure for each problem that this process checks for. */
  problems(): readonly { readonly problem: string; readonly exists: boolean }[];
  /** Null: not known, or this process keeps no data. */
  freeBytes(): number | null;
  /** How far the clock of this process is ahead of that of the database; null: not known, or there is none. */
  clockOffsetMs(): number | null;
}

export function watchProblems(registry: Registry, figures: ProblemFigures): void {
  watchGauge(registry, {
    name: 'zonewright_problem',
    help: '1 while the problem exists that the label names; /readyz has a sentence for it.',
    labelNames: ['problem'],
    read: () =>
      figures.problems().map(({ problem, exists }) => ({ labels: { problem }, value: exists ? 1 : 0 })),
  });
  watchGauge(registry, {
    name: 'zonewright_data_free_bytes',
    help: 'Free space of the file system of the data folder.',
    read: () => oneSample(figures.freeBytes()),
  });
  watchGauge(registry, {
    name: 'zonewright_database_clock_offset_seconds',
    help: 'How far the clock of this process is ahead of that of the database.',
    read: () => {
      const offsetMs = figures.clockOffsetMs();
      return oneSample(offsetMs === null ? null : offsetMs / 1000);
    },
  });
}
