// Reads of domains, without their records.
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { domainsWith } from '../model/rights.ts';
import { success, type ReadResult } from '../model/result.ts';
import { soaOf } from '../model/soa.ts';
import type { Page, PageRequest } from '../store/store.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { pageOf } from './page-of.ts';
import { findPathDomain } from './path-domain.ts';

/** Lists the account's domains, by name, as far as the caller may read them. */
export async function listDomains(
  context: OperationContext,
  caller: Caller,
  page: PageRequest,
  search?: string,
  getSignal?: GetSignal,
): Promise<ReadResult<Page<Domain>>> {
  const names = domainsWith(caller.rights, 'domains:read');
  if (names !== null) return success(await listNamed(context, caller, names, page, search));
  return success(await context.store.listDomains(caller.accountId, page, search, getSignal));
}

/** @param names at most `MAX_NAMED_DOMAINS` */
async function listNamed(
  { store }: OperationContext,
  { accountId }: Caller,
  names: readonly ZoneName[],
  page: PageRequest,
  search = '',
): Promise<Page<Domain>> {
  const sought = names.filter((name) => name.includes(search.toLowerCase()));
  const found = await Promise.all(sought.map((name) => store.findDomain(accountId, name)));
  return pageOf(
    found.filter((domain) => domain !== undefined),
    page,
    ({ name }) => name,
  );
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
