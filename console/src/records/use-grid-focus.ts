import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { gridColumns, type GridColumn } from './grid-row.tsx';
import type { Row } from './record-rows.ts';

/** The row of the headings, above all others. */
export const HEADINGS = 'headings';

export interface ActiveCell {
  /** The key of a row, or `HEADINGS`. */
  readonly key: string;
  readonly column: GridColumn;
}

export interface GridFocus {
  readonly active: ActiveCell;
  /** The position of the active row; -1: the headings. */
  readonly index: number;
  /** Moves the focus to a cell, which is scrolled to and rendered first. */
  readonly go: (index: number, column: GridColumn) => void;
  /** The focus came by other means. */
  readonly note: (key: string, column: GridColumn) => void;
}

/**
 * One cell of the grid is in the order of focus, and keeps the focus by the key of its row: if rows come or go, it stays; if its own
 * row goes, the next one has it.
 *
 * @param scrollTo has the row rendered
 */
export function useGridFocus(rows: readonly Row[], scrollTo: (index: number) => void): GridFocus {
  const [cell, setCell] = useState<ActiveCell>({ key: rows.at(0)?.key ?? HEADINGS, column: 'name' });
  const lastIndex = useRef(0);
  const wanted = useRef<ActiveCell>(undefined);
  const found = cell.key === HEADINGS ? -1 : rows.findIndex(({ key }) => key === cell.key);
  const isGone = found < 0 && cell.key !== HEADINGS;
  const index = isGone ? Math.min(lastIndex.current, rows.length - 1) : found;
  const active = isGone ? { ...cell, key: rows.at(index)?.key ?? HEADINGS } : cell;
  lastIndex.current = Math.max(0, index);
  useLayoutEffect(() => {
    const target = wanted.current;
    if (target === undefined) return;
    const element = document.querySelector<HTMLElement>(
      `[data-cell="${CSS.escape(`${target.key} ${target.column}`)}"]`,
    );
    if (element === null) return;
    wanted.current = undefined;
    element.focus({ preventScroll: true });
  });
  const go = useCallback(
    (to: number, column: GridColumn) => {
      const key = to < 0 ? HEADINGS : rows.at(to)?.key;
      if (key === undefined) return;
      wanted.current = { key, column };
      scrollTo(to);
      setCell({ key, column });
    },
    [rows, scrollTo],
  );
  const note = useCallback((key: string, column: GridColumn) => {
    setCell((before) => (before.key === key && before.column === column ? before : { key, column }));
  }, []);
  return { active, index, go, note };
}

/** The column beside another one; the same at the end. */
export function columnBeside(column: GridColumn, step: number): GridColumn {
  const index = Math.min(Math.max(gridColumns.indexOf(column) + step, 0), gridColumns.length - 1);
  return gridColumns[index] ?? column;
}
