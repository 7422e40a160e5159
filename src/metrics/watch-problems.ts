import type { Registry } from 'prom-client';
import { watchGauge } from './watched-metric.ts';

export interface ProblemFigure {
  readonly problem: string;
  readonly exists: boolean;
}

/** @param read returns a figure for each problem that this process checks for */
export function watchProblems(registry: Registry, read: () => readonly ProblemFigure[]): void {
  watchGauge(registry, {
    name: 'zonewright_problem',
    help: '1 while the problem exists that the label names; /readyz has a sentence for it.',
    labelNames: ['problem'],
    read: () => read().map(({ problem, exists }) => ({ labels: { problem }, value: exists ? 1 : 0 })),
  });
}
