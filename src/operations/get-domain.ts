import type { Caller } from '../model/account.ts';
import type { Domain } from '../model/domain.ts';
import type { Outcome } from '../model/refusal.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

export function getDomain(
  context: OperationContext,
  caller: Caller,
  domain: string,
): Promise<Outcome<Domain>> {
  return findPathDomain(context, caller, domain);
}
