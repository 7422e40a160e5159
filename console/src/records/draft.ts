// The staged changes of a domain: plain values, and functions that return new ones. Nothing here reaches the service.
import type { ChangesJson, RecordJson } from '../../../src/contract/response-shapes.ts';
import type { RecordChanges, RecordPatch } from '../../../src/client/record-batches.ts';
import { dataMembers, isSameValue, valueOf, type RecordValue } from './record-value.ts';

export interface Draft {
  /** New records, by a key that only the draft knows. */
  readonly created: Readonly<Record<string, RecordValue>>;
  /** By id. */
  readonly changed: Readonly<Record<string, StagedChange>>;
  /** By id, as they were when the deletion was staged. */
  readonly deleted: Readonly<Record<string, RecordJson>>;
  /** The latest serial whose records were compared with what is staged. */
  readonly serial?: number;
  /** A request to apply staged changes that was sent, and whose answer is not known. */
  readonly sent?: SentChanges;
}

/** A request as it was sent: only the very same one, sent again, has the same effect twice as once (contract rule 44). */
export interface SentChanges {
  readonly idempotencyKey: string;
  /** The revision of its condition. */
  readonly revision: string;
  readonly note: string;
  readonly batch: DraftBatch;
  /** Everything that was staged then. */
  readonly staged: Draft;
}

export interface StagedChange {
  readonly before: RecordJson;
  readonly after: RecordValue;
}

export const emptyDraft: Draft = { created: {}, changed: {}, deleted: {} };

/** The largest batch that the service accepts (contract rule 40). */
export const MAX_CHANGES = 10_000;

export interface DraftCounts {
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  readonly all: number;
}

export function countDraft(draft: Draft): DraftCounts {
  const created = Object.keys(draft.created).length;
  const changed = Object.keys(draft.changed).length;
  const deleted = Object.keys(draft.deleted).length;
  return { created, changed, deleted, all: created + changed + deleted };
}

/** @param key of a new record that was staged before, or a new key */
export function stageCreation(draft: Draft, key: string, value: RecordValue): Draft {
  return { ...draft, created: { ...draft.created, [key]: value } };
}

/**
 * Staging what a record is already stages nothing. A change of what is staged already keeps the record that the first one was
 * compared with, so that what others have done since then is still seen.
 */
export function stageChanges(draft: Draft, changes: readonly StagedChange[]): Draft {
  const based = changes.map(({ before, after }) => ({
    before: (draft.changed[before.id] as StagedChange | undefined)?.before ?? before,
    after,
  }));
  const isReal = ({ before, after }: StagedChange): boolean => !isSameValue(valueOf(before), after);
  const rest = unstage(
    draft,
    changes.map(({ before }) => before.id),
  );
  const staged = based.filter(isReal).map((change) => [change.before.id, change] as const);
  return { ...rest, changed: { ...rest.changed, ...Object.fromEntries(staged) } };
}

export function stageDeletions(draft: Draft, records: readonly RecordJson[]): Draft {
  const rest = unstage(
    draft,
    records.map(({ id }) => id),
  );
  const staged = records.map((record) => [record.id, record] as const);
  return { ...rest, deleted: { ...rest.deleted, ...Object.fromEntries(staged) } };
}

/** @param keys ids of records, and keys of new ones */
export function unstage(draft: Draft, keys: Iterable<string>): Draft {
  const gone = new Set(keys);
  const without = <T>(staged: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(staged).filter(([key]) => !gone.has(key)));
  const { created, changed, deleted } = draft;
  return { ...draft, created: without(created), changed: without(changed), deleted: without(deleted) };
}

/** Discards what is staged. A request that was sent cannot be taken back like that. */
export function unstageAll(draft: Draft): Draft {
  return { ...draft, ...emptyDraft };
}

/** The body of the batch; the keys of its lists say what each entry comes from. */
export interface DraftBatch {
  readonly changes: Required<{ readonly [List in keyof RecordChanges]: readonly unknown[] }> & RecordChanges;
  readonly keys: Readonly<Record<'delete' | 'update' | 'create', readonly string[]>>;
}

export function batchOf(draft: Draft): DraftBatch {
  const updates = Object.values(draft.changed);
  const creations = Object.entries(draft.created);
  return {
    changes: {
      delete: Object.keys(draft.deleted),
      update: updates.map(({ before, after }) => ({ id: before.id, ...patchOf(before, after) })),
      create: creations.map(([, value]) => ({ ...value, ...dataMembers(value) })),
    },
    keys: {
      delete: Object.keys(draft.deleted),
      update: updates.map(({ before }) => before.id),
      create: creations.map(([key]) => key),
    },
  };
}

/** Only what differs: two people can change different parts of one record. */
function patchOf(before: RecordJson, after: RecordValue): RecordPatch {
  const was = valueOf(before);
  return {
    ...(was.name !== after.name && { name: after.name }),
    ...(was.data !== after.data && dataMembers(after)),
    ...(was.ttl !== after.ttl && { ttl: after.ttl }),
  };
}

/** The draft that takes applied changes back. @param newKey makes keys for records to create again */
export function invertChanges({ created, updated, deleted }: ChangesJson, newKey: () => string): Draft {
  return {
    created: Object.fromEntries(deleted.map((record) => [newKey(), valueOf(record)])),
    changed: Object.fromEntries(
      updated.map(({ before, after }) => [after.id, { before: after, after: valueOf(before) }]),
    ),
    deleted: Object.fromEntries(created.map((record) => [record.id, record])),
  };
}
