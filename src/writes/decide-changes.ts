import type { PendingBatch } from './pending-batch.ts';
import type { CommandOf } from './command.ts';
import { octetsOfRecord } from './record-octets.ts';
import { getOwnDomain } from './decide-domain.ts';
import { createRecord, deleteRecord, updateRecord } from './decide-record.ts';
import type { DomainRecord } from '../model/record.ts';
import { isNoChange, type RecordsChanged } from '../model/record-changes.ts';
import type { Problem, Refusal } from '../model/refusal.ts';
import { refused, written, type Refused, type WriteResult } from '../model/result.ts';
import { problemsOf, refuseProblems, type PartProblem } from '../model/refuse-problems.ts';
import { MAX_CHANGED_OCTETS } from '../model/write-limits.ts';

/**
 * Decides a batch of changes of one domain: deletes, updates and creates in this order, each by the same rules as alone.
 * After a refused change the others are still tried, so that all problems are reported at once.
 */
export function decideChangeRecords(
  command: CommandOf<'changeRecords'>,
  batch: PendingBatch,
): WriteResult<RecordsChanged> {
  const found = getOwnDomain(command.domain, command.author, batch);
  if (!found.ok) return found;
  const domain = found.value;
  const { changes, rules } = command;
  const problems: PartProblem[] = [];
  const problem = (list: Problem['list'], index: number, refusal: Refusal): void => {
    problems.push(...problemsOf(refusal, { ...(list && { list }), index }));
  };
  const deleted: DomainRecord[] = [];
  const updated: { before: DomainRecord; after: DomainRecord }[] = [];
  const created: DomainRecord[] = [];
  let unchanged = 0;
  let unchangedOctets = 0;
  for (const [index, id] of changes.deletes.entries()) {
    if (batch.octetsOfCommand() > MAX_CHANGED_OCTETS) return refuseTooMuch();
    const removed = deleteRecord(domain, id, batch);
    if (removed.ok) deleted.push(removed.value);
    else problem('delete', index, removed.refusal);
  }
  for (const [index, { id, patch }] of changes.updates.entries()) {
    if (batch.octetsOfCommand() + unchangedOctets > MAX_CHANGED_OCTETS) return refuseTooMuch();
    const changed = updateRecord(domain, id, patch, rules, batch);
    if (!changed.ok) problem('update', index, changed.refusal);
    else if (changed.value.before === changed.value.after) {
      unchanged++;
      unchangedOctets += 2 * octetsOfRecord(changed.value.before);
    } else updated.push(changed.value);
  }
  for (const [index, record] of changes.creates.entries()) {
    const placed = createRecord(domain, record, batch);
    if (!placed.ok) problem('create', index, placed.refusal);
    else if (placed.changed) created.push(placed.value);
    else unchanged++;
  }
  if (problems.length > 0) return refuseProblems(problems);
  const changed = { created, updated, deleted, unchanged };
  return written(changed, !isNoChange(changed));
}

/** Decided before the records that follow are read: their number is limited, their size is not. */
function refuseTooMuch(): Refused {
  return refused(
    'invalid_request',
    `The records that this batch changes have more than ${MAX_CHANGED_OCTETS} octets, before and after together: send it in parts`,
  );
}
