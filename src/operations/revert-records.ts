import type { RecordsChanged } from '../model/record-changes.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { WriteResult } from '../model/result.ts';
import { termsOf, type Requester } from './requester.ts';

/** Records and SOA fields become what they were at an earlier serial; itself a change, which can be reverted. */
export async function revertRecords(
  context: OperationContext,
  caller: Requester,
  domain: string,
  to: number,
): Promise<WriteResult<RecordsChanged>> {
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  return commitDomainWrite(context, {
    kind: 'revertRecords',
    ...termsOf(context, caller),
    domain: zone.value,
    to,
  });
}
