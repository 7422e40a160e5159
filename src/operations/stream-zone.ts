// Writes the content of a domain as a text that is read from the store while it is sent.
import type { Domain, ZoneName } from '../model/domain.ts';
import type { DomainRecord } from '../model/record.ts';
import type { ReadResult } from '../model/result.ts';
import type { ZoneView } from '../store/zone-view.ts';
import { findCostRefusal } from './account-limits.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import type { Requester } from './requester.ts';

/** A domain as a text in pieces. */
export interface StreamedZone {
  readonly domain: Domain;
  /** The caller must read it to the end, or call `return`. Rejects with `StoreUnavailable`. */
  readonly text: AsyncGenerator<string, void, undefined>;
}

/** How a domain is written. */
export interface ZoneFormat {
  readonly formatHead: (domain: Domain) => string;
  /** @param records some of the domain, which follow those before by owner */
  readonly formatRecords: (zone: ZoneName, records: readonly DomainRecord[]) => string;
}

/** Writes a domain as of one moment. A large one is paid for first (contract rule 59). */
export async function streamZone(
  context: OperationContext,
  caller: Requester,
  name: ZoneName,
  format: ZoneFormat,
): Promise<ReadResult<StreamedZone>> {
  const small = await readSmall(context, caller, name, format);
  if (small !== undefined) return small;
  const opened = await context.zoneViews.open(caller.accountId, name, caller.getSignal);
  if (!opened.ok) return opened;
  const { domain } = opened.value;
  const refusal = await findCostRefusal(context, caller, { rows: domain.recordCount, octets: domain.octets });
  if (refusal !== undefined) {
    await opened.value.close();
    return refusal;
  }
  return foundAt({ domain, text: formatView(opened.value, format) }, domain);
}

/** Reading and formatting so much takes some 20 ms, and a megabyte. */
export const SMALL_EXPORT_RECORDS = 2000;
const SMALL_EXPORT_OCTETS = 512 * 1024;

/** Whether a domain is read at once, however slowly its client reads. */
export function isSmallZone({ recordCount, octets }: Domain): boolean {
  return recordCount <= SMALL_EXPORT_RECORDS && octets <= SMALL_EXPORT_OCTETS;
}

/**
 * Writes a small domain, which is read at once: it never waits for clients that read theirs slowly. Returns undefined if the
 * domain is larger.
 */
async function readSmall(
  context: OperationContext,
  { accountId, getSignal }: Requester,
  name: ZoneName,
  { formatHead, formatRecords }: ZoneFormat,
): Promise<ReadResult<StreamedZone> | undefined> {
  const found = await context.store.findDomain(accountId, name);
  if (found === undefined || !isSmallZone(found)) return undefined;
  const opened = await context.zoneViews.openBriefly(accountId, name, getSignal);
  if (!opened.ok) return opened;
  const view = opened.value;
  try {
    const { domain } = view;
    if (!isSmallZone(domain)) return undefined;
    const pieces = [formatHead(domain)];
    for await (const slice of view.slices()) pieces.push(formatRecords(name, slice));
    return foundAt({ domain, text: asStream(pieces) }, domain);
  } finally {
    await view.close();
  }
}

/** The type of a stream, for what is in memory already. */
// eslint-disable-next-line @typescript-eslint/require-await
export async function* asStream(pieces: readonly string[]): StreamedZone['text'] {
  yield* pieces;
}

async function* formatView(
  view: ZoneView,
  { formatHead, formatRecords }: ZoneFormat,
): AsyncGenerator<string, void, undefined> {
  try {
    yield formatHead(view.domain);
    for await (const slice of view.slices()) yield formatRecords(view.domain.name, slice);
  } finally {
    await view.close();
  }
}
