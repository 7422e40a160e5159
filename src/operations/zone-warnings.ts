import { runInSteps, visitInSteps, type Steps } from '../base/steps.ts';
import { checkZone } from '../checks/check-zone.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import type { ZoneName } from '../model/domain.ts';
import { isNoChange, type RecordsChanged } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { OperationContext } from './operation-context.ts';
import { readZone } from './read-zone.ts';
import { StoreUnavailable } from '../writes/store-errors.ts';

/** Returns the warnings of a domain after a write; none if it is too large to check, deleted, or cannot be read. */
export async function findWarnings(
  context: OperationContext,
  accountId: string,
  name: ZoneName,
): Promise<readonly ZoneWarning[]> {
  const zone = await readZone(context, accountId, name).catch((error: unknown) => {
    // The write is committed, so it must not be reported as failed.
    if (error instanceof StoreUnavailable) return null;
    throw error;
  });
  return zone?.ok === true ? runInSteps(checkZone(name, zone.value.records)) : [];
}

/** Returns all warnings of a domain after a planned change. @param initial records of a domain that would be created */
export async function foreseeWarnings(
  context: OperationContext,
  accountId: string,
  name: ZoneName,
  difference: RecordsChanged,
  initial: readonly DomainRecord[] = [],
): Promise<readonly ZoneWarning[]> {
  const zone = await readZone(context, accountId, name);
  if (!zone.ok && zone.refusal.code !== 'unknown_domain') return [];
  return runInSteps(checkAfter(name, zone.ok ? zone.value.records : initial, difference));
}

/** Returns the warnings that a planned change would cause, and those about the names that it touches. */
export async function foreseeNewWarnings(
  context: OperationContext,
  accountId: string,
  name: ZoneName,
  difference: RecordsChanged,
): Promise<readonly ZoneWarning[]> {
  if (isNoChange(difference)) return [];
  const zone = await readZone(context, accountId, name);
  if (!zone.ok && zone.refusal.code !== 'unknown_domain') return [];
  const records = zone.ok ? zone.value.records : [];
  const known = new Set((await runInSteps(checkZone(name, records))).map(identify));
  const touched = await runInSteps(touchedNames(difference));
  const warnings = await runInSteps(checkAfter(name, records, difference));
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
