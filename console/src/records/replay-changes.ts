// Brings the records of a domain up to date with its history (contract rule 46), which is much shorter than they are.
import type { ChangeJson, RecordJson } from '../../../src/contract/response-shapes.ts';
import { isNewerSerial } from '../../../src/dns/serial.ts';

const ofRecords: ReadonlySet<ChangeJson['action']> = new Set(['create', 'update', 'delete']);
/** Changes of a domain that leave its records alone. */
const ofOthers: ReadonlySet<ChangeJson['action']> = new Set([
  'domain_update',
  'domain_withhold',
  'domain_release',
]);

/**
 * Collects the changes since a serial. Those of the serial itself are among them: several writes can share one.
 *
 * @param history the newest first
 * @param most with more, reading the records is cheaper
 * @returns undefined if the records have to be read: the history is too long or too short, or the domain was deleted
 */
export async function collectChanges(
  history: AsyncIterable<ChangeJson>,
  serial: number,
  most: number,
): Promise<readonly ChangeJson[] | undefined> {
  const changes: ChangeJson[] = [];
  let seen = 0;
  for await (const change of history) {
    if (isNewerSerial(serial, change.serial)) return changes;
    if (change.action === 'domain_create') return change.serial === serial ? changes : undefined;
    if (seen++ === most) return undefined;
    if (ofRecords.has(change.action)) changes.push(change);
    else if (!ofOthers.has(change.action)) return undefined;
  }
  return undefined;
}

/** @param changes the newest first; some of them may have been made already */
export function replayChanges(
  records: readonly RecordJson[],
  changes: readonly ChangeJson[],
): readonly RecordJson[] {
  const latest = new Map<string, RecordJson | undefined>();
  for (const { old, new: now } of changes) {
    const id = (now ?? old)?.id;
    if (id !== undefined && !latest.has(id)) latest.set(id, now ?? undefined);
  }
  const kept = records.flatMap((record) => (latest.has(record.id) ? (latest.get(record.id) ?? []) : record));
  const known = new Set(records.map(({ id }) => id));
  const added = [...latest.values()].filter(
    (record): record is RecordJson => record !== undefined && !known.has(record.id),
  );
  return [...kept, ...added];
}
