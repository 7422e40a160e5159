import { escapeControls } from './escape-controls.ts';

/** Aligns columns with spaces under an upper-case header; the last column has no limit. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  hasColor: boolean,
): string {
  const cells = rows.map((row) => row.map(escapeControls));
  const widths = head.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), title.length),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const title = line(head.map((text) => text.toUpperCase()));
  return [hasColor ? `\u001b[1m${title}\u001b[22m` : title, ...cells.map(line), ''].join('\n');
}

/** One line per row, with tabs between the cells. */
export function formatTabbed(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(escapeControls).join('\t')}\n`).join('');
}
