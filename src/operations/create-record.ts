import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import type { DomainRecord } from '../model/record.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { WriteResult } from '../model/result.ts';
import { termsOf, type Requester } from './requester.ts';
import { noChanges, warnOfWrite } from './warn-of-write.ts';

/** Creating it twice is safe: `changed` is false if the same record exists (contract rule 26). */
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
  const result = await commitDomainWrite(context, {
    kind: 'createRecord',
    ...termsOf(context, caller),
    domain: zone.value,
    record: { ...record.value, id: context.newId() },
  });
  return warnOfWrite(context, caller, zone.value, result, (created) => ({
    ...noChanges,
    created: [created],
  }));
}
