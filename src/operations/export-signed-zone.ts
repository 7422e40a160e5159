// Exports a signed domain as it is served (contract rule 38), in pieces:
//
//   view ─▶ SOA ─▶ owners with their sets and signatures, by owner ─▶ NSEC or NSEC3 records, in the order of the chain
//
// Nothing is held but an owner's rows, a slice of the chain and the piece of text that is being sent.
import { nextTurn } from '../base/steps.ts';
import {
  formatRecordLines,
  formatZoneFile,
  type FormattedRecord,
} from '../dns/zone-file/format-zone-file.ts';
import type { Domain, ZoneName } from '../model/domain.ts';
import { SOA_OWNER } from '../model/generated-row.ts';
import { quoteText } from '../model/quote-text.ts';
import type { DomainRecord } from '../model/record.ts';
import { refused, type ReadResult, type Refused } from '../model/result.ts';
import { recordOctets } from '../model/stored-octets.ts';
import type { PastMoment, ZoneView } from '../store/zone-view.ts';
import { findCostRefusal } from './account-limits.ts';
import { hostedSince } from './export-zone.ts';
import { foundAt } from './found-in.ts';
import type { OperationContext } from './operation-context.ts';
import { parsePathDomain } from './path-domain.ts';
import type { Requester } from './requester.ts';
import {
  chainNameOf,
  chainRecords,
  openSignedZone,
  ownerRecords,
  type ChainName,
  type SignedZone,
} from './signed-zone-records.ts';
import { asStream, type StreamedZone } from './stream-zone.ts';
import type { WorkShare } from './work-memory.ts';
import { zoneWeight } from './work-weights.ts';

/** A record has up to four lines: its own, that of its signature, and the same of the NSEC or NSEC3 record of its name. */
const LINES_PER_RECORD = 4;

/** As many lines as an unsigned domain has that is read at once. */
export const SMALL_SIGNED_RECORDS = 500;
/** Longer records make an owner that has to be weighed, see `UNWEIGHED_OWNER_OCTETS`. */
const SMALL_SIGNED_OCTETS = 128 * 1024;

/** Such records make 0.5 million. The empty non-terminals of deep names make more with NSEC3; all is then sent in pieces. */
const SMALL_SIGNED_CHARACTERS = 2 ** 20;

/** Formatting a piece takes some 2 ms. */
const PIECE_CHARACTERS = 64 * 1024;

/** An owner's rows beyond this are weighed as large work. Eight exports in pieces and eight at once hold 8 MiB. */
const UNWEIGHED_OWNER_OCTETS = 512 * 1024;

/**
 * Exports a domain with everything that signing adds, as of one moment. The same serial gives the same text; renewing
 * signatures changes it, but not the domain's revision, so that the revision of the result is that of the serial.
 *
 * @param moment is refused: signatures of earlier states are not kept
 */
export async function exportSignedZone(
  context: OperationContext,
  caller: Requester,
  domainText: string,
  moment?: PastMoment,
): Promise<ReadResult<StreamedZone>> {
  const parsed = parsePathDomain(domainText);
  if (!parsed.ok) return parsed;
  if (moment !== undefined)
    return refused('invalid_request', 'An earlier state has no signatures: omit at or dnssec', 'at');
  const name = parsed.value;
  const small = await exportSmall(context, caller, name);
  if (small !== undefined) return small;
  const opened = await context.zoneViews.open(caller.accountId, name, caller.getSignal);
  if (!opened.ok) return opened;
  const view = opened.value;
  const { domain } = view;
  const work = { rows: LINES_PER_RECORD * domain.recordCount, octets: domain.octets };
  const refusal = findUnsignedRefusal(domain) ?? (await findCostRefusal(context, caller, work));
  if (refusal === undefined) return foundAtSerial({ domain, text: formatSigned(context, view) }, domain);
  await view.close();
  return refusal;
}

/**
 * Exports a small domain, which is read at once: it never waits for clients that read their exports slowly. Returns
 * undefined if the domain is larger, or its text is longer than such domains have.
 */
