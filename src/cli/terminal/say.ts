import { escapeControls } from './format-table.ts';
import type { Terminal } from './terminal.ts';

/** One line on stderr for a person. What customers wrote may stand in it: it cannot steer the terminal. */
export function say(terminal: Terminal, sentence: string): void {
  terminal.complain(`${escapeControls(sentence)}\n`);
}

/** The same, about what went wrong or might: told apart from what other programmes say on the same stderr. */
export function warn(terminal: Terminal, sentence: string): void {
  say(terminal, `zonewright: ${sentence}`);
}

/** A terminal that prints on stderr: a plan that a person is shown does not mix with the result on stdout. */
export function beside(terminal: Terminal): Terminal {
  return {
    ...terminal,
    print(text) {
      terminal.complain(text);
    },
  };
}
