import { assert } from '../base/assert.ts';
import { nextTurn, sortInSteps } from '../base/steps.ts';
import { rrType } from '../dns/codes.ts';
import { parseDomainName } from '../dns/name.ts';
import {
  formatRecordLines,
  formatZoneFile,
  type FormattedRecord,
} from '../dns/zone-file/format-zone-file.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { ownerDomainName } from '../model/record-name.ts';
import type { DomainRecord } from '../model/record.ts';
import type { ReadResult } from '../model/result.ts';
import { SOA_TTL_SECONDS, soaOf } from '../model/soa.ts';
import { readPastContent } from '../store/past-content.ts';
import { VIEW_SLICE_RECORDS, type PastMoment, type ZoneView } from '../store/zone-view.ts';
import { findCostRefusal } from './account-limits.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import { runForClient } from './run-for-client.ts';
import { refuseTooLong } from './read-zone.ts';
import type { Requester } from './requester.ts';
import { streamZone, type StreamedZone } from './stream-zone.ts';
import { ShareTooLarge, type WorkShare } from './work-memory.ts';
import { rewoundWeight, zoneWeight } from './work-weights.ts';

/**
 * Exports a domain as a zone file, as of one moment. Other nameservers can load it, and importing it here again changes
 * nothing. The same revision gives the same text.
 *
 * @param moment an earlier moment, as far back as the history is kept
 */
export async function exportZone(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  moment?: PastMoment,
): Promise<ReadResult<StreamedZone>> {
  const name = parsePathDomain(domainText);
  if (!name.ok) return name;
  if (moment === undefined) {
    const formatHead = (domain: Domain): string => formatZoneHead(context, domain);
    return streamZone(context, caller, name.value, { formatHead, formatRecords: formatZoneRecords });
  }
  const opened = await context.zoneViews.open(caller.accountId, name.value, caller.getSignal);
  if (!opened.ok) return opened;
  const { recordCount: rows, octets } = opened.value.domain;
  const refusal = await findCostRefusal(context, caller, { rows, octets });
  if (refusal !== undefined) {
    await opened.value.close();
    return refusal;
  }
  return exportPast(context, caller, opened.value, moment);
}

/** The changes since then count, too, and are known only when they are read. */
const MIN_PAST_OCTETS = 32 * 2 ** 20;

/** Exports the state at an earlier moment, which is assembled in memory and stays there until it is sent. */
async function exportPast(
  context: OperationContext,
  { getSignal }: Requester,
  view: ZoneView,
  moment: PastMoment,
): Promise<ReadResult<StreamedZone>> {
  let share: WorkShare | undefined;
  try {
    const { workMemory } = context;
    const { accountId, name } = view.domain;
    const octets = zoneWeight(view.domain);
    if (octets > workMemory.mostOctets) return refuseTooLong(name, workMemory.mostOctets);
    const reserved = await workMemory.reserve(accountId, Math.max(MIN_PAST_OCTETS, octets), getSignal);
    share = reserved;
    let rewound = 0;
    const past = await readPastContent(view, moment, (changes) => {
      rewound += rewoundWeight(changes);
      reserved.growTo(octets + rewound);
    });
    if (!past.ok) return past;
    const { serial, soa, records } = past.value;
    const domain = { ...view.domain, ...soa, serial, revisedSerial: serial };
    const sorted = await runForClient(sortInSteps(records, byOwner), getSignal);
    const text = formatPast(context, domain, sorted, share);
    share = undefined;
    return foundAt({ domain, text }, domain);
  } catch (error) {
    if (error instanceof ShareTooLarge) return refuseTooLong(view.domain.name, context.workMemory.mostOctets);
    throw error;
  } finally {
    share?.release();
    await view.close();
  }
}

async function* formatPast(
  context: OperationContext,
  domain: Domain,
  records: readonly DomainRecord[],
  share: WorkShare,
): AsyncGenerator<string, void, undefined> {
  try {
    yield formatZoneHead(context, domain);
    for (let start = 0; start < records.length; start += VIEW_SLICE_RECORDS) {
      yield formatZoneRecords(domain.name, records.slice(start, start + VIEW_SLICE_RECORDS));
      await nextTurn();
    }
  } finally {
    share.release();
  }
}

function byOwner(a: DomainRecord, b: DomainRecord): number {
  return a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0;
}

/** The beginning of a zone file: remarks for people, and the SOA record. */
export function formatZoneHead(context: Pick<OperationContext, 'settings'>, domain: Domain): string {
  const { name, serial } = domain;
  const remarks = [
    `${name}, serial ${serial}`,
    hostedSince(domain),
    'To import it again: PUT this file to',
    `  /v2/domains/${name}/zonefile`,
  ];
  const { rdata } = soaOf(domain, context.settings.soa);
  const soa = { owner: apexOf(name), ttl: SOA_TTL_SECONDS, type: rrType.SOA, rdata };
  return [...formatZoneFile(soa.owner, remarks, [soa])].join('');
}

/** A remark at the top of a zone file. */
export function hostedSince({ createdAtSeconds }: Pick<Domain, 'createdAtSeconds'>): string {
  return `hosted here since ${new Date(createdAtSeconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** The lines of some records, which follow those before in the order of a view. */
export function formatZoneRecords(zone: ZoneName, records: readonly DomainRecord[]): string {
  return [...formatRecordLines(apexOf(zone), wholeNames(zone, records))].join('');
}

/** Reuses the owner name of the previous record, which is often the same. */
function* wholeNames(zone: ZoneName, records: readonly DomainRecord[]): Generator<FormattedRecord> {
  let lastOwner = records.at(0)?.owner;
  let owner = lastOwner === undefined ? apexOf(zone) : ownerDomainName(lastOwner, zone);
  for (const { owner: key, ttl, type, rdata } of records) {
    if (key !== lastOwner) owner = ownerDomainName((lastOwner = key), zone);
    yield { owner, ttl, type, rdata };
  }
}

function apexOf(zone: ZoneName) {
  const apex = parseDomainName(zone);
  assert(apex.ok, 'a zone name is a name');
  return apex.value;
}
