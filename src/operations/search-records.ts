import type { GetSignal } from '../base/fair-semaphore.ts';
import { done, type Outcome } from '../model/refusal.ts';
import type { FoundRecord, Page, PageRequest } from '../store/store.ts';
import type { OperationContext } from './operation-context.ts';
import { parseRecordWish, type RecordWish } from './record-filter.ts';
import type { Requester } from './requester.ts';

/** Records of all of the account's domains, by domain name and creation. */
export async function searchRecords(
  context: OperationContext,
  caller: Requester,
  page: PageRequest,
  wish: RecordWish,
  getSignal?: GetSignal,
): Promise<Outcome<Page<FoundRecord>>> {
  const filter = parseRecordWish(wish, null);
  if (!filter.ok) return filter;
  return done(await context.store.searchRecords(caller.accountId, page, filter.value, getSignal));
}
