import type { Caller } from '../model/account.ts';
import { CHANGE_PAGE_ENTRIES } from '../store/change-filter.ts';
import { CHANGE_ROW_OCTETS } from '../writes/pending-feed.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * The most changes that are looked at in the history of a domain for one request. A change that is only compared, with the ones beside it,
 * takes about as long as a record that is sent. The history of the account bounds that of the domain, but for the signatures of signed
 * ones, which count as no octets.
 */
export async function weighHistory(
  { store }: Pick<OperationContext, 'store'>,
  { accountId }: Pick<Caller, 'accountId'>,
): Promise<number> {
  const octets = (await store.findQuota(accountId))?.usage.historyOctets ?? 0;
  return Math.min(CHANGE_PAGE_ENTRIES, Math.ceil(octets / CHANGE_ROW_OCTETS));
}
