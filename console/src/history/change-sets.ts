// The history of a domain, by change set: what one request has changed. The service lists single changes (contract rule 46).
import type { ChangeJson, ChangesJson, RecordJson } from '../../../src/contract/response-shapes.ts';
import {
  invertChanges,
  MAX_CHANGES,
  stageChanges,
  stageCreation,
  stageDeletions,
  type Draft,
} from '../records/draft.ts';

export interface ChangeSet {
  readonly serial: number;
  /** RFC 3339 */
  readonly date: string;
  /** The id of an API key, `user:` and the id of a user, or `''` for the service itself. */
  readonly author: string;
  readonly address: string | null;
  readonly note: string | null;
  /** The effect on records. One that was created and deleted again is not among them. */
  readonly changes: ChangesJson;
  /** Those of the domain itself. */
  readonly others: readonly ChangeJson[];
  /** Its oldest changes may be on the next page. */
  readonly isPart: boolean;
}

/**
 * Groups changes by what they have in common. Several requests of the same author can share a serial; they are one set if their notes
 * are the same.
 *
 * @param changes the newest first
 * @param isAll the history has no further page
 */
export function groupChanges(changes: readonly ChangeJson[], isAll: boolean): readonly ChangeSet[] {
  const groups: ChangeJson[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    if (group !== undefined && isSameSet(group[0], change)) group.push(change);
    else groups.push([change]);
  }
  return groups.map((group, index) => {
    const { serial, date, key, address, note } = group[0];
    const isPart = !isAll && index === groups.length - 1;
    const others = group.filter(({ action }) => action.startsWith('domain_'));
    return { serial, date, author: key, address, note, changes: netChanges(group), others, isPart };
  });
}

function isSameSet(one: ChangeJson, other: ChangeJson): boolean {
  return (
    one.serial === other.serial &&
    one.key === other.key &&
    one.address === other.address &&
    one.note === other.note
  );
}

interface NetChange {
  readonly before: RecordJson | null;
  readonly after: RecordJson | null;
  readonly strings: ChangeJson['strings'];
}

/** @param group the newest first: the last one that is seen of a record says what it was before */
function netChanges(group: readonly ChangeJson[]): ChangesJson {
  const byId = new Map<string, NetChange>();
  for (const { old, new: now, strings } of group) {
    const id = (now ?? old)?.id;
    if (id === undefined) continue;
    const later = byId.get(id);
    byId.set(id, later === undefined ? { before: old, after: now, strings } : { ...later, before: old });
  }
  const created: RecordJson[] = [];
  const updated: ChangesJson['updated'] = [];
  const deleted: RecordJson[] = [];
  for (const { before, after, strings } of byId.values()) {
    if (before === null && after !== null) created.push(after);
    else if (before !== null && after !== null)
      updated.push({ before, after, ...(strings !== undefined && { strings }) });
    else if (before !== null) deleted.push(before);
  }
  return { created, updated, deleted, unchanged: 0 };
}

export function countChanges({ created, updated, deleted }: ChangesJson): number {
  return created.length + updated.length + deleted.length;
}

/** Whether all that a set has changed can be staged the other way round. */
export function canUndo({ changes, others, isPart }: ChangeSet): boolean {
  const count = countChanges(changes);
  return !isPart && others.length === 0 && count > 0 && count <= MAX_CHANGES;
}

/** Adds the inverse of a set to what is staged. @param newKey makes keys for records to create again */
export function stageInverse(draft: Draft, changes: ChangesJson, newKey: () => string): Draft {
  const { created, changed, deleted } = invertChanges(changes, newKey);
  const staged = stageChanges(stageDeletions(draft, Object.values(deleted)), Object.values(changed));
  return Object.entries(created).reduce((before, [key, value]) => stageCreation(before, key, value), staged);
}
