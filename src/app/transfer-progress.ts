import type { Terminal } from '../cli/terminal.ts';
import type { TransferProgress } from '../store/transfer/copy-content.ts';

const BAR_CELLS = 24;

/** Often enough to look alive. */
const REDRAW_INTERVAL_MS = 100;

/** Rare enough for the log of a nightly backup. */
const LINE_INTERVAL_MS = 10_000;

const count = new Intl.NumberFormat('en');

/**
 * How far a transfer is, on stderr: a bar for a person, now and then a line otherwise.
 *
 * @param nowMs any clock that only goes forward.
 */
export function showProgress(terminal: Terminal, nowMs: () => number): TransferProgress {
  const intervalMs = terminal.isInteractive ? REDRAW_INTERVAL_MS : LINE_INTERVAL_MS;
  let state: Advance = { phase: '', rows: 0, totalRows: 0, elapsedMs: 0 };
  let startMs = 0;
  let shownMs = 0;
  const show = (): void => {
    const line = formatAdvance(state);
    const bar = formatBar(state);
    // Blanks wipe out what a longer line left there.
    terminal.complain(terminal.isInteractive ? `\r${bar} ${line.padEnd(70)}` : `${line}\n`);
  };
  return {
    start(phase, totalRows) {
      startMs = shownMs = nowMs();
      state = { phase, rows: 0, totalRows, elapsedMs: 0 };
    },
    advance(rows) {
      const now = nowMs();
      state = { ...state, rows: state.rows + rows, elapsedMs: now - startMs };
      const isBarFull = terminal.isInteractive && state.rows >= state.totalRows;
      if (!isBarFull && now - shownMs < intervalMs) return;
      shownMs = now;
      show();
      if (isBarFull) terminal.complain('\n');
    },
  };
}

interface Advance {
  readonly phase: string;
  readonly rows: number;
  readonly totalRows: number;
  readonly elapsedMs: number;
}

function formatBar({ rows, totalRows }: Advance): string {
  const filled = Math.min(BAR_CELLS, Math.floor((rows / totalRows) * BAR_CELLS));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}]`;
}

/** `copying: 1,200,000 of 2,000,000 rows, 45,000 a second, 18 s left` */
function formatAdvance({ phase, rows, totalRows, elapsedMs }: Advance): string {
  const perSecond = elapsedMs === 0 ? 0 : Math.round((rows / elapsedMs) * 1000);
  const done = `${phase}: ${count.format(rows)} of ${count.format(totalRows)} rows`;
  if (perSecond === 0) return done;
  const leftSeconds = Math.ceil(Math.max(0, totalRows - rows) / perSecond);
  const rate = `${count.format(perSecond)} a second`;
  return leftSeconds === 0 ? `${done}, ${rate}` : `${done}, ${rate}, ${formatSeconds(leftSeconds)} left`;
}

function formatSeconds(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
