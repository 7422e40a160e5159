import type { Domain, ZoneName } from '../model/domain.ts';
import { quoteText } from '../model/quote-text.ts';
import type { DomainRecord } from '../model/record.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import type { OperationContext } from './operation-context.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';

export interface WholeZone {
  readonly domain: Domain;
  readonly records: readonly DomainRecord[];
}

/** Reads all records of a domain into memory. The limit corresponds to about 100 MB; larger domains are refused. */
export async function readZone(
  context: OperationContext,
  accountId: string,
  name: ZoneName,
): Promise<Result<WholeZone>> {
  const opened = await context.zoneViews.open(accountId, name);
  if (!opened.ok) return opened;
  const view = opened.value;
  try {
    const { domain } = view;
    if (domain.recordCount > MAX_ZONE_RECORDS) return refuseTooLarge(domain);
    const records: DomainRecord[] = [];
    for await (const slice of view.slices()) for (const record of slice) records.push(record);
    return success({ domain, records });
  } finally {
    await view.close();
  }
}

function refuseTooLarge({ name, recordCount }: Domain): Refused {
  return refused(
    'invalid_request',
    `Domain ${quoteText(name)} has ${recordCount} records; domains of more than ${MAX_ZONE_RECORDS} records are not checked`,
  );
}
