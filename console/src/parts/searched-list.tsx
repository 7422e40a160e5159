import { useRef, type ReactNode } from 'react';
import { text } from '../text/en.ts';
import { Button } from './button.tsx';
import { SearchInput } from './search-input.tsx';
import { VirtualList } from './virtual-list.tsx';

interface SearchedListProps<T> {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly searchLabel: string;
  /** The rows that match. */
  readonly rows: readonly T[];
  /** How many these are, in words. */
  readonly count: string;
  /** More rows are being loaded, or loading has stopped. */
  readonly isPart: boolean;
  /** The sentence for a search that no row matches. */
  readonly noMatch: string;
  readonly keyOf: (row: T) => string;
  /** The height of a usual row, in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly children: (row: T) => ReactNode;
}

/** A long list with a search field, the number of rows that match, and a way back if none does. */
export function SearchedList<T>(props: SearchedListProps<T>) {
  const { search, onSearch, searchLabel, rows, count, isPart, noMatch, ...list } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="tools">
        <SearchInput ref={input} label={searchLabel} value={search} onValue={onSearch} />
        <span className="count muted numbers" role="status">
          {isPart ? text.domainList.notAll(count) : count}
        </span>
      </div>
      {rows.length === 0 ? (
        <div className="empty">
          <p>{noMatch}</p>
          <Button onClick={() => onSearch('')}>{text.domainList.clear}</Button>
        </div>
      ) : (
        <VirtualList rows={rows} {...list} />
      )}
    </>
  );
}
