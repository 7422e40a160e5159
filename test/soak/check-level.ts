// Checks whether a figure stays level, by the medians of the first, second and last third of its samples: garbage
// collection, a busy moment or a single outlier do not matter, while a leak shows in both steps.

import type { ProcessSample } from './sample-process.ts';

/**
 * SQLite's caches fill with written data, and malloc's arenas settle: 20 of 140 MB in the first five minutes. Beyond
 * that, five minutes reveal 400 octets leaked per query or 3 KB per write; an hour reveals a twelfth of that.
 */
const MOST_MEMORY_RISE = 0.2;
const MEMORY_SLACK_BYTES = 16 * 2 ** 20;
/** Connections vary with the pools of the load; files do not. */
const MOST_FILES_RISE = 5;

/** Returns sentences about figures that rise steadily. */
export function checkLevel(name: string, samples: readonly ProcessSample[]): string[] {
  const memory = splitThirds(samples.map(({ memoryBytes }) => memoryBytes));
  const files = splitThirds(samples.map(({ openFiles }) => openFiles));
  const mostRise = Math.max(memory[0] * MOST_MEMORY_RISE, MEMORY_SLACK_BYTES);
  const problems: string[] = [];
  if (risesSteadily(memory, mostRise))
    problems.push(`${name}: memory rises steadily: ${memory.map(formatMegabytes).join(', ')}`);
  if (risesSteadily(files, MOST_FILES_RISE))
    problems.push(`${name}: open files rise steadily: ${files.join(', ')}`);
  return problems;
}

/** The medians of the first, second and last third of the samples. */
export function splitThirds(values: readonly number[]): readonly [number, number, number] {
  const third = Math.ceil(values.length / 3);
  return [
    median(values.slice(0, third)),
    median(values.slice(third, 2 * third)),
    median(values.slice(2 * third)),
  ];
}

/** True if the figure rises in both steps, and by more than `most` in total. */
function risesSteadily([first, second, last]: readonly [number, number, number], most: number): boolean {
  return first < second && second < last && last - first > most;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
