/**
 * Runs `work` on all items, at most `limit` at a time, and gives the results in the order of the items. The first
 * failure is thrown when those under way have ended; no further item is begun then.
 */
export async function runConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = Array<R>(items.length);
  let next = 0;
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const at = next++;
      try {
        results[at] = await work(items[at]);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
