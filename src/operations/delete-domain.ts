import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { WriteResult } from '../model/result.ts';
import { termsOf, type Requester } from './requester.ts';

/** Deletes a domain with all its records. */
export async function deleteDomain(
  context: OperationContext,
  caller: Requester,
  domain: string,
): Promise<WriteResult<null>> {
  const name = parsePathDomain(domain);
  if (!name.ok) return name;
  return commitDomainWrite(context, { kind: 'deleteDomain', ...termsOf(context, caller), name: name.value });
}
