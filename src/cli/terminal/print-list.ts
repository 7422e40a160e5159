import { escapeControls, escapeJson } from './escape-controls.ts';
import { formatTable, formatTabbed } from './format-table.ts';
import type { OutputOptions } from './output-options.ts';
import type { Terminal } from './terminal.ts';

/** Columns of a list in order: title and cell text. */
export type Columns<T> = Readonly<Record<string, (row: T) => string>>;

/**
 * Prints a list as a table on a terminal, as tab-separated lines without a header otherwise, or as one JSON array.
 * All formats except the table are printed while pages arrive.
 */
export async function printList<T>(
  terminal: Terminal,
  columns: Columns<T>,
  rows: AsyncIterable<T> | Iterable<T>,
  { json, plain }: OutputOptions,
): Promise<void> {
  if (json === true) return printJsonArray(terminal, rows);
  const isTable = terminal.isInteractive && plain !== true;
  const collected: T[] = [];
  for await (const row of rows) {
    if (isTable) collected.push(row);
    else printTable(terminal, columns, [row], { plain });
  }
  if (isTable) printTable(terminal, columns, collected, { plain });
}

/** Prints complete rows as a table on a terminal, or as tab-separated lines without a header. */
export function printTable<T>(
  terminal: Terminal,
  columns: Columns<T>,
  rows: readonly T[],
  { plain }: Pick<OutputOptions, 'plain'> = {},
): void {
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
  const isTable = terminal.isInteractive && plain !== true;
  if (!isTable) return terminal.print(formatTabbed(cells));
  const style = { hasColor: terminal.hasColor, width: terminal.columns?.() };
  terminal.print(formatTable(Object.keys(columns), cells, style));
}

/** Prints one resource as `title: value` lines, as one tab-separated line, or as JSON. */
export function printOne<T>(
  terminal: Terminal,
  columns: Columns<T>,
  row: T,
  { json, plain }: OutputOptions,
): void {
  if (json === true) return printJson(terminal, row);
  const cells = Object.entries(columns).map(([title, cell]) => [title, cell(row)] as const);
  if (plain === true) return terminal.print(formatTabbed([cells.map(([, text]) => text)]));
  for (const [title, text] of cells) terminal.print(`${title}: ${escapeControls(text)}\n`);
}

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(`${formatJson(terminal, value)}\n`);
}

/** Programs that read JSON get it as it is. */
function formatJson({ isInteractive }: Terminal, value: unknown): string {
  const text = JSON.stringify(value);
  return isInteractive ? escapeJson(text) : text;
}

async function printJsonArray(
  terminal: Terminal,
  rows: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> {
  let separator = '[';
  for await (const row of rows) {
    terminal.print(`${separator}${formatJson(terminal, row)}`);
    separator = ',\n';
  }
  terminal.print(separator === '[' ? '[]\n' : ']\n');
}

/** For `--limit`. */
export async function* firstOf<T>(rows: AsyncIterable<T>, limit: number): AsyncGenerator<T> {
  let left = limit;
  if (left === 0) return;
  for await (const row of rows) {
    yield row;
    if (--left === 0) return;
  }
}
