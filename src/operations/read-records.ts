// Reads of records, in one domain or in all domains of an account.
import { findCostRefusal } from './account-limits.ts';
import type { Work } from './work-budget.ts';
import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Caller } from '../model/account.ts';
import type { DomainRecord } from '../model/record.ts';
import { limitsInDomain, permitsRecord } from '../model/rights.ts';
import { success, type ReadResult } from '../model/result.ts';
import { refuseUnknownRecord } from '../model/refuse-unknown.ts';
import type { FoundRecord, ListedRecord, Page, PageRequest } from '../store/store.ts';
import { foundIn } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { findPathDomain } from './path-domain.ts';
import { parseRecordFilterInput, type RecordFilterInput } from './record-filter.ts';

/** Returns one record of a domain. One that the caller may not read counts as unknown. */
export async function getRecord(
  context: OperationContext,
  caller: Caller,
  domain: string,
  recordId: string,
): Promise<ReadResult<DomainRecord>> {
  const found = await findPathDomain(context, caller, domain);
  if (!found.ok) return found;
  const record = await context.store.findRecord(found.value.id, recordId);
  return record === undefined || !permitsRecord(caller.rights, 'records:read', found.value.name, record)
    ? refuseUnknownRecord(recordId, found.value.name)
    : foundIn(record, found.value);
}

/** Lists a domain's records, in creation order, as far as the caller may read them. */
export async function listRecords(
  context: OperationContext,
  caller: Caller,
  domain: string,
  page: PageRequest,
  input: RecordFilterInput = {},
  getSignal?: GetSignal,
): Promise<ReadResult<Page<ListedRecord>>> {
  const found = await findPathDomain(context, caller, domain);
  if (!found.ok) return found;
  const filter = parseRecordFilterInput(input, found.value.name);
  if (!filter.ok) return filter;
  const within = limitsInDomain(caller.rights, 'records:read', found.value.name) ?? undefined;
  const shown = { ...filter.value, within };
  // Without a filter the store reads just the page's rows.
  const isUnfiltered = Object.values(shown).every((value) => value === undefined);
  if (!isUnfiltered) {
    const { recordCount, octets } = found.value;
    const refusal = await findCostRefusal(context, caller, searched({ rows: recordCount, octets }));
    if (refusal !== undefined) return refusal;
  }
  const rows = await context.store.listRecords(
    found.value,
    page,
    isUnfiltered ? undefined : shown,
    getSignal,
  );
  return foundIn(rows, found.value);
}

/** Finds records in all of the account's domains, by domain name and creation. */
export async function searchRecords(
  context: OperationContext,
  caller: Caller,
  page: PageRequest,
  input: RecordFilterInput,
  getSignal?: GetSignal,
): Promise<ReadResult<Page<FoundRecord>>> {
  const filter = parseRecordFilterInput(input, null);
  if (!filter.ok) return filter;
  const quota = await context.store.findQuota(caller.accountId);
  const { records: rows = 0, octets = 0 } = quota?.usage ?? {};
  const refusal = await findCostRefusal(context, caller, searched({ rows, octets }));
  if (refusal !== undefined) return refusal;
  return success(await context.store.searchRecords(caller.accountId, page, filter.value, getSignal));
}

/** A search compares records where they are, which takes a quarter of the time of reading them. */
function searched({ rows, octets }: Work): Work {
  return { rows: Math.ceil(rows / 4), octets: Math.ceil(octets / 4) };
}