async function exportSmall(
  context: OperationContext,
  { accountId, getSignal }: Requester,
  name: ZoneName,
): Promise<ReadResult<StreamedZone> | undefined> {
  const found = await context.store.findDomain(accountId, name);
  if (found === undefined || !isSmall(found)) return undefined;
  const opened = await context.zoneViews.openBriefly(accountId, name, getSignal);
  if (!opened.ok) return opened;
  const view = opened.value;
  const { domain } = view;
  const refusal = findUnsignedRefusal(domain);
  if (refusal !== undefined || !isSmall(domain)) {
    await view.close();
    return refusal;
  }
  const pieces: string[] = [];
  let characters = 0;
  for await (const piece of formatSigned(context, view)) {
    characters += piece.length;
    if (characters > SMALL_SIGNED_CHARACTERS) return undefined;
    pieces.push(piece);
    await nextTurn();
  }
  return foundAtSerial({ domain, text: asStream(pieces) }, domain);
}

function isSmall({ recordCount, octets }: Domain): boolean {
  return recordCount <= SMALL_SIGNED_RECORDS && octets <= SMALL_SIGNED_OCTETS;
}

function findUnsignedRefusal({ name, denial }: Domain): Refused | undefined {
  if (denial !== null) return undefined;
  return refused(
    'dnssec_conflict',
    `${quoteText(name)} is not signed: sign it, or export it without dnssec=true`,
  );
}

function foundAtSerial(value: StreamedZone, domain: Domain): ReadResult<StreamedZone> {
  return foundAt(value, { ...domain, revisedSerial: domain.serial });
}

/** Closes the view at the end. */
async function* formatSigned(context: OperationContext, view: ZoneView): StreamedZone['text'] {
  const { name, accountId } = view.domain;
  const share = context.workMemory.open(accountId);
  try {
    const zone = openSignedZone(name, await view.findSignedSoa());
    yield formatHead(zone, view.domain);
    yield* formatParts(zone, ownerParts(zone, view, share));
    yield* formatParts(zone, chainParts(zone, view));
  } finally {
    share.release();
    await view.close();
  }
}

function formatHead({ name, apex, serial, soa }: SignedZone, domain: Domain): string {
  const remarks = [
    `${name}, serial ${serial}, as it is served, with everything that signing adds`,
    hostedSince(domain),
    'To check it:',
    `  dnssec-verify -z -o ${name} FILE`,
  ];
  return [...formatZoneFile(apex, remarks, soa)].join('');
}

/** Records of one owner, or of one name of the chain. */
type Parts = AsyncGenerator<Iterable<FormattedRecord>, void, undefined>;

async function* formatParts({ apex }: SignedZone, parts: Parts): StreamedZone['text'] {
  let text = '';
  for await (const records of parts) {
    for (const line of formatRecordLines(apex, records)) {
      text += line;
      if (text.length < PIECE_CHARACTERS) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

/** @param share grows with the rows of an owner: their lowest TTL is known at their end. Throws `StoreBusy` if it cannot. */
async function* ownerParts(zone: SignedZone, view: ZoneView, share: WorkShare): Parts {
  let rows: DomainRecord[] = [];
  let octets = 0;
  for await (const slice of view.servedSlices()) {
    for (const row of slice) {
      if (row.owner === SOA_OWNER) continue;
      if (rows.length > 0 && rows[0].owner !== row.owner) {
        yield ownerRecords(zone, rows[0].owner, rows);
        rows = [];
        octets = 0;
      }
      rows.push(row);
      octets += recordOctets(row);
    }
    const weight = zoneWeight({ recordCount: rows.length, octets });
    if (weight > UNWEIGHED_OWNER_OCTETS) share.growTo(weight);
  }
  if (rows.length > 0) yield ownerRecords(zone, rows[0].owner, rows);
}

async function* chainParts(zone: SignedZone, view: ZoneView): Parts {
  let first: ChainName | undefined;
  let last: ChainName | undefined;
  for await (const slice of view.chainSlices()) {
    for (const row of slice) {
      const name = chainNameOf(zone, row);
      if (name === undefined) continue;
      first ??= name;
      if (last !== undefined) yield chainRecords(zone, last, name);
      last = name;
    }
  }
  if (first !== undefined && last !== undefined) yield chainRecords(zone, last, first);
}
