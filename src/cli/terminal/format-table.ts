import { escapeControls } from './escape-controls.ts';

/** A column is not made narrower than this: wrapped further, its text is harder to read than lines that the terminal wraps. */
const MIN_COLUMN_WIDTH = 12;

const GAP = '  ';

export interface TableStyle {
  readonly hasColor: boolean;
  /** Columns of the terminal; undefined, or 0 on terminals that do not know their width: no limit. */
  readonly width?: number | undefined;
}

/** Aligns columns with spaces under an upper-case header. Cells of the widest columns are wrapped to the terminal's width. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { hasColor, width }: TableStyle,
): string {
  const cells = rows.map((row) => row.map(escapeControls));
  const widths = head.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), title.length),
  );
  const fitting = width === undefined || width === 0 ? widths : narrow(widths, width);
  const title = formatRow(
    head.map((text) => text.toUpperCase()),
    fitting,
  ).join('\n');
  const lines = cells.flatMap((row) => formatRow(row, fitting));
  return [hasColor ? `\u001b[1m${title}\u001b[22m` : title, ...lines, ''].join('\n');
}

/** Takes from the widest column until the table fits or no column can be made narrower. */
function narrow(widths: readonly number[], width: number): readonly number[] {
  const narrowed = [...widths];
  const available = width - GAP.length * (widths.length - 1);
  for (;;) {
    const excess = narrowed.reduce((sum, each) => sum + each, 0) - available;
    const widest = Math.max(...narrowed);
    if (excess <= 0 || widest <= MIN_COLUMN_WIDTH) return narrowed;
    const next = Math.max(MIN_COLUMN_WIDTH, ...narrowed.filter((each) => each < widest));
    narrowed[narrowed.indexOf(widest)] = Math.max(next, widest - excess);
  }
}

/** The lines of one row: more than one if a cell is wider than its column. */
function formatRow(row: readonly string[], widths: readonly number[]): readonly string[] {
  const wrapped = row.map((cell, column) => wrap(cell, widths[column] ?? cell.length));
  const height = Math.max(1, ...wrapped.map((pieces) => pieces.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((pieces, column) => (pieces[line] ?? '').padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Breaks a text at spaces where that leaves no piece more than half empty, otherwise anywhere. */
function wrap(text: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 2 ? space : endBefore(rest, width);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(space > width / 2 ? end + 1 : end);
  }
  return [...pieces, rest];
}

/** Never between the two halves of a character beyond U+FFFF. */
function endBefore(text: string, width: number): number {
  const code = text.charCodeAt(width);
  return code >= 0xdc00 && code <= 0xdfff ? width - 1 : width;
}

/** One line per row, with tabs between the cells. */
export function formatTabbed(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(escapeControls).join('\t')}\n`).join('');
}
