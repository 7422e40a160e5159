import type { Terminal } from './terminal.ts';

/**
 * How far a long task is, on stderr: one line that is drawn anew for a person, now and then a line of its own where stderr
 * is no terminal. A task that is over before the first such line says nothing there.
 */
export interface Progress {
  readonly advance: (count: number) => void;
  /** Ends the line, however far the task came; may be repeated. */
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

/** Rare enough for the log of a nightly job. */
const LINE_INTERVAL_MS = 10_000;

/** Beside it, millions of rows and their rate fit into the usual terminal. */
const BAR_CELLS = 12;

/** A terminal narrower than the usual one does without the bar. */
const MIN_COLUMNS_OF_BAR = 80;

const numbers = new Intl.NumberFormat('en');

/** Shows how far some work is, and ends the line however the work ended. */
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

/** @param nowMs any clock that only goes forward */
export function showProgress(terminal: Terminal, task: Task, nowMs: () => number): Progress {
  const { total } = task;
  const columns = terminal.stderrColumns;
  const startMs = nowMs();
  let shownMs = startMs;
  let done = 0;
  let shownLength = 0;
  const draw = (width: number): void => {
    // Never wrapped: a second line could not be drawn over.
    const limit = Math.max(0, width - 1);
    const bar = width < MIN_COLUMNS_OF_BAR ? '' : formatBar(done, total);
    const line = `${bar}${formatAdvance(task, done, shownMs - startMs)}`.slice(0, limit);
    // Blanks wipe out what a longer line left; more of them would wrap a terminal that became narrower.
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

function formatSeconds(exact: number): string {
  if (exact <= 90) return `${Math.ceil(exact)} s`;
  const minutes = exact / 60;
  return minutes <= 90 ? `${Math.ceil(minutes)} min` : `${Math.ceil(minutes / 60)} h`;
}
