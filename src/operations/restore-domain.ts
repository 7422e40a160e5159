import type { Domain } from '../model/domain.ts';
import { findWriteRefusal } from './authorise.ts';
import { commitWrite, type Written } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

/** The domain of that name that was deleted last, with everything it had. */
export async function restoreDomain(
  context: OperationContext,
  caller: Requester,
  domain: string,
): Promise<Written<Domain>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const name = parsePathDomain(domain);
  if (!name.ok) return name;
  return commitWrite(context, { kind: 'restoreDomain', ...termsOf(context, caller), name: name.value });
}
