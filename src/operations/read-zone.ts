import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import { quoteText } from '../model/quote-text.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';
import type { OperationContext } from './operation-context.ts';
import { checkClient } from './run-for-client.ts';
import { refuseTooLong, ZoneTooLong } from './zone-memory-budget.ts';

export interface WholeZone {
  readonly domain: Domain;
  readonly records: readonly DomainRecord[];
}

/** The zone to read, and the client that waits for it. */
export interface ZoneRequest {
  readonly accountId: string;
  readonly name: ZoneName;
  readonly getSignal?: GetSignal | undefined;
}

/**
 * Reads all records of a domain into memory, within the memory budget, while `use` works on them. Domains with too many
 * records are refused.
 *
 * @throws StoreBusy if too many zones are in memory
 */
export async function useZone<T>(
  context: OperationContext,
  { accountId, name, getSignal }: ZoneRequest,
  use: (zone: WholeZone) => Promise<T> | T,
): Promise<Result<T>> {
  const domain = await context.store.findDomain(accountId, name);
  if (domain === undefined) return refuseUnknownDomain(name);
  if (domain.recordCount > MAX_ZONE_RECORDS) return refuseTooLarge(domain);
  const reservation = await context.zoneMemory.reserve(accountId, domain.recordCount, getSignal);
  try {
    const zone = await readZone(context, { accountId, name, getSignal }, reservation.measure);
    return zone.ok ? success(await use(zone.value)) : zone;
  } catch (error) {
    if (error instanceof ZoneTooLong) return refuseTooLong(name);
    throw error;
  } finally {
    reservation.release();
  }
}

async function readZone(
  context: OperationContext,
  { accountId, name, getSignal }: ZoneRequest,
  measure: (records: readonly DomainRecord[]) => readonly DomainRecord[],
): Promise<Result<WholeZone>> {
  const view = await context.store.openZoneView(accountId, name);
  if (view === undefined) return refuseUnknownDomain(name);
  try {
    const { domain } = view;
    if (domain.recordCount > MAX_ZONE_RECORDS) return refuseTooLarge(domain);
    let signal: AbortSignal | undefined;
    const records: DomainRecord[] = [];
    for await (const slice of view.slices()) {
      for (const record of measure(slice)) records.push(record);
      // A zone of one slice needs no signal.
      if (slice.length < domain.recordCount) checkClient((signal ??= getSignal?.()));
    }
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
