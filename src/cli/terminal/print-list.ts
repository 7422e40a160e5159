import { escapeControls, formatTable, formatTabbed } from './format-table.ts';
import type { OutputOptions } from './output-options.ts';
import type { Terminal } from './terminal.ts';

/** How a resource is shown in lists: column titles and how to fill them, in order. */
export type Columns<T> = Readonly<Record<string, (row: T) => string>>;

/**
 * A list as a table for a person, as tab-separated lines without a head for a programme, or as one JSON array. All but
 * the table are written while the pages come in.
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

/** Rows that are all there, as a table for a person or as tab-separated lines without a head for a programme. */
export function printTable<T>(
  terminal: Terminal,
  columns: Columns<T>,
  rows: readonly T[],
  { plain }: Pick<OutputOptions, 'plain'> = {},
): void {
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
  const isTable = terminal.isInteractive && plain !== true;
  terminal.print(isTable ? formatTable(Object.keys(columns), cells, terminal.hasColor) : formatTabbed(cells));
}

/** One resource: a line of `title: value` pairs, one line of a list, or its JSON. */
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
  terminal.print(`${JSON.stringify(value)}\n`);
}

async function printJsonArray(
  terminal: Terminal,
  rows: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> {
  let separator = '[';
  for await (const row of rows) {
    terminal.print(`${separator}${JSON.stringify(row)}`);
    separator = ',\n';
  }
  terminal.print(separator === '[' ? '[]\n' : ']\n');
}
