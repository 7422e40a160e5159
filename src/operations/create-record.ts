import { finishSteps } from '../base/steps.ts';
import { findOwnFaults } from '../checks/own-faults.ts';
import type { ZoneWarning } from '../model/zone-warning.ts';
import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import type { DomainRecord } from '../model/record.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { WriteResult } from '../model/result.ts';
import { termsOf, type Requester } from './requester.ts';
import { noChanges, warnOfWrite } from './warn-of-write.ts';

/**
 * Creating it twice is safe: `changed` is false if the same record exists (contract rule 26). The result has the warnings
 * that the record causes by itself, or on request those of a check (decision 0020).
 */
export async function createRecord(
  context: OperationContext,
  caller: Requester,
  domain: string,
  input: RecordInput,
): Promise<WriteResult<DomainRecord>> {
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  const record = parseRecord(input, zone.value, context.settings.recordRules);
  if (!record.ok) return record;
  const sent = { id: context.newId(), ...record.value };
  const terms = termsOf(context, caller);
  const isAsked = caller.terms?.wantsWarnings === true;
  // Before the write, because a failure after it would look as if nothing was committed.
  const faults = isAsked || terms.dryRun === true ? [] : finishSteps(findOwnFaults(zone.value, [sent]));
  const command = { kind: 'createRecord', domain: zone.value, record: sent, ...terms } as const;
  const result = await commitDomainWrite(context, command);
  if (isAsked) {
    const changesOf = (created: DomainRecord) => ({ ...noChanges, created: [created] });
    return warnOfWrite(context, caller, zone.value, result, changesOf);
  }
  return faults.length === 0 || !result.ok ? result : { ...result, warnings: about(faults, result.value) };
}

/** The record may have existed, with another id. */
function about(warnings: readonly ZoneWarning[], { id }: DomainRecord): readonly ZoneWarning[] {
  return warnings.map((warning) => (warning.recordId === null ? warning : { ...warning, recordId: id }));
}
