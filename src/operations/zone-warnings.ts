import { visitInSteps, type Steps } from '../base/steps.ts';
import { checkZone } from '../checks/check-zone.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { ZoneName } from '../model/domain.ts';
import type { Result } from '../model/result.ts';
import { isNoChange, type RecordsChanged } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { OperationContext } from './operation-context.ts';
import { zoneWeight } from './work-weights.ts';
import { useZone, type WholeZone, type ZoneRequest } from './read-zone.ts';
import { runForClient } from './run-for-client.ts';
import { CommitInDoubt, StoreUnavailable } from '../writes/store-errors.ts';

/** Returns the warnings of a domain after a write; none if it is too large to check, or deleted. */
export async function findWarnings(
  context: OperationContext,
  request: ZoneRequest,
): Promise<readonly ZoneWarning[]> {
  const { name } = request;
  const check = ({ records }: WholeZone) => runForClient(checkZone(name, records), request.getSignal);
  const warnings = await useZoneInShare(context, request, check);
  return warnings.ok ? warnings.value : [];
}

/**
 * Waits for the warnings about a committed write, which must not be reported as failed: there are none if the store is away,
 * and no answer after any other error.
 */
export async function afterCommit(finding: Promise<readonly ZoneWarning[]>): Promise<readonly ZoneWarning[]> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof StoreUnavailable) return [];
    throw new CommitInDoubt('the write is committed, but looking for its warnings failed', { cause: error });
  }
}

/** Reads a domain within the memory of a request, which has reserved none for the domain yet. */
export async function useZoneInShare<T>(
  context: OperationContext,
  request: ZoneRequest,
  use: (zone: WholeZone) => Promise<T>,
): Promise<Result<T>> {
  const { accountId, name, getSignal, share } = request;
  const domain = share && (await context.store.findDomain(accountId, name));
  if (domain !== undefined) await share?.extendTo(share.octets + zoneWeight(domain), getSignal);
  return useZone(context, request, use);
}

/** Returns all warnings of a domain after a planned change. @param initial records of a domain that would be created */
export async function foreseeWarnings(
  context: OperationContext,
  request: ZoneRequest,
  difference: RecordsChanged,
  initial: readonly DomainRecord[] = [],
): Promise<readonly ZoneWarning[]> {
  const { name, getSignal } = request;
  const check = (records: readonly DomainRecord[]) =>
    runForClient(checkAfter(name, records, difference), getSignal);
  const warnings = await useZone(context, request, ({ records }) => check(records));
  if (warnings.ok) return warnings.value;
  return warnings.refusal.code === 'unknown_domain' ? check(initial) : [];
}

/** Returns the warnings that a planned change would cause, and those about the names that it touches. */
export async function foreseeNewWarnings(
  context: OperationContext,
  request: ZoneRequest,
  difference: RecordsChanged,
): Promise<readonly ZoneWarning[]> {
  if (isNoChange(difference)) return [];
  const find = (records: readonly DomainRecord[]) =>
    runForClient(newWarnings(request.name, records, difference), request.getSignal);
  const warnings = await useZone(context, request, ({ records }) => find(records));
  if (warnings.ok) return warnings.value;
  return warnings.refusal.code === 'unknown_domain' ? find([]) : [];
}

export function* newWarnings(
  name: ZoneName,
  records: readonly DomainRecord[],
  difference: RecordsChanged,
): Steps<readonly ZoneWarning[]> {
  const known = new Set((yield* checkZone(name, records)).map(identify));
  const touched = yield* touchedNames(difference);
  const warnings = yield* checkAfter(name, records, difference);
  return warnings.filter(
    (warning) => touched.has(warning.name.toLowerCase()) || !known.has(identify(warning)),
  );
}

function* checkAfter(
  name: ZoneName,
  records: readonly DomainRecord[],
  { created, updated, deleted }: RecordsChanged,
): Steps<readonly ZoneWarning[]> {
  const after = new Map<string, DomainRecord>();
  const put = (record: DomainRecord): void => void after.set(record.id, record);
  yield* visitInSteps(records, put);
  yield* visitInSteps(deleted, ({ id }) => after.delete(id));
  yield* visitInSteps(updated, (change) => put(change.after));
  yield* visitInSteps(created, put);
  return yield* checkZone(name, Array.from(after.values()));
}

function* touchedNames({ created, updated, deleted }: RecordsChanged): Steps<ReadonlySet<string>> {
  const names = new Set<string>();
  const add = ({ name }: DomainRecord): void => void names.add(name.toLowerCase());
  yield* visitInSteps(created, add);
  yield* visitInSteps(deleted, add);
  yield* visitInSteps(updated, ({ before, after }) => {
    add(before);
    add(after);
  });
  return names;
}

function identify({ code, name, type, recordId }: ZoneWarning): string {
  return `${code} ${name} ${type} ${recordId}`;
}
