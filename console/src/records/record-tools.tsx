import { useMemo, type RefObject } from 'react';
import { Button } from '../parts/button.tsx';
import { SearchInput } from '../parts/search-input.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { text } from '../text/en.ts';
import { formatNumber } from '../text/format-values.ts';
import type { ShownRows } from './record-desk.tsx';
import type { RecordSet } from './record-set.ts';

interface RecordToolsProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly set: RecordSet;
  readonly isLoading: boolean;
  readonly rows: ShownRows;
  readonly query: URLSearchParams;
  /** At each key. */
  readonly onType: (search: string) => void;
  /** For the address. */
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
  readonly onAdd: (() => void) | undefined;
}

/** After the last key, so that a screen reader says the count once. */
const SAY_MS = 500;

export function RecordTools(props: RecordToolsProps) {
  const { ref, set, isLoading, rows, query, onType, onChange, onAdd } = props;
  const types = useMemo(() => [...new Set(rows.all.map(({ value }) => value.type))].sort(), [rows.all]);
  const type = query.get('type') ?? '';
  const count = countOf(set, isLoading, rows);
  return (
    <div className="tools">
      <SearchInput
        ref={ref}
        label={text.records.search}
        value={query.get('q') ?? ''}
        onInput={onType}
        onValue={(q) => onChange({ q })}
      />
      <select
        className="input kind"
        aria-label={text.records.type}
        value={type}
        onChange={(event) => onChange({ type: event.target.value })}
      >
        <option value="">{text.records.anyType}</option>
        {(types.includes(type) || type === '' ? types : [...types, type]).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {(['name', 'data'] as const).map((name) => {
        const value = query.get(name);
        if (value === null) return null;
        return (
          <Button key={name} onClick={() => onChange({ [name]: '' })}>
            {text.records[name]}: {value} ×
          </Button>
        );
      })}
      <span className="count muted numbers" aria-hidden="true">
        {count}
      </span>
      <span className="hidden" role="status">
        {useSettled(count, SAY_MS)}
      </span>
      {onAdd !== undefined && (
        <Button kind="primary" onClick={onAdd}>
          + {text.records.add}
        </Button>
      )}
    </div>
  );
}

function countOf(set: RecordSet, isLoading: boolean, { shown, all }: ShownRows): string {
  const [some, total] = [formatNumber(shown.length), formatNumber(all.length)];
  if (set.isPart) return isLoading ? text.records.loadingMore(some) : text.records.notLoaded(some);
  return shown.length === all.length ? text.records.all(total) : text.records.count(some, total);
}
