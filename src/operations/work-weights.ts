// How much memory large work takes on the main thread, estimated before it starts.
import { MAX_RDATA_OCTETS } from '../dns/rdata/rdata.ts';
import type { GeneratedSize } from '../dns/zone-file/measure-generated.ts';
import type { Domain } from '../model/domain.ts';
import type { LaterChanges } from '../writes/rewind-records.ts';

/** A record as an object, without its texts, and the notes of a check about it: measured with 200,000 records. */
const RECORD_OCTETS = 700;

/** The same for a generated record, which also has its place in the file. */
const GENERATED_OCTETS = 900;

/** Each character is in the data as shown, in the octets and in two copies of them. */
const COPIES = 4;

/** A body, the values that are parsed from it, its records and its result. */
const BODY_SHARE = 8;

/** A record before and after a change, as objects and as text. */
const CHANGE_SHARE = 3;

export function bodyWeight(octets: number): number {
  return octets * BODY_SHARE;
}

export function generatedWeight({ records, characters }: GeneratedSize): number {
  return records * GENERATED_OCTETS + characters * COPIES;
}

/** All records of a domain. */
export function zoneWeight({ recordCount, octets }: Pick<Domain, 'recordCount' | 'octets'>): number {
  return recordCount * RECORD_OCTETS + octets;
}

/** A batch that updates or deletes so many records of a domain, whichever they are. */
export function changesWeight(count: number, { octets }: Pick<Domain, 'octets'>): number {
  // The data as shown is up to four times as long as RDATA, but then only a few records fit into a domain's octets.
  return CHANGE_SHARE * (count * RECORD_OCTETS + Math.min(octets, count * 2 * MAX_RDATA_OCTETS));
}

/** Changes that are undone to find an earlier state. */
export function rewoundWeight(changes: LaterChanges['changes']): number {
  let octets = changes.length * RECORD_OCTETS;
  for (const { before } of changes) if (before) octets += before.data.length + before.rdata.length;
  return octets;
}
