import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

interface VirtualListProps<T> {
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** The height of a usual row, in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly className?: string;
  readonly children: (row: T) => ReactNode;
}

/** A list that scrolls with the page and keeps only the rows in sight in the document, so that it may be long. */
export function VirtualList<T>({
  rows,
  keyOf,
  rowHeight,
  label,
  className = '',
  children,
}: VirtualListProps<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + scrollY;
    setScrollMargin(Math.round(top));
  }, [rows]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin,
    getItemKey: (index) => keyOf(rowAt(rows, index)),
  });
  return (
    <ul
      className={`rows ${className}`}
      ref={list}
      aria-label={label}
      style={{ position: 'relative', height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          style={{ position: 'absolute', insetInline: 0, top: start - scrollMargin }}
        >
          {children(rowAt(rows, index))}
        </li>
      ))}
    </ul>
  );
}

function rowAt<T>(rows: readonly T[], index: number): T {
  const row = rows[index];
  if (row === undefined) throw new Error(`there is no row ${index}`);
  return row;
}
