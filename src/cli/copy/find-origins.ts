import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { ChangeJson, RecordJson } from '../../contract/response-shapes.ts';
import { findSource } from './copy-note.ts';

/** The origin of a record: this source, another source, a write that was no copy, or before the history that is read. */
export type Origin = 'this source' | 'another source' | 'here' | 'unknown';

/**
 * The most changes that are read, newest first, in 500 pages (contract rule 11): a copy of the largest zone that can be
 * replaced, of 200,000 records, and 50,000 later changes.
 */
export const MAX_READ_CHANGES = 250_000;

/**
 * Reads in the history which of the records were brought by copies. The write that gave a record its present name and
 * data, with its priority, counts; a later change of its TTL does not.
 *
 * @param sources the names of this source in notes
 */
export async function findOrigins(
  client: ZonewrightClient,
  domain: string,
  records: readonly RecordJson[],
  sources: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Origin>> {
  const origins = new Map<string, Origin>(records.map(({ id }) => [id, 'unknown']));
  const wanted = new Set(origins.keys());
  let count = 0;
  for await (const change of client.domains.changes(domain)) {
    const id = change.new?.id ?? '';
    if (wanted.has(id) && hasNewContent(change)) {
      const source = findSource(change.note);
      origins.set(id, source === undefined ? 'here' : sources.has(source) ? 'this source' : 'another source');
      wanted.delete(id);
    }
    if (wanted.size === 0 || ++count === MAX_READ_CHANGES) break;
  }
  return origins;
}

function hasNewContent({ old, new: now }: ChangeJson): boolean {
  if (old === null || now === null) return true;
  const isSameName = old.name.toLowerCase() === now.name.toLowerCase();
  return !isSameName || old.data !== now.data || old.priority !== now.priority;
}
