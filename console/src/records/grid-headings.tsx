import { text } from '../text/en.ts';
import { gridColumns, type GridColumn } from './grid-row.tsx';
import type { Sorting } from './record-rows.ts';
import { HEADINGS, type GridFocus } from './use-grid-focus.ts';

interface GridHeadingsProps {
  readonly sorting: Sorting;
  readonly focus: GridFocus;
  readonly isAllSelected: boolean;
  readonly mayEdit: boolean;
  readonly onSort: (column: GridColumn) => void;
  readonly onSelectAll: () => void;
}

export function GridHeadings({
  sorting,
  focus,
  isAllSelected,
  mayEdit,
  onSort,
  onSelectAll,
}: GridHeadingsProps) {
  const { active, note } = focus;
  const heading = (column: GridColumn) => ({
    role: 'columnheader',
    'aria-colindex': gridColumns.indexOf(column) + 1,
    'data-cell': `${HEADINGS} ${column}`,
    tabIndex: active.key === HEADINGS && active.column === column ? 0 : -1,
    className: `cell ${column}`,
    onFocus: () => note(HEADINGS, column),
  });
  const direction = sorting.isDescending ? 'descending' : 'ascending';
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} className="grid-row">
        <div {...heading('select')}>
          {!mayEdit && <span className="hidden">{text.records.select}</span>}
          {mayEdit && (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={isAllSelected ? text.records.selectNone : text.records.selectAll}
              checked={isAllSelected}
              onChange={onSelectAll}
            />
          )}
        </div>
        {(['name', 'type', 'data', 'ttl'] as const).map((column) => (
          <div
            key={column}
            {...heading(column)}
            aria-sort={sorting.column === column ? direction : 'none'}
            title={text.records.sort(text.records[column])}
            onClick={() => onSort(column)}
          >
            {text.records[column]}
            {sorting.column === column && (
              <span aria-hidden="true">{sorting.isDescending ? ' ↓' : ' ↑'}</span>
            )}
          </div>
        ))}
        <div {...heading('actions')}>
          <span className="hidden">{text.records.actions}</span>
        </div>
      </div>
    </div>
  );
}
