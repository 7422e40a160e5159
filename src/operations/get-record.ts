import type { Caller } from '../model/account.ts';
import type { DomainRecord } from '../model/record.ts';
import type { Outcome } from '../model/refusal.ts';
import { refuseUnknownRecord } from '../model/refuse-unknown.ts';
import { foundIn } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

export async function getRecord(
  context: OperationContext,
  caller: Caller,
  domain: string,
  recordId: string,
): Promise<Outcome<DomainRecord>> {
  const found = await findPathDomain(context, caller, domain);
  if (!found.ok) return found;
  const record = await context.store.findRecord(found.value.id, recordId);
  return record === undefined
    ? refuseUnknownRecord(recordId, found.value.name)
    : foundIn(record, found.value);
}
