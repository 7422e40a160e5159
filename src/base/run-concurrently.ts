/**
 * Runs `work` on all items, at most `limit` at a time, and returns the results in the order of the items. Items are
 * fetched only when there is room for them. After the first failure, including one of fetching an item, no further item
 * is started; the failure is thrown when the running ones have ended.
 */
export async function runConcurrently<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const iterator = items[Symbol.iterator]();
  let taken = 0;
  const lane = async (): Promise<void> => {
    try {
      for (;;) {
        const next = failures.length === 0 ? iterator.next() : undefined;
        if (next === undefined || next.done === true) return;
        const at = taken++;
        results[at] = await work(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
