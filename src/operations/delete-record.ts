import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { WriteResult } from '../model/result.ts';
import { termsOf, type Requester } from './requester.ts';

export async function deleteRecord(
  context: OperationContext,
  caller: Requester,
  domain: string,
  recordId: string,
): Promise<WriteResult<null>> {
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  return commitDomainWrite(context, {
    kind: 'deleteRecord',
    ...termsOf(context, caller),
    domain: zone.value,
    recordId,
  });
}
