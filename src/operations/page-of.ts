import type { Page, PageRequest } from '../store/store.ts';

/** A page of a list that is in memory. @param rows sorted by their keys */
export function pageOf<Row>(
  rows: readonly Row[],
  { direction, key, limit }: PageRequest,
  keyOf: (row: Row) => string,
): Page<Row> {
  const isAfter = direction === 'after';
  const chosen = key === null ? rows : rows.filter((row) => (isAfter ? keyOf(row) > key : keyOf(row) < key));
  const page = isAfter ? chosen.slice(0, limit) : chosen.slice(-limit);
  const goesOn = chosen.length > page.length;
  const hasOtherSide = chosen.length < rows.length;
  return {
    rows: page,
    hasBefore: isAfter ? hasOtherSide : goesOn,
    hasAfter: isAfter ? goesOn : hasOtherSide,
    total: rows.length,
  };
}
