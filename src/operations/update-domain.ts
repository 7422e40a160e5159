import type { Domain } from '../model/domain.ts';
import { findDnssecRefusal } from './dnssec-state.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';
import type { WriteResult } from '../model/result.ts';
import { writeNothing } from './write-nothing.ts';

/** Sets `dns_sec`. Only one state exists, so nothing is written. */
export async function updateDomain(
  context: OperationContext,
  caller: Requester,
  domain: string,
  input: { readonly dns_sec?: string },
): Promise<WriteResult<Domain>> {
  return findDnssecRefusal(input.dns_sec) ?? writeNothing(context, caller, domain);
}
