import type { Denial } from '../dns/proven-types.ts';
import type { WriteResult } from '../model/result.ts';
import { findSigningCostRefusal } from './account-limits.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';
import { writeNothing } from './write-nothing.ts';

/**
 * Changes how a signed domain proves that a name does not exist. The whole domain is signed again before the answer.
 *
 * @param denial undefined: nothing is to be changed
 */
export async function changeDenial(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  denial: Denial | undefined,
): Promise<WriteResult<unknown>> {
  if (denial === undefined) return writeNothing(context, caller, domainText);
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const { name: domain, denial: before } = found.value;
  const isKnown = before === null || before === denial;
  const refusal = isKnown ? undefined : await findSigningCostRefusal(context, caller, found.value);
  if (refusal !== undefined) return refusal;
  return commitDomainWrite(
    context,
    { kind: 'changeDenial', ...termsOf(context, caller), domain, denial },
    caller,
  );
}
