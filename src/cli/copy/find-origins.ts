import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { ChangeJson, RecordJson } from '../../contract/response-shapes.ts';
import { findSource } from './copy-note.ts';

/** The origin of a record: this source, another source, a write that was no copy, or before the history begins. */
export type Origin = 'this source' | 'another source' | 'here' | 'unknown';

/**
 * Reads in the history which of the records were brought by copies. The write that gave a record its present name and
 * data counts; a later change of its TTL does not.
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
  for await (const change of client.domains.changes(domain)) {
    const id = change.new?.id ?? '';
    if (!wanted.has(id) || !hasNewContent(change)) continue;
    const source = findSource(change.note);
    origins.set(id, source === undefined ? 'here' : sources.has(source) ? 'this source' : 'another source');
    wanted.delete(id);
    if (wanted.size === 0) break;
  }
  return origins;
}

function hasNewContent({ old, new: now }: ChangeJson): boolean {
  if (old === null || now === null) return true;
  return old.name.toLowerCase() !== now.name.toLowerCase() || old.data !== now.data;
}
