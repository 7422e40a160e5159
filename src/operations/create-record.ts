import type { Caller } from '../model/account.ts';
import { parseRecord, type RecordInput } from '../model/parse-record.ts';
import type { DomainRecord } from '../model/record.ts';
import type { Outcome } from '../model/refusal.ts';
import { findWriteRefusal } from './authorise.ts';
import { authorOf, type OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';

/** Safe to repeat: `created` is false when the very same record is already there (contract rule 26). */
export async function createRecord(
  context: OperationContext,
  caller: Caller,
  domain: string,
  input: RecordInput,
): Promise<Outcome<DomainRecord>> {
  const refusal = findWriteRefusal(caller);
  if (refusal !== undefined) return refusal;
  const zone = parsePathDomain(domain);
  if (!zone.ok) return zone;
  const record = parseRecord(input, zone.value, context.settings.recordRules);
  if (!record.ok) return record;
  return context.store.write({
    kind: 'createRecord',
    author: authorOf(context, caller),
    domain: zone.value,
    record: { ...record.value, id: context.newId() },
  });
}
