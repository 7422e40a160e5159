import { commitDomainWrite, type Written } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

export async function deleteRecord(
  context: OperationContext,
  caller: Requester,
  domain: string,
  recordId: string,
): Promise<Written<null>> {
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  return commitDomainWrite(context, {
    kind: 'deleteRecord',
    ...termsOf(context, caller),
    domain: zone.value,
    recordId,
  });
}
