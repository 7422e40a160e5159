import { useCallback, useMemo, useState } from 'react';
import type { Row } from './record-rows.ts';

export interface Selection {
  /** The keys of all selected rows, also of those that a filter hides. */
  readonly selected: ReadonlySet<string>;
  readonly setSelected: (selected: ReadonlySet<string>) => void;
  /** The selected rows in sight: only these are copied, changed and deleted. */
  readonly seen: readonly Row[];
  /** How many more a filter hides. */
  readonly hidden: number;
  readonly deselect: (rows: readonly Row[]) => void;
}

const none: ReadonlySet<string> = new Set();

/** @param shown those of `all` that match the filter */
export function useSelection(all: readonly Row[], shown: readonly Row[]): Selection {
  const [selected, setSelected] = useState(none);
  const seen = useMemo(() => shown.filter(({ key }) => selected.has(key)), [shown, selected]);
  const count = useMemo(() => all.filter(({ key }) => selected.has(key)).length, [all, selected]);
  const deselect = useCallback((rows: readonly Row[]): void => {
    const gone = new Set(rows.map(({ key }) => key));
    setSelected((before) => new Set([...before].filter((key) => !gone.has(key))));
  }, []);
  return { selected, setSelected, seen, hidden: count - seen.length, deselect };
}
