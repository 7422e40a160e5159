import type { DomainRecord } from '../model/record.ts';

/** The cost of a record besides its texts and its RDATA: numbers, object headers, index entries. */
export const RECORD_FRAME_OCTETS = 64;

/** The approximate size of a record in memory, in a message or on disk; the unit of every weight. */
export function octetsOfRecord({ id, owner, name, data, rdata }: DomainRecord): number {
  return RECORD_FRAME_OCTETS + id.length + owner.length + name.length + data.length + rdata.length;
}
