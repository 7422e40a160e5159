import { escapeControls } from './escape-controls.ts';
import type { Terminal } from './terminal.ts';

/** Prints one line on stderr. Control characters in customers' data are escaped. */
export function say(terminal: Terminal, sentence: string): void {
  terminal.complain(`${escapeControls(sentence)}\n`);
}

/** Prints a failure or warning, with a prefix that distinguishes it from other programs on the same stderr. */
export function warn(terminal: Terminal, sentence: string): void {
  say(terminal, `zonewright: ${sentence}`);
}

/** A terminal that prints everything on stderr, so that a plan does not mix with the result on stdout. */
export function beside(terminal: Terminal): Terminal {
  return {
    ...terminal,
    columns: terminal.stderrColumns,
    print(text) {
      terminal.complain(text);
    },
  };
}
