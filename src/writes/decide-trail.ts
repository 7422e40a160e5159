import { written, type WriteResult } from '../model/result.ts';
import type { CommandOf, UnnamedTrailEntry } from './command.ts';
import type { PendingBatch } from './pending-batch.ts';
import { accountsOfUser } from './people-notes.ts';

/** Adds refusals, failed log-ins and exports, which have committed nothing. */
export function decideNoteTrail({ entries }: CommandOf<'noteTrail'>, batch: PendingBatch): WriteResult<null> {
  const { trail } = batch;
  for (const entry of entries) {
    const actorName = trail.nameOf(entry.actor);
    for (const accountId of accountsOf(entry, batch)) trail.add({ ...entry, accountId, actorName });
  }
  return written(null);
}

function accountsOf({ accountId, object }: UnnamedTrailEntry, batch: PendingBatch): readonly string[] {
  return accountId === null ? accountsOfUser(object, batch) : [accountId];
}
