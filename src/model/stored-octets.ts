import type { DomainRecord } from './record.ts';

/** The row of a record without its texts: identifiers, numbers, and its entries in two indexes. */
const RECORD_ROW_OCTETS = 128;

/** Returns the octets of a record as limits count them. The owner is stored as a name, too. `FILL_USAGE` says the same in SQL. */
export function recordOctets({ owner, data, rdata }: DomainRecord): number {
  return RECORD_ROW_OCTETS + 2 * owner.length + textOctets(data) + rdata.length;
}

/** The length of a text in UTF-8. */
export function textOctets(text: string): number {
  let octets = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // A surrogate is half of four octets, and every other unit beyond ASCII takes two or three.
    octets += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return octets;
}
