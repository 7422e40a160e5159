import { memo, type MouseEvent } from 'react';
import { Button } from '../parts/button.tsx';
import { text } from '../text/en.ts';
import { formatDuration } from '../text/format-values.ts';
import { toUnicode } from '../text/name-forms.ts';
import type { Row } from './record-rows.ts';
import { shownName } from './record-value.ts';
import type { ShownRow } from './row-state.ts';
import { familyOf } from './type-family.ts';

/** Columns in the order of the document; keys and `aria-colindex` count them. */
export const gridColumns = ['select', 'name', 'type', 'data', 'ttl', 'actions'] as const;

export type GridColumn = (typeof gridColumns)[number];

export interface RowActions {
  readonly onFocus: (key: string, column: GridColumn) => void;
  readonly onEdit: (key: string, column: GridColumn) => void;
  readonly onSelect: (key: string, isRange: boolean) => void;
  readonly onUndo: (key: string) => void;
}

interface GridRowProps extends RowActions {
  readonly row: Row;
  readonly shown: ShownRow;
  /** Position among the shown rows, from 0. */
  readonly index: number;
  readonly top: number;
  readonly isSelected: boolean;
  /** The cell that the keys are about is here. */
  readonly activeColumn: GridColumn | undefined;
  readonly mayEdit: boolean;
}

const marks = { same: '', created: '+', changed: '~', deleted: '-' } as const;

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, shown, index, top, isSelected, activeColumn, mayEdit } = props;
  const { state, value } = shown;
  const cell = (column: GridColumn) => ({
    role: column === 'name' ? 'rowheader' : 'gridcell',
    'aria-colindex': gridColumns.indexOf(column) + 1,
    'data-cell': `${row.key} ${column}`,
    tabIndex: column === activeColumn ? 0 : -1,
    className: `cell ${column}`,
    onFocus: () => props.onFocus(row.key, column),
  });
  const edit = (column: GridColumn) => ({ onDoubleClick: () => props.onEdit(row.key, column) });
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={`grid-row ${state}`}
      style={{ top }}
    >
      <div {...cell('select')}>
        {mayEdit && (
          <SelectBox
            isSelected={isSelected}
            name={shownName(value.name)}
            onSelect={(isRange) => props.onSelect(row.key, isRange)}
          />
        )}
      </div>
      <div {...cell('name')} {...edit('name')} title={toUnicode(value.name)}>
        {state !== 'same' && <StateMark state={state} />}
        <span className="cut">{shownName(value.name)}</span>
      </div>
      <div {...cell('type')} {...edit('type')}>
        <span className={`type ${familyOf(value.type) ?? ''}`}>{value.type}</span>
      </div>
      <div {...cell('data')} {...edit('data')} title={value.data}>
        <DataText row={row} shown={shown} />
      </div>
      <div {...cell('ttl')} {...edit('ttl')} title={text.editor.ttlSeconds(String(value.ttl))}>
        {formatDuration(value.ttl)}
      </div>
      <div {...cell('actions')}>
        {(mayEdit || state === 'deleted') && (
          <Button
            kind="quiet"
            tabIndex={-1}
            onClick={() => (state === 'deleted' ? props.onUndo(row.key) : props.onEdit(row.key, 'data'))}
          >
            {state === 'deleted' ? text.records.undo : text.records.edit}
          </Button>
        )}
        {(state === 'changed' || state === 'created') && (
          <Button kind="quiet" tabIndex={-1} onClick={() => props.onUndo(row.key)}>
            {text.records.undo}
          </Button>
        )}
      </div>
    </div>
  );
});

function StateMark({ state }: { readonly state: 'created' | 'changed' | 'deleted' }) {
  const words = { created: text.records.added, changed: text.records.changed, deleted: text.records.removed };
  return (
    <span className="mark">
      <span aria-hidden="true">{marks[state]}</span> {words[state]}
    </span>
  );
}

function DataText({ row, shown: { state, value } }: { readonly row: Row; readonly shown: ShownRow }) {
  if (state === 'deleted') return <s className="cut">{value.data}</s>;
  if (state === 'changed' && row.value.data !== value.data)
    return (
      <span className="cut">
        <s className="muted">{row.value.data}</s> <span aria-hidden="true">→</span> {value.data}
      </span>
    );
  return <span className="cut">{value.data}</span>;
}

interface SelectBoxProps {
  readonly isSelected: boolean;
  readonly name: string;
  readonly onSelect: (isRange: boolean) => void;
}

function SelectBox({ isSelected, name, onSelect }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={`${text.records.select}: ${name}`}
      checked={isSelected}
      onChange={() => undefined}
      onClick={(event: MouseEvent) => onSelect(event.shiftKey)}
    />
  );
}
