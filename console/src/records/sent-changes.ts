// A request to apply staged changes: kept with the draft before it is sent, until its outcome is known.
import { ApiError } from '../../../src/client/zonewright-client.ts';
import type { ChangesJson, RecordJson } from '../../../src/contract/response-shapes.ts';
import { WaitCancelled } from '../service/waits.ts';
import { batchOf, type Draft, type SentChanges, type StagedChange } from './draft.ts';
import { isSameValue, valueOf, type RecordValue } from './record-value.ts';

/** @param draft without conflicts */
export function newSentChanges(
  draft: Draft,
  terms: Pick<SentChanges, 'idempotencyKey' | 'revision' | 'note'>,
): SentChanges {
  const staged = withoutSent(draft);
  return { ...terms, batch: batchOf(staged), staged };
}

export function withoutSent({ created, changed, deleted }: Draft): Draft {
  return { created, changed, deleted };
}

/**
 * Whether an error says that the request has changed nothing. A broken connection does not, and neither do answers of proxies, which
 * have no code of ours, or of a service that has failed.
 *
 * @param isRepeat of a request whose first answer is not known: only a decision about the content is about the first one, too
 */
export function hasChangedNothing(error: unknown, isRepeat: boolean): boolean {
  if (error instanceof WaitCancelled) return !isRepeat;
  if (!(error instanceof ApiError) || error.code === undefined) return false;
  if (isRepeat) return decisions.has(error.status);
  return error.status < 500 || error.status === 503;
}

/** Invalid, missing, in conflict, outdated. Others are about the session, its rights or the load. */
const decisions: ReadonlySet<number> = new Set([400, 404, 409, 412]);

/** Removes what was applied. What was staged while the request was under way stays, on top of what was applied. */
export function settleSent(draft: Draft, sent: SentChanges, applied: ChangesJson): Draft {
  const { staged } = sent;
  const now = new Map(applied.updated.map(({ after }) => [after.id, after]));
  const changed: Record<string, StagedChange> = {};
  const deleted: Record<string, RecordJson> = {};
  const created: Record<string, RecordValue> = {};
  for (const [id, { before, after }] of Object.entries(draft.changed)) {
    const was = staged.changed[id] as StagedChange | undefined;
    const theirs = now.get(id);
    if (was === undefined) changed[id] = { before, after };
    else if (!isSameValue(was.after, after))
      changed[id] =
        theirs === undefined
          ? { before, after }
          : { before: theirs, after: onTopOf(theirs, { before, after }) };
  }
  for (const [id, before] of Object.entries(draft.deleted))
    if (!(id in staged.deleted)) deleted[id] = now.get(id) ?? before;
  const made = madeBy(sent, applied);
  for (const [key, value] of Object.entries(draft.created)) {
    const was = staged.created[key] as RecordValue | undefined;
    const record = made.get(key);
    if (was === undefined || (!isSameValue(was, value) && record === undefined)) created[key] = value;
    else if (!isSameValue(was, value) && record !== undefined) {
      if (record.type === value.type) changed[record.id] = { before: record, after: value };
      else {
        deleted[record.id] = record;
        created[key] = value;
      }
    }
  }
  return { created, changed, deleted, ...sentSince(draft, sent) };
}

/** Another window has given the request up, and sent another one: its answer is not here. */
function sentSince({ sent }: Draft, { idempotencyKey }: SentChanges): Pick<Draft, 'sent'> {
  return sent === undefined || sent.idempotencyKey === idempotencyKey ? {} : { sent };
}

/** Members that are not changed are those of the record as it is now. */
function onTopOf(now: RecordJson, { before, after }: StagedChange): RecordValue {
  const [is, was] = [valueOf(now), valueOf(before)];
  return {
    type: after.type,
    name: after.name === was.name ? is.name : after.name,
    data: after.data === was.data ? is.data : after.data,
    ttl: after.ttl === was.ttl ? is.ttl : after.ttl,
  };
}

/** The new records by their keys in the draft; none if some of them were there already, so that it is not known which is which. */
function madeBy({ batch }: SentChanges, { created }: ChangesJson): ReadonlyMap<string, RecordJson> {
  if (created.length !== batch.keys.create.length) return new Map();
  return new Map(created.map((record, index) => [batch.keys.create[index] ?? '', record]));
}
