/** As many rows as a page has; they are shown at once, and the rest together when it is complete. */
const FIRST_ROWS = 500;

/** Collects all rows of a list. @param onFirst called with the first page if there are more */
export async function collectPages<T>(
  rows: AsyncIterable<T>,
  onFirst: (first: readonly T[]) => void,
  signal?: AbortSignal,
): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const row of rows) {
    if (all.length === FIRST_ROWS) onFirst([...all]);
    all.push(row);
    signal?.throwIfAborted();
  }
  return all;
}
