// Finds in the history of a domain (contract rule 46) who has changed records last.
import type { ChangeJson } from '../../../src/contract/response-shapes.ts';

export interface LastChange {
  /** The id of an API key, `user:` and the id of a user, or `''` for the service itself. */
  readonly author: string;
  /** RFC 3339 */
  readonly date: string;
}

/**
 * Reads no further than to the last one that is looked for.
 *
 * @param history the newest first
 * @param most so many changes are looked at
 * @returns by id of the record; those whose change was not found are absent
 */
export async function findLastChanges(
  history: AsyncIterable<ChangeJson>,
  ids: Iterable<string>,
  most: number,
): Promise<ReadonlyMap<string, LastChange>> {
  const missing = new Set(ids);
  const found = new Map<string, LastChange>();
  if (missing.size === 0) return found;
  let seen = 0;
  for await (const { old, new: now, key, date } of history) {
    const id = (now ?? old)?.id;
    if (id !== undefined && missing.delete(id)) found.set(id, { author: key, date });
    if (missing.size === 0 || ++seen >= most) break;
  }
  return found;
}
