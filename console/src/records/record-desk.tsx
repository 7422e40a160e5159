import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';
import { DraftDock } from './draft-dock.tsx';
import type { Draft } from './draft.ts';
import { EmptyRecords } from './empty-records.tsx';
import { KeyList } from './key-list.tsx';
import { RecordEditor, type EditorTarget } from './record-editor.tsx';
import { RecordGrid } from './record-grid.tsx';
import { RecordTools } from './record-tools.tsx';
import { addedRows, filterRows, readSorting, rowsOf, sortRows, type Row } from './record-rows.ts';
import { showRow } from './row-state.ts';
import { SelectionDock } from './selection-dock.tsx';
import { useDeskCommands } from './use-desk-commands.ts';
import type { GridFocus } from './use-grid-focus.ts';
import type { RecordSet } from './record-set.ts';
import { useSelection } from './use-selection.ts';

interface RecordDeskProps {
  readonly domain: string;
  readonly set: RecordSet;
  readonly draft: Draft;
  readonly onDraft: (edit: (draft: Draft) => Draft) => unknown;
  readonly mayEdit: boolean;
  /** More records are on their way. */
  readonly isLoading: boolean;
}

/** The records of a domain: filter, grid, editor and what is staged. */
export function RecordDesk({ domain, set, draft, onDraft, mayEdit, isLoading }: RecordDeskProps) {
  const [query, setQuery] = useSearchParams();
  const asked = query.get('q') ?? '';
  const [typed, setTyped] = useState(asked);
  const [target, setTarget] = useState<EditorTarget>();
  const focusRef = useRef<GridFocus>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const rows = useShownRows(set, draft, query, typed);
  const selection = useSelection(rows.all, rows.shown);
  const change = useCallback(
    (values: Readonly<Record<string, string>>): void =>
      setQuery((before) => withValues(before, values), { replace: true }),
    [setQuery],
  );
  const { commands, actions } = useDeskCommands({
    domain,
    rows: rows.shown,
    draft,
    onDraft,
    selection,
    edit: setTarget,
    mayEdit,
    sorting: rows.sorting,
    onSort: (sort) => change({ sort }),
  });
  useEffect(() => setTyped(asked), [asked]);
  useAskedEditor(rows.all, draft, query, change, mayEdit ? setTarget : undefined);
  return (
    <>
      <RecordTools
        ref={searchRef}
        set={set}
        isLoading={isLoading}
        rows={rows}
        query={query}
        onType={setTyped}
        onChange={change}
        onAdd={mayEdit ? commands.create : undefined}
      />
      {rows.all.length === 0 && !set.isPart && (
        <EmptyRecords domain={domain} onAdd={mayEdit ? setTarget : undefined} />
      )}
      {rows.all.length > 0 && rows.shown.length === 0 && (
        <NoMatch isPart={set.isPart} onClear={() => change({ q: '', type: '', name: '', data: '' })} />
      )}
      {rows.shown.length > 0 && (
        <RecordGrid
          domain={domain}
          rows={rows.shown}
          draft={draft}
          selected={selection.selected}
          sorting={rows.sorting}
          mayEdit={mayEdit}
          commands={commands}
          actions={actions}
          focusRef={focusRef}
        />
      )}
      <div className="dock-space" />
      {selection.seen.length > 0 ? (
        <SelectionDock domain={domain} selection={selection} draft={draft} onDraft={onDraft} />
      ) : (
        <DraftDock domain={domain} draft={draft} onDraft={onDraft} />
      )}
      {target !== undefined && (
        <RecordEditor
          key={target.key}
          domain={domain}
          records={set.records}
          target={target}
          onDraft={onDraft}
          onClose={() => setTarget(undefined)}
          returnFocus={() => cellToFocus(target.key) ?? searchRef.current}
        />
      )}
      <KeyList />
    </>
  );
}

function NoMatch({ isPart, onClear }: { readonly isPart: boolean; readonly onClear: () => void }) {
  return (
    <div className="empty">
      <p>{isPart ? text.records.noMatchInPart : text.records.noMatch}</p>
      <Button onClick={onClear}>{text.records.clear}</Button>
    </div>
  );
}

export interface ShownRows {
  readonly all: readonly Row[];
  readonly shown: readonly Row[];
  readonly sorting: ReturnType<typeof readSorting>;
}

function useShownRows(set: RecordSet, draft: Draft, query: URLSearchParams, search: string): ShownRows {
  const sort = query.get('sort');
  const sorting = useMemo(() => readSorting(sort), [sort]);
  const existing = useMemo(() => rowsOf(set.records), [set.records]);
  const added = useMemo(() => addedRows(draft), [draft]);
  const all = useMemo(() => sortRows([...existing, ...added], sorting), [existing, added, sorting]);
  const [type, name, data] = [query.get('type') ?? '', query.get('name') ?? '', query.get('data') ?? ''];
  const shown = useMemo(() => filterRows(all, { search, type, name, data }), [all, search, type, name, data]);
  return { all, shown, sorting };
}

/** The review leads to the editor of a record by `?edit=`. */
function useAskedEditor(
  rows: readonly Row[],
  draft: Draft,
  query: URLSearchParams,
  change: (values: Readonly<Record<string, string>>) => void,
  edit: ((target: EditorTarget) => void) | undefined,
): void {
  const key = query.get('edit');
  useEffect(() => {
    const row = key === null ? undefined : rows.find((candidate) => candidate.key === key);
    if (row === undefined || edit === undefined) return;
    edit({
      key: row.key,
      record: row.record,
      value: showRow(row, draft).value,
      column: 'data',
      top: undefined,
    });
    change({ edit: '' });
  }, [key, rows, draft, change, edit]);
}

function withValues(before: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

function cellToFocus(key: string): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>(`[data-cell^="${CSS.escape(`${key} `)}"][tabindex="0"]`) ??
    document.querySelector<HTMLElement>('[data-cell][tabindex="0"]')
  );
}
