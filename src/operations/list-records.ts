import type { Caller } from '../model/account.ts';
import type { DomainRecord } from '../model/record.ts';
import type { Outcome } from '../model/refusal.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { foundIn } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/** A domain's records, in creation order. */
export async function listRecords(
  context: OperationContext,
  caller: Caller,
  domain: string,
  page: PageRequest,
): Promise<Outcome<Page<Omit<DomainRecord, 'rdata' | 'owner'>>>> {
  const found = await findPathDomain(context, caller, domain);
  return found.ok ? foundIn(await context.store.listRecords(found.value, page), found.value) : found;
}
