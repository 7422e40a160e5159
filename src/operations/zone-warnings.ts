import { runInSteps } from '../base/steps.ts';
import { checkZone } from '../model/check/check-zone.ts';
import type { ZoneWarning } from '../model/check/zone-warning.ts';
import type { ZoneName } from '../model/domain.ts';
import { isNoChange, type RecordsChanged } from '../model/record-changes.ts';
import type { DomainRecord } from '../model/record.ts';
import type { OperationContext } from './operation-context.ts';
import { readZone } from './read-zone.ts';

/** Of a domain as it is; none where it is too large to be checked, or gone. */
export async function findWarnings(
  context: OperationContext,
  accountId: string,
  name: ZoneName,
): Promise<readonly ZoneWarning[]> {
  const zone = await readZone(context, accountId, name);
  return zone.ok ? runInSteps(checkZone(name, zone.value.records)) : [];
}

/** What all would be warned of after a change. */
export async function foreseeWarnings(
  context: OperationContext,
  accountId: string,
  name: ZoneName,
  difference: RecordsChanged,
): Promise<readonly ZoneWarning[]> {
  const zone = await readZone(context, accountId, name);
  if (!zone.ok && zone.refusal.code !== 'unknown_domain') return [];
  return runInSteps(checkZone(name, apply(zone.ok ? zone.value.records : [], difference)));
}

/** What a change would bring, and what there is to say about the names that it touches; nothing that it leaves alone. */
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
  const touched = touchedNames(difference);
  const warnings = await runInSteps(checkZone(name, apply(records, difference)));
  return warnings.filter(
    (warning) => touched.has(warning.name.toLowerCase()) || !known.has(identify(warning)),
  );
}

function apply(
  records: readonly DomainRecord[],
  { created, updated, deleted }: RecordsChanged,
): DomainRecord[] {
  const after = new Map(records.map((record) => [record.id, record]));
  for (const { id } of deleted) after.delete(id);
  for (const change of updated) after.set(change.after.id, change.after);
  for (const record of created) after.set(record.id, record);
  return [...after.values()];
}

function touchedNames({ created, updated, deleted }: RecordsChanged): ReadonlySet<string> {
  const changed = [...created, ...deleted, ...updated.flatMap(({ before, after }) => [before, after])];
  return new Set(changed.map(({ name }) => name.toLowerCase()));
}

function identify({ code, name, type, recordId }: ZoneWarning): string {
  return `${code} ${name} ${type} ${recordId}`;
}
