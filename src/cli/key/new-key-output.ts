import { addDryRunOption } from '../plan/change-options.ts';
import type { Command } from '../command-line/command.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printJson, printOne, type Columns } from '../terminal/print-list.ts';
import { say } from '../terminal/say.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A created key, or in a dry run the key that would be created. Its secret is shown only once. */
export interface NewKeyOutput<T> {
  /** The service's answer. */
  readonly answer: object;
  readonly columns: Columns<T>;
  readonly row: T;
}

/** Options of commands that create keys: `--plain` prints only the key, for scripts. */
export function addNewKeyOptions(command: Command): Command {
  return addDryRunOption(command).option('--json', 'print JSON').option('--plain', 'print only the key');
}

export function printNewKey<T>(
  terminal: Terminal,
  key: string,
  { answer, columns, row }: NewKeyOutput<T>,
  { json, plain }: OutputOptions,
): void {
  if (json === true) return printJson(terminal, answer);
  if (plain === true) return terminal.print(`${key}\n`);
  printOne(terminal, columns, row, {});
  terminal.print(`key: ${key}\n`);
}

/** @param subject of the sentence, such as `this key` */
export function printPlannedKey<T>(
  terminal: Terminal,
  subject: string,
  { answer, columns, row }: NewKeyOutput<T>,
  { json, plain }: OutputOptions,
): void {
  if (json === true) return printJson(terminal, answer);
  if (plain !== true) printOne(terminal, columns, row, {});
  say(terminal, `nothing was changed; ${subject} would be created`);
}
