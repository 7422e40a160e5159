/** As many rows as a page has; they are shown at once, and the rest together when it is complete. */
export const FIRST_ROWS = 500;

/** Collects all rows of a list. @param onFirst called with the first page if it is full, so that there may be more */
export async function collectPages<T>(
  rows: AsyncIterable<T>,
  onFirst: (first: readonly T[]) => void,
  signal?: AbortSignal,
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const row of rows) {
    all.push(row);
    if (all.length === FIRST_ROWS) onFirst([...all]);
    signal?.throwIfAborted();
  }
  return all;
}
