import type { Caller } from '../model/account.ts';
import type { Outcome } from '../model/refusal.ts';
import { findWriteRefusal } from './authorise.ts';
import { authorOf, type OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';

export async function deleteRecord(
  context: OperationContext,
  caller: Caller,
  domain: string,
  recordId: string,
): Promise<Outcome<null>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  const author = authorOf(context, caller);
  return context.store.write({ kind: 'deleteRecord', author, domain: zone.value, recordId });
}
