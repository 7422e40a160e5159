import type { Terminal } from '../terminal.ts';

/** How far many domains are, on stderr: a bar for a person, now and then a line otherwise. */
export interface Progress {
  /** One more is done. */
  advance(): void;
  /** Ends the line of the bar. */
  finish(): void;
}

const BAR_CELLS = 24;

/** Often enough to look alive. */
const REDRAW_INTERVAL_MS = 100;

/** Rare enough for a log. */
const LINE_INTERVAL_MS = 10_000;

/** Blanks up to here wipe out what a longer line left. */
const LINE_COLUMNS = 70;

/** @param nowMs any clock that only goes forward */
export function showProgress(
  terminal: Terminal,
  phase: string,
  total: number,
  nowMs: () => number,
): Progress {
  const { isInteractive } = terminal;
  const startMs = nowMs();
  let shownMs = isInteractive ? -Infinity : startMs;
  let done = 0;
  const show = (elapsedMs: number): void => {
    const line = formatAdvance(phase, done, total, elapsedMs);
    terminal.complain(
      isInteractive ? `\r${formatBar(done, total)} ${line.padEnd(LINE_COLUMNS)}` : `${line}\n`,
    );
  };
  return {
    advance() {
      done++;
      const now = nowMs();
      if (now - shownMs < (isInteractive ? REDRAW_INTERVAL_MS : LINE_INTERVAL_MS) && done < total) return;
      shownMs = now;
      show(now - startMs);
    },
    finish() {
      if (isInteractive && done > 0) terminal.complain('\n');
    },
  };
}

function formatBar(done: number, total: number): string {
  const filled = Math.floor((done / total) * BAR_CELLS);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}]`;
}

/** `planning: 120 of 300 domains, 85 a second, 3 s left` */
function formatAdvance(phase: string, done: number, total: number, elapsedMs: number): string {
  const state = `${phase}: ${done} of ${total} domains`;
  if (elapsedMs === 0) return state;
  const perSecond = (done / elapsedMs) * 1000;
  const rate = perSecond >= 10 ? perSecond.toFixed(0) : perSecond.toFixed(1);
  const leftSeconds = Math.ceil((total - done) / perSecond);
  const left =
    leftSeconds < 60 ? `${leftSeconds} s` : `${Math.floor(leftSeconds / 60)} min ${leftSeconds % 60} s`;
  return `${state}, ${rate} a second${done === total ? '' : `, ${left} left`}`;
}
