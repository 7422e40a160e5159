import type { Caller } from '../model/account.ts';
import type { Domain } from '../model/domain.ts';
import type { Outcome } from '../model/refusal.ts';
import { findWriteRefusal } from './authorise.ts';
import { findDnssecRefusal } from './dnssec-state.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/** Sets `dns_sec`. The one state there is needs no write. */
export async function updateDomain(
  context: OperationContext,
  caller: Caller,
  domain: string,
  input: { readonly dns_sec?: string },
): Promise<Outcome<Domain>> {
  const refusal = findWriteRefusal(caller) ?? findDnssecRefusal(input.dns_sec);
  return refusal ?? findPathDomain(context, caller, domain);
}
