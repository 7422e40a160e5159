import type { Caller } from '../model/account.ts';
import type { RecordPatch } from '../model/record-patch.ts';
import type { DomainRecord } from '../model/record.ts';
import type { Outcome } from '../model/refusal.ts';
import { findWriteRefusal } from './authorise.ts';
import { authorOf, type OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';

/** Changes what the patch names. It is judged inside the batch: whether it is right depends on the record's type. */
export async function updateRecord(
  context: OperationContext,
  caller: Caller,
  domain: string,
  recordId: string,
  patch: RecordPatch,
): Promise<Outcome<DomainRecord>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  return context.store.write({
    kind: 'updateRecord',
    author: authorOf(context, caller),
    domain: zone.value,
    recordId,
    patch,
    rules: context.settings.recordRules,
  });
}
