// Adds to the result of a write what a check says about it, if the client has asked for that (contract rule 52).
import { findOwnFaults } from '../checks/own-faults.ts';
import type { ZoneName } from '../model/domain.ts';
import type { RecordsChanged } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { WriteResult } from '../model/result.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import { findCostRefusal } from './account-limits.ts';
import type { OperationContext } from './operation-context.ts';
import type { ZoneRequest } from './read-zone.ts';
import type { Requester } from './requester.ts';
import { runForClient } from './run-for-client.ts';
import { afterCommit, newWarnings, useZoneInShare } from './zone-warnings.ts';

export const noChanges: RecordsChanged = { created: [], updated: [], deleted: [], unchanged: 0 };

/** The zone is checked as it was and as it is, which takes some 50 ms. In larger zones, only the new records are checked. */
const MAX_CHECKED_RECORDS = 5000;

/** @param changesOf the changes that a result stands for */
export async function warnOfWrite<T>(
  context: OperationContext,
  caller: Requester,
  name: ZoneName,
  result: WriteResult<T>,
  changesOf: (value: T) => RecordsChanged,
): Promise<WriteResult<T>> {
  if (caller.terms?.wantsWarnings !== true || !result.ok || result.difference !== undefined) return result;
  const { accountId, getSignal, share } = caller;
  const zone = { accountId, name, getSignal, share };
  const changes = changesOf(result.value);
  return { ...result, warnings: await afterCommit(findWarningsOf(context, caller, zone, changes)) };
}

async function findWarningsOf(
  context: OperationContext,
  caller: Requester,
  zone: ZoneRequest,
  changes: RecordsChanged,
): Promise<readonly ZoneWarning[]> {
  const { name, accountId, getSignal } = zone;
  const domain = await context.store.findDomain(accountId, name);
  if (domain === undefined) return [];
  const { recordCount, octets } = domain;
  const work = { rows: 2 * recordCount, octets: 2 * octets };
  const isSmall =
    recordCount <= MAX_CHECKED_RECORDS && (await findCostRefusal(context, caller, work)) === undefined;
  if (!isSmall) {
    const written = [...changes.created, ...changes.updated.map(({ after }) => after)];
    return runForClient(findOwnFaults(name, written), getSignal);
  }
  const checked = await useZoneInShare(context, zone, ({ records }) =>
    runForClient(newWarnings(name, undo(records, changes), changes), getSignal),
  );
  return checked.ok ? checked.value : [];
}

/** The records of a zone as they were before the changes. */
function undo(after: readonly DomainRecord[], { created, updated, deleted }: RecordsChanged): DomainRecord[] {
  const before = new Map(after.map((record) => [record.id, record]));
  for (const { id } of created) before.delete(id);
  for (const change of updated) before.set(change.before.id, change.before);
  for (const record of deleted) before.set(record.id, record);
  return [...before.values()];
}
