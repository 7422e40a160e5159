import { useMemo, useRef } from 'react';
import { copyText } from '../parts/toasts.tsx';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import { stageDeletions, unstage, type Draft } from './draft.ts';
import type { GridCommands } from './grid-keys.ts';
import type { GridColumn, RowActions } from './grid-row.tsx';
import type { EditorTarget } from './record-editor.tsx';
import type { Row, Sorting } from './record-rows.ts';
import type { RecordValue } from './record-value.ts';
import { recordsOf, showRow } from './row-state.ts';
import { newDraftKey } from './use-draft.ts';
import type { Selection } from './use-selection.ts';
import { formatZoneText } from './zone-text.ts';

interface Desk {
  readonly domain: string;
  /** The rows in sight. */
  readonly rows: readonly Row[];
  readonly draft: Draft;
  readonly onDraft: (edit: (draft: Draft) => Draft) => unknown;
  readonly selection: Selection;
  readonly edit: (target: EditorTarget) => void;
  readonly mayEdit: boolean;
  readonly sorting: Sorting;
  /** @param sort for the address */
  readonly onSort: (sort: string) => void;
}

/** The commands of keys and buttons of the grid. The functions stay the same, so that rows are not rendered again for them. */
export function useDeskCommands(desk: Desk): {
  readonly commands: GridCommands;
  readonly actions: Pick<RowActions, 'onEdit' | 'onSelect' | 'onUndo'>;
} {
  const current = useRef(desk);
  current.current = desk;
  const lastSelected = useRef<number>(0);
  return useMemo(() => {
    const now = (): Desk => current.current;
    const indexOf = (key: string): number => now().rows.findIndex((row) => row.key === key);
    const commands: GridCommands = {
      edit: (index, column) => editRow(now(), index, column),
      sort: (column) => sortBy(now(), column),
      select: (index, isRange) => {
        select(now(), index, isRange ? lastSelected.current : undefined);
        if (!isRange) lastSelected.current = index;
      },
      selectAll: () => selectAll(now()),
      create: () => create(now(), undefined),
      duplicate: (index) => create(now(), valueAt(now(), index)),
      remove: (index) => remove(now(), index),
      undo: (index) => undo(now(), rowAt(now(), index)?.key),
      copy: (index) => copy(now(), index),
    };
    return {
      commands,
      actions: {
        onEdit: (key, column) => editRow(now(), indexOf(key), column),
        onSelect: (key, isRange) => commands.select(indexOf(key), isRange),
        onUndo: (key) => undo(now(), key),
      },
    };
  }, []);
}

/** Undefined for the headings, which are at -1. */
function rowAt({ rows }: Desk, index: number): Row | undefined {
  return index < 0 ? undefined : rows.at(index);
}

function valueAt(desk: Desk, index: number): RecordValue | undefined {
  const row = rowAt(desk, index);
  return row && showRow(row, desk.draft).value;
}

function editRow(desk: Desk, index: number, column: GridColumn): void {
  const row = rowAt(desk, index);
  if (row === undefined || !desk.mayEdit) return;
  const { value } = showRow(row, desk.draft);
  desk.edit({ key: row.key, record: row.record, value, column, top: topOf(row.key) });
}

function create(desk: Desk, value: RecordValue | undefined): void {
  if (desk.mayEdit)
    desk.edit({ key: newDraftKey(), record: undefined, value, column: 'name', top: undefined });
}

function topOf(key: string): number | undefined {
  return document.querySelector(`[data-cell="${CSS.escape(`${key} name`)}"]`)?.getBoundingClientRect().top;
}

function sortBy({ sorting, onSort }: Desk, column: GridColumn): void {
  if (column === 'select' || column === 'actions') return;
  const isDescending = sorting.column === column && !sorting.isDescending;
  const sort = `${isDescending ? '-' : ''}${column}`;
  onSort(sort === 'name' ? '' : sort);
}

function select(desk: Desk, index: number, from: number | undefined): void {
  const { rows, mayEdit } = desk;
  const { selected, setSelected } = desk.selection;
  const row = rowAt(desk, index);
  if (row === undefined || !mayEdit) return;
  const next = new Set(selected);
  if (from !== undefined)
    for (const { key } of rows.slice(Math.min(from, index), Math.max(from, index) + 1)) next.add(key);
  else if (!next.delete(row.key)) next.add(row.key);
  setSelected(next);
}

/** The selection is these rows, whatever the filter shows later. */
function selectAll({ rows, selection: { selected, setSelected }, mayEdit }: Desk): void {
  if (!mayEdit) return;
  const isAll = rows.every(({ key }) => selected.has(key));
  setSelected(isAll ? new Set() : new Set(rows.map(({ key }) => key)));
}

/** The selected rows in sight, or else the one that the keys are about. */
function targetsOf(desk: Desk, index: number): readonly Row[] {
  const { seen } = desk.selection;
  if (seen.length > 0) return seen;
  const row = rowAt(desk, index);
  return row === undefined ? [] : [row];
}

function remove(desk: Desk, index: number): void {
  if (!desk.mayEdit) return;
  const targets = targetsOf(desk, index);
  const added = targets.filter(({ record }) => record === undefined).map(({ key }) => key);
  desk.onDraft((draft) => stageDeletions(unstage(draft, added), recordsOf(targets)));
  desk.selection.deselect(targets);
}

function undo(desk: Desk, key: string | undefined): void {
  if (key !== undefined) desk.onDraft((draft) => unstage(draft, [key]));
}

function copy(desk: Desk, index: number): void {
  const values = targetsOf(desk, index).map((row) => showRow(row, desk.draft).value);
  void copyText(formatZoneText(desk.domain, values), text.records.recordsCopied(formatNumber(values.length)));
}
