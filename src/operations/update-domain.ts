import type { Domain } from '../model/domain.ts';
import { findWriteRefusal } from './authorise.ts';
import type { Written } from './commit-write.ts';
import { findDnssecRefusal } from './dnssec-state.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import { writeNothing } from './write-nothing.ts';

/** Sets `dns_sec`. The one state there is needs no write. */
export async function updateDomain(
  context: OperationContext,
  caller: Requester,
  domain: string,
  input: { readonly dns_sec?: string },
): Promise<Written<Domain>> {
  const refusal = findWriteRefusal(caller) ?? findDnssecRefusal(input.dns_sec);
  return refusal ?? writeNothing(context, caller, domain);
}
