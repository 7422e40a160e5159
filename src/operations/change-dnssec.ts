import type { Denial } from '../dns/proven-types.ts';
import { refused, type WriteResult } from '../model/result.ts';
import { changeDenial } from './change-denial.ts';
import { commitDomainWrite } from './commit-write.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { termsOf, type Requester } from './requester.ts';

export interface DnssecChange {
  readonly denial?: Denial | undefined;
  /** Whether the rollover or withdrawal in progress is held. */
  readonly hold?: boolean | undefined;
}

/** Changes one property of a signed domain (contract rules 64 and 73). */
export async function changeDnssec(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  { denial, hold }: DnssecChange,
): Promise<WriteResult<unknown>> {
  if (hold === undefined) return changeDenial(context, caller, domainText, denial);
  if (denial !== undefined) {
    return refused('invalid_request', 'Send either denial or hold: they are two changes', 'hold');
  }
  const found = await findPathDomain(context, caller, domainText);
  if (!found.ok) return found;
  const { name: domain } = found.value;
  return commitDomainWrite(
    context,
    { kind: 'holdRollover', ...termsOf(context, caller), domain, isHeld: hold },
    caller,
  );
}
