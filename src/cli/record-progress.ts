import type { Terminal } from './terminal.ts';

/** How far many records are, on stderr: a bar for a person, now and then a line otherwise. */
export interface RecordProgress {
  advance(records: number): void;
  /** Ends the line of the bar; may be repeated. */
  finish(): void;
}

const BAR_CELLS = 24;

/** Rare enough for a log. */
const LINE_INTERVAL_MS = 10_000;

/** Blanks up to here wipe out what a longer line left. */
const LINE_COLUMNS = 60;

/** @param nowMs any clock that only goes forward */
export function showRecordProgress(terminal: Terminal, total: number, nowMs: () => number): RecordProgress {
  const startMs = nowMs();
  let shownMs = startMs;
  let done = 0;
  let isOpen = false;
  return {
    advance(records) {
      done += records;
      const now = nowMs();
      const line = describeRate(done, total, now - startMs);
      if (terminal.isInteractive) {
        const filled = Math.floor((done / total) * BAR_CELLS);
        const bar = '#'.repeat(filled) + '-'.repeat(BAR_CELLS - filled);
        terminal.complain(`\r[${bar}] ${line.padEnd(LINE_COLUMNS)}`);
        isOpen = true;
      } else if (now - shownMs >= LINE_INTERVAL_MS) {
        terminal.complain(`${line}\n`);
        shownMs = now;
      }
    },
    finish() {
      if (isOpen) terminal.complain('\n');
      isOpen = false;
    },
  };
}

/** `120000 of 1000000 records, 31000 a second, 29 s left` */
function describeRate(done: number, total: number, elapsedMs: number): string {
  const perSecond = elapsedMs === 0 ? 0 : (done / elapsedMs) * 1000;
  if (perSecond === 0) return `${done} of ${total} records`;
  const left = done < total ? `, ${Math.ceil((total - done) / perSecond)} s left` : '';
  return `${done} of ${total} records, ${perSecond.toFixed(0)} a second${left}`;
}
