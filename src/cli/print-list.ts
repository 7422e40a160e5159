import { escapeControls, formatTable, formatTabbed } from './format-table.ts';
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
  isJson: boolean,
): Promise<void> {
  if (isJson) return printJsonArray(terminal, rows);
  const cells = Object.values(columns);
  const table: string[][] = [];
  for await (const row of rows) {
    const line = cells.map((cell) => cell(row));
    if (terminal.isInteractive) table.push(line);
    else terminal.print(formatTabbed([line]));
  }
  if (terminal.isInteractive) terminal.print(formatTable(Object.keys(columns), table, terminal.hasColor));
}

/** One resource: a line of `title: value` pairs for a person or a programme, or its JSON. */
export function printOne<T>(terminal: Terminal, columns: Columns<T>, row: T, isJson: boolean): void {
  if (isJson) return printJson(terminal, row);
  for (const [title, cell] of Object.entries(columns))
    terminal.print(`${title}: ${escapeControls(cell(row))}\n`);
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
