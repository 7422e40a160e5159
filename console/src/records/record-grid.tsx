import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import { text } from '../text/en.ts';
import type { Draft } from './draft.ts';
import { handleGridKey, type GridCommands } from './grid-keys.ts';
import { GridHeadings } from './grid-headings.tsx';
import { GridRow, gridColumns, type RowActions } from './grid-row.tsx';
import type { Row, Sorting } from './record-rows.ts';
import { showRow, type ShownRow } from './row-state.ts';
import { useGridFocus, type GridFocus } from './use-grid-focus.ts';

interface RecordGridProps {
  readonly domain: string;
  readonly rows: readonly Row[];
  readonly draft: Draft;
  readonly selected: ReadonlySet<string>;
  readonly sorting: Sorting;
  readonly mayEdit: boolean;
  readonly commands: GridCommands;
  readonly actions: Pick<RowActions, 'onEdit' | 'onSelect' | 'onUndo'>;
  /** Gets the means to move the focus into the grid. */
  readonly focusRef: RefObject<GridFocus | null>;
}

/** Virtualised, with the page as its scroller. The ARIA pattern of a grid: one cell is in the order of focus. */
export function RecordGrid(props: RecordGridProps) {
  const { domain, rows, draft, selected, sorting, mayEdit, commands, actions, focusRef } = props;
  const body = useRef<HTMLDivElement>(null);
  const activeIndex = useRef(-1);
  const virtualizer = useGridVirtualizer(body, rows, activeIndex);
  const scrollTo = useCallback(
    (index: number) => virtualizer.scrollToIndex(Math.max(0, index), { align: 'auto' }),
    [virtualizer],
  );
  const focus = useGridFocus(rows, scrollTo);
  activeIndex.current = focus.index;
  useLayoutEffect(() => {
    focusRef.current = focus;
  });
  const shownOf = useShownRows(draft);
  const items = virtualizer.getVirtualItems();
  return (
    // The keys belong to its cells, which have the focus.
    <div
      className="grid"
      role="grid"
      aria-label={text.records.grid(domain)}
      aria-rowcount={rows.length + 1}
      aria-colcount={gridColumns.length}
      aria-multiselectable={mayEdit}
      aria-readonly={!mayEdit}
      onKeyDown={(event) => handleGridKey(event, focus, rows.length, commands)}
    >
      <GridHeadings
        sorting={sorting}
        focus={focus}
        isAllSelected={rows.length > 0 && rows.every(({ key }) => selected.has(key))}
        mayEdit={mayEdit}
        onSort={commands.sort}
        onSelectAll={commands.selectAll}
      />
      <div role="rowgroup" className="grid-body" ref={body} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows.at(index);
          return row === undefined ? null : (
            <GridRow
              key={row.key}
              row={row}
              shown={shownOf(row)}
              index={index}
              top={start - virtualizer.options.scrollMargin}
              isSelected={selected.has(row.key)}
              activeColumn={focus.active.key === row.key ? focus.active.column : undefined}
              mayEdit={mayEdit}
              onFocus={focus.note}
              {...actions}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Returns the same value for the same row and draft, so that only rows that have changed are rendered again. */
function useShownRows(draft: Draft): (row: Row) => ShownRow {
  return useMemo(() => {
    const known = new WeakMap<Row, ShownRow>();
    return (row) => {
      const shown = known.get(row) ?? showRow(row, draft);
      known.set(row, shown);
      return shown;
    };
  }, [draft]);
}

/** Rows of one line, and of two lines on a phone, in rem: they grow with the text. */
const ROW_REM = 2.25;
const NARROW_ROW_REM = 3.75;

/** The height that stays above the rows while the page scrolls, and the dock below, in pixels: a row behind them is not in sight. */
const COVERED_TOP = 96;
const COVERED_BOTTOM = 88;

function useGridVirtualizer(
  body: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  activeIndex: RefObject<number>,
) {
  const rowHeight = useRowHeight();
  const scrollMargin = useScrollMargin(body);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin,
    scrollPaddingStart: COVERED_TOP,
    scrollPaddingEnd: COVERED_BOTTOM,
    rangeExtractor: (range: Range) => {
      const inSight = defaultRangeExtractor(range);
      const active = activeIndex.current;
      // The cell that has the focus stays in the document, wherever the page is.
      if (active < 0 || active >= rows.length || inSight.includes(active)) return inSight;
      return [...inSight, active].sort((one, other) => one - other);
    },
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return virtualizer;
}

/** The height of what is above the rows. Asked when the page has changed its height: asking at each step of scrolling takes longer than all else. */
function useScrollMargin(body: RefObject<HTMLDivElement | null>): number {
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = (body.current?.getBoundingClientRect().top ?? 0) + scrollY;
      setScrollMargin(Math.round(top));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);
  return scrollMargin;
}

const narrow = matchMedia('(max-width: 40rem)');

function useRowHeight(): number {
  const isNarrow = useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round((isNarrow ? NARROW_ROW_REM : ROW_REM) * rem) + ROW_BORDER;
}

const ROW_BORDER = 1;
