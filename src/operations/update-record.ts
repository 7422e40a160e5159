import type { RecordPatch } from '../model/record-patch.ts';
import type { DomainRecord } from '../model/record.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { WriteResult } from '../model/result.ts';
import { termsOf, type Requester } from './requester.ts';

/** Changes the members in the patch. The patch is validated within the batch, because its rules depend on the record's type. */
export async function updateRecord(
  context: OperationContext,
  caller: Requester,
  domain: string,
  recordId: string,
  patch: RecordPatch,
): Promise<WriteResult<DomainRecord>> {
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  return commitDomainWrite(context, {
    kind: 'updateRecord',
    ...termsOf(context, caller),
    domain: zone.value,
    recordId,
    patch,
    rules: context.settings.recordRules,
  });
}
