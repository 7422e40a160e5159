import type { GetSignal } from '../base/fair-semaphore.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import { quoteText } from '../model/quote-text.ts';
import { refuseUnknownDomain } from '../model/refuse-unknown.ts';
import { refused, success, type Refused, type Result } from '../model/result.ts';
import { MAX_ZONE_RECORDS } from '../model/write-limits.ts';
import type { OperationContext } from './operation-context.ts';
import { checkClient } from './run-for-client.ts';
import { ShareTooLarge, type WorkShare } from './work-memory.ts';
import { zoneWeight } from './work-weights.ts';

export interface WholeZone {
  readonly domain: Domain;
  readonly records: readonly DomainRecord[];
}

/** The zone to read, and the client that waits for it. */
export interface ZoneRequest {
  readonly accountId: string;
  readonly name: ZoneName;
  readonly getSignal?: GetSignal | undefined;
  /** The memory of a request that has reserved room for the zone already. */
  readonly share?: WorkShare | undefined;
}

/**
 * Reads all records of a domain into memory, within the memory budget, while `use` works on them. Domains with too many
 * records are refused.
 *
 * @throws StoreBusy if too many zones are in memory
 */
export async function useZone<T>(
  context: OperationContext,
  request: ZoneRequest,
  use: (zone: WholeZone) => Promise<T> | T,
): Promise<Result<T>> {
  const { accountId, name, getSignal } = request;
  const domain = await context.store.findDomain(accountId, name);
  if (domain === undefined) return refuseUnknownDomain(name);
  if (domain.recordCount > MAX_ZONE_RECORDS) return refuseTooLarge(domain);
  const { mostOctets } = context.workMemory;
  if (request.share === undefined && zoneWeight(domain) > mostOctets) return refuseTooLong(name, mostOctets);
  const own = request.share ?? (await context.workMemory.reserve(accountId, zoneWeight(domain), getSignal));
  try {
    const zone = await readZone(context, request, own);
    return zone.ok ? success(await use(zone.value)) : zone;
  } catch (error) {
    if (error instanceof ShareTooLarge) return refuseTooLong(name, mostOctets);
    throw error;
  } finally {
    if (own !== request.share) own.release();
  }
}

async function readZone(
  context: OperationContext,
  { accountId, name, getSignal, share }: ZoneRequest,
  own: WorkShare,
): Promise<Result<WholeZone>> {
  const opened = await context.zoneViews.openBriefly(accountId, name, getSignal);
  if (!opened.ok) return opened;
  const view = opened.value;
  try {
    const { domain } = view;
    if (domain.recordCount > MAX_ZONE_RECORDS) return refuseTooLarge(domain);
    // It may have grown meanwhile.
    if (share === undefined) own.growTo(zoneWeight(domain));
    let signal: AbortSignal | undefined;
    const records: DomainRecord[] = [];
    for await (const slice of view.slices()) {
      for (const record of slice) records.push(record);
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

/** @param mostOctets the memory that one account may use */
export function refuseTooLong(name: ZoneName, mostOctets: number): Refused {
  const mebibytes = Math.floor(mostOctets / 2 ** 20);
  const message = `Domain ${quoteText(name)} takes more than ${mebibytes} MiB and cannot be read as a whole`;
  return refused('invalid_request', message);
}
