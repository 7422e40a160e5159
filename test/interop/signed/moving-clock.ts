// A clock that a test moves: programs that are started with its environment believe it, because libfaketime answers them
// in place of the kernel. Their timers follow, so that days pass in seconds.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment } from '../run-program.ts';

/** Debian's package `libfaketime`; the variant for programs with threads. */
const LIBRARY = '/usr/$LIB/faketime/libfaketimeMT.so.1';

export interface MovingClock {
  /** For every program that has to believe the clock. */
  readonly env: Readonly<Record<string, string>>;
  /** How far it is ahead of the real one. */
  aheadSeconds(): number;
  /**
   * Moves it, for all programs at once and for both kinds of time (that of the day, and the monotonic one). A program that
   * waits for a timer notices when anything else wakes it up.
   */
  advance(seconds: number): void;
}

export function createMovingClock(folder: string): MovingClock {
  const file = join(folder, 'clock');
  let ahead = 0;
  const write = (): void => {
    // Replaced as a whole, because programs read the file each time that they look at the clock.
    writeFileSync(`${file}.new`, `+${ahead}\n`);
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    env: cleanEnvironment({
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Times of files are real: a nameserver would take a zone file of today for one that has not changed.
      NO_FAKE_STAT: '1',
    }),
    aheadSeconds: () => ahead,
    advance(seconds) {
      ahead += seconds;
      write();
    },
  };
}
