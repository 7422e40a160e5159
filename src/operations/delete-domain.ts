import type { Caller } from '../model/account.ts';
import type { Outcome } from '../model/refusal.ts';
import { findWriteRefusal } from './authorise.ts';
import { authorOf, type OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';

/** Removes a domain with all its records. */
export async function deleteDomain(
  context: OperationContext,
  caller: Caller,
  domain: string,
): Promise<Outcome<null>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const name = parsePathDomain(domain);
  if (!name.ok) return name;
  const author = authorOf(context, caller);
  return context.store.write({ kind: 'deleteDomain', author, name: name.value });
}
