import type { Caller } from '../model/account.ts';
import { done, type Outcome } from '../model/refusal.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/** DNSKEY and DS records in presentation form; none, as no domain is signed (contract rule 32). */
export async function listDnssec(
  context: OperationContext,
  caller: Caller,
  domain: string,
): Promise<Outcome<readonly string[]>> {
  const found = await findPathDomain(context, caller, domain);
  return found.ok ? done([]) : found;
}
