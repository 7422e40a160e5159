import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import type { Outcome } from '../model/refusal.ts';
import type { ListedRecord, Page, PageRequest } from '../store/store.ts';
import { foundIn } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { parseRecordWish, type RecordWish } from './record-filter.ts';

/** A domain's records, in creation order. */
export async function listRecords(
  context: OperationContext,
  caller: Caller,
  domain: string,
  page: PageRequest,
  wish: RecordWish = {},
  getSignal?: GetSignal,
): Promise<Outcome<Page<ListedRecord>>> {
  const found = await findPathDomain(context, caller, domain);
  if (!found.ok) return found;
  const filter = parseRecordWish(wish, found.value.name);
  if (!filter.ok) return filter;
  const isAll = Object.values(filter.value).every((wanted) => wanted === undefined);
  const shown = isAll ? undefined : filter.value;
  return foundIn(await context.store.listRecords(found.value, page, shown, getSignal), found.value);
}
