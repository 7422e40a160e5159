// Reads of domains, without their records.
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import type { Domain } from '../model/domain.ts';
import { success, type ReadResult } from '../model/result.ts';
import { soaOf } from '../model/soa.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';

/** Lists the account's domains, by name. */
export async function listDomains(
  context: OperationContext,
  caller: Caller,
  page: PageRequest,
  search?: string,
  getSignal?: GetSignal,
): Promise<ReadResult<Page<Domain>>> {
  return success(await context.store.listDomains(caller.accountId, page, search, getSignal));
}

/** Returns one domain of the account. */
export function getDomain(
  context: OperationContext,
  caller: Caller,
  domain: string,
): Promise<ReadResult<Domain>> {
  return findPathDomain(context, caller, domain);
}

/** Returns the SOA fields as they are served: the owner's values, or else the service's defaults (contract rule 31). */
export async function getSoa(
  context: OperationContext,
  caller: Caller,
  domain: string,
): Promise<ReadResult<{ readonly primary: string; readonly email: string }>> {
  const found = await findPathDomain(context, caller, domain);
  if (!found.ok) return found;
  return foundAt(soaOf(found.value, context.settings.soa), found.value);
}
