import type { Caller } from '../model/account.ts';
import type { Outcome } from '../model/refusal.ts';
import { soaOf } from '../model/soa.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/** The SOA fields as they are served: the owner's, or the service's defaults (contract rule 31). */
export async function getSoa(
  context: OperationContext,
  caller: Caller,
  domain: string,
): Promise<Outcome<{ readonly primary: string; readonly email: string }>> {
  const found = await findPathDomain(context, caller, domain);
  if (!found.ok) return found;
  return foundAt(soaOf(found.value, context.settings.soa), found.value);
}
