import type { KeyboardEvent } from 'react';
import type { GridColumn } from './grid-row.tsx';
import { columnBeside, type GridFocus } from './use-grid-focus.ts';

export interface GridCommands {
  readonly edit: (index: number, column: GridColumn) => void;
  readonly sort: (column: GridColumn) => void;
  /** @param isRange from the row that was selected last */
  readonly select: (index: number, isRange: boolean) => void;
  readonly selectAll: () => void;
  readonly create: () => void;
  readonly duplicate: (index: number) => void;
  readonly remove: (index: number) => void;
  readonly undo: (index: number) => void;
  readonly copy: (index: number) => void;
}

/** Rows that Page Up and Page Down pass. */
const PAGE_ROWS = 15;

/** The keys of the grid; letters count only in here. */
export function handleGridKey(
  event: KeyboardEvent,
  focus: GridFocus,
  count: number,
  commands: GridCommands,
): void {
  const isControl = event.ctrlKey || event.metaKey;
  if (event.altKey) return;
  const isDone = isControl
    ? handleControl(event, focus, count, commands)
    : handleMove(event, focus, count, commands) || handleLetter(event, focus, commands);
  if (isDone) event.preventDefault();
}

function handleControl(
  { key }: KeyboardEvent,
  focus: GridFocus,
  count: number,
  commands: GridCommands,
): boolean {
  switch (key) {
    case 'a':
      commands.selectAll();
      return true;
    case 'c':
      // Text that is selected is copied as everywhere.
      if (getSelection()?.isCollapsed === false) return false;
      commands.copy(focus.index);
      return true;
    case 'Home':
      focus.go(0, 'select');
      return true;
    case 'End':
      focus.go(count - 1, 'actions');
      return true;
    default:
      return false;
  }
}

function handleMove(
  { key, shiftKey }: KeyboardEvent,
  focus: GridFocus,
  count: number,
  commands: GridCommands,
): boolean {
  const { index, active, go } = focus;
  const step = rowSteps[key];
  if (step !== undefined) {
    const to = Math.min(Math.max(index + step, step < -1 ? 0 : -1), count - 1);
    go(to, active.column);
    if (shiftKey && to >= 0) commands.select(to, true);
    return true;
  }
  switch (key) {
    case 'ArrowLeft':
      go(index, columnBeside(active.column, -1));
      return true;
    case 'ArrowRight':
      go(index, columnBeside(active.column, 1));
      return true;
    case 'Home':
      go(index, 'select');
      return true;
    case 'End':
      go(index, 'actions');
      return true;
    default:
      return false;
  }
}

const rowSteps: Readonly<Partial<Record<string, number>>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -PAGE_ROWS,
  PageDown: PAGE_ROWS,
};

function handleLetter(
  { key, target }: KeyboardEvent,
  { index, active }: GridFocus,
  commands: GridCommands,
): boolean {
  if (key === 'n' || key === 'N') {
    commands.create();
    return true;
  }
  if (index < 0) {
    if (key !== 'Enter' && key !== ' ') return false;
    if (active.column === 'select') commands.selectAll();
    else commands.sort(active.column);
    return true;
  }
  // A button that was clicked has the focus: Enter and Space press it.
  if (target instanceof HTMLButtonElement && (key === 'Enter' || key === ' ')) return false;
  const command = rowCommands[key.toLowerCase()];
  command?.(commands, index, active.column);
  return command !== undefined;
}

const rowCommands: Readonly<
  Partial<Record<string, (commands: GridCommands, index: number, column: GridColumn) => void>>
> = {
  enter: (commands, index, column) => commands.edit(index, column),
  ' ': (commands, index) => commands.select(index, false),
  d: (commands, index) => commands.duplicate(index),
  delete: (commands, index) => commands.remove(index),
  backspace: (commands, index) => commands.remove(index),
  u: (commands, index) => commands.undo(index),
};
