// Brings staged changes together with what others have changed meanwhile. Compares three versions of each record: as it was when it
// was staged, as it is now, and as it is staged. Where nobody else has changed anything, it returns what is staged: it can be asked
// at any time, and is asked before anything is shown or sent.
import type { RecordJson } from '../../../src/contract/response-shapes.ts';
import { isNewerSerial } from '../../../src/dns/serial.ts';
import { unstage, type Draft, type StagedChange } from './draft.ts';
import { isSameValue, valueOf, type RecordValue } from './record-value.ts';

export interface Conflict {
  readonly id: string;
  /** Undefined: the deletion is staged. */
  readonly mine: RecordValue | undefined;
  /** Undefined: somebody else has deleted the record. */
  readonly theirs: RecordJson | undefined;
}

export interface MergedDraft {
  /** Everything except the conflicts, on top of what is there now. */
  readonly draft: Draft;
  /** The same with the conflicts, which stay as they were staged until somebody chooses. */
  readonly all: Draft;
  /** The ids of records that others have changed, too, and whose changes fit together. */
  readonly merged: readonly string[];
  readonly conflicts: readonly Conflict[];
}

/** @param now all records of the domain, by id */
export function mergeDraft(draft: Draft, now: ReadonlyMap<string, RecordJson>): MergedDraft {
  const changed: Record<string, StagedChange> = {};
  const deleted: Record<string, RecordJson> = {};
  const conflicts: Conflict[] = [];
  const merged: string[] = [];
  for (const [id, { before, after }] of Object.entries(draft.changed)) {
    const theirs = now.get(id);
    const outcome = theirs && mergeValues(valueOf(before), valueOf(theirs), after);
    if (theirs === undefined || outcome === undefined) conflicts.push({ id, mine: after, theirs });
    else {
      if (!isSameValue(valueOf(before), valueOf(theirs))) merged.push(id);
      if (!isSameValue(outcome, valueOf(theirs))) changed[id] = { before: theirs, after: outcome };
    }
  }
  for (const [id, before] of Object.entries(draft.deleted)) {
    const theirs = now.get(id);
    if (theirs === undefined) merged.push(id);
    else if (isSameValue(valueOf(before), valueOf(theirs))) deleted[id] = theirs;
    else conflicts.push({ id, mine: undefined, theirs });
  }
  const fitting = { ...draft, changed, deleted };
  return { draft: fitting, all: withConflicts(fitting, draft, conflicts), merged, conflicts };
}

/**
 * Edits a draft on top of the records that a window has. Another window may have compared it with later ones: nothing of it is taken
 * for settled because of these then.
 *
 * @param serial of the records; undefined: not known
 */
export function editOnTop(
  kept: Draft,
  now: ReadonlyMap<string, RecordJson>,
  serial: number | undefined,
  edit: (draft: Draft) => Draft,
): Draft {
  if (serial === undefined) return edit(mergeDraft(kept, now).all);
  if (kept.serial !== undefined && isNewerSerial(kept.serial, serial)) return edit(kept);
  return { ...edit(mergeDraft(kept, now).all), serial };
}

function withConflicts(fitting: Draft, staged: Draft, conflicts: readonly Conflict[]): Draft {
  if (conflicts.length === 0) return fitting;
  const changed = { ...fitting.changed };
  const deleted = { ...fitting.deleted };
  for (const { id, mine } of conflicts) {
    if (mine === undefined) deleted[id] = staged.deleted[id];
    else changed[id] = staged.changed[id];
  }
  return { ...fitting, changed, deleted };
}

/** Returns undefined if both have changed the same member to different values. */
function mergeValues(was: RecordValue, theirs: RecordValue, mine: RecordValue): RecordValue | undefined {
  const choose = <T>(before: T, other: T, own: T): T | undefined => {
    if (own === other || own === before) return other;
    return other === before ? own : undefined;
  };
  const name = choose(was.name, theirs.name, mine.name);
  const data = choose(was.data, theirs.data, mine.data);
  const ttl = choose(was.ttl, theirs.ttl, mine.ttl);
  if (name === undefined || data === undefined || ttl === undefined) return undefined;
  return { type: mine.type, name, data, ttl };
}

/** Replaces the staged change by what somebody has chosen. @param newKey the key of a record to create again */
export function settleConflict(
  staged: Draft,
  { id, mine, theirs }: Conflict,
  keepsMine: boolean,
  newKey: string,
): Draft {
  const draft = unstage(staged, [id]);
  if (!keepsMine) return draft;
  if (mine === undefined)
    return theirs === undefined ? draft : { ...draft, deleted: { ...draft.deleted, [id]: theirs } };
  if (theirs === undefined) return { ...draft, created: { ...draft.created, [newKey]: mine } };
  return { ...draft, changed: { ...draft.changed, [id]: { before: theirs, after: mine } } };
}
