import { decodeCharacterStrings } from '../dns/character-strings.ts';
import { rrType } from '../dns/codes.ts';
import { formatTxtData } from '../model/txt-data.ts';
import type { DomainRecord } from '../model/record.ts';

/**
 * NUL ends text in SQLite's driver, and PostgreSQL refuses it. Only TXT content may hold it, and what is shown of TXT
 * follows from the RDATA: such data is stored as the empty text, which no record's data is, and formed again when read.
 */
export function storedData({ data }: Pick<DomainRecord, 'data'>): string {
  return data.includes('\0') ? '' : data;
}

/** @param rdata needed only where a TXT record's `stored` is empty */
export function shownData(type: number, stored: string, rdata: Uint8Array | null): string {
  const isFormed = stored === '' && type === rrType.TXT && rdata !== null;
  return isFormed ? formatTxtData(decodeCharacterStrings(rdata)) : stored;
}
