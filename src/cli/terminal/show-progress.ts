import { formatSeconds } from './format-seconds.ts';
import type { Terminal } from './terminal.ts';

/**
 * Progress of a long task on stderr: one redrawn line on a terminal, otherwise a new line every ten seconds. A task
 * that ends before the first such line prints nothing.
 */
export interface Progress {
  readonly advance: (count: number) => void;
  /** Ends the line; may be called repeatedly. */
  readonly finish: () => void;
}

export interface Task {
  /** `copying` */
  readonly phase: string;
  readonly total: number;
  /** `records` */
  readonly unit: string;
}

/** Often enough to look alive. */
const REDRAW_INTERVAL_MS = 100;

/** Keeps the log of a nightly job short. */
const LINE_INTERVAL_MS = 10_000;

/** Leaves room for millions of rows and their rate on a terminal of usual width. */
const BAR_CELLS = 12;

/** Narrower terminals show no bar. */
const MIN_COLUMNS_OF_BAR = 80;

const numbers = new Intl.NumberFormat('en');

/** Shows the progress of some work and ends the line even if the work fails. */
export async function withProgress<T>(
  terminal: Terminal,
  task: Task,
  work: (advance: (count: number) => void) => Promise<T>,
): Promise<T> {
  const progress = showProgress(terminal, task, () => performance.now());
  try {
    return await work(progress.advance);
  } finally {
    progress.finish();
  }
}

/** @param nowMs a monotonic clock */
export function showProgress(terminal: Terminal, task: Task, nowMs: () => number): Progress {
  const { total } = task;
  const columns = terminal.stderrColumns;
  const startMs = nowMs();
  let shownMs = startMs;
  let done = 0;
  let shownLength = 0;
  const draw = (width: number): void => {
    // The line must not wrap, because a second line could not be redrawn.
    const limit = Math.max(0, width - 1);
    const bar = width < MIN_COLUMNS_OF_BAR ? '' : formatBar(done, total);
    const line = `${bar}${formatAdvance(task, done, shownMs - startMs)}`.slice(0, limit);
    // Spaces overwrite the rest of a longer line; more of them would wrap if the terminal became narrower.
    terminal.complain(`\r${line.padEnd(Math.min(shownLength, limit))}`);
    shownLength = line.length;
  };
  if (columns !== undefined && total > 0) draw(columns());
  return {
    advance(count) {
      done += count;
      const now = nowMs();
      const isOver = columns !== undefined && done >= total;
      if (!isOver && now - shownMs < (columns === undefined ? LINE_INTERVAL_MS : REDRAW_INTERVAL_MS)) return;
      shownMs = now;
      if (columns === undefined) terminal.complain(`${formatAdvance(task, done, shownMs - startMs)}\n`);
      else draw(columns());
    },
    finish() {
      if (shownLength > 0) terminal.complain('\n');
      shownLength = 0;
    },
  };
}

function formatBar(done: number, total: number): string {
  const filled = Math.min(BAR_CELLS, Math.floor((done / total) * BAR_CELLS));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}] `;
}

/** `copying: 120,000 of 1,000,000 rows, 31,000/s, 29 s left` */
function formatAdvance({ phase, total, unit }: Task, done: number, elapsedMs: number): string {
  const state = `${phase}: ${numbers.format(done)} of ${numbers.format(total)} ${unit}`;
  if (done === 0 || elapsedMs === 0) return state;
  const perSecond = (done / elapsedMs) * 1000;
  const rate = `${state}, ${formatRate(perSecond)}/s`;
  return done >= total ? rate : `${rate}, ${formatSeconds((total - done) / perSecond)} left`;
}

function formatRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : numbers.format(Math.round(perSecond));
}
