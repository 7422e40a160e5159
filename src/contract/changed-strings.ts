import { rrType } from '../dns/codes.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import type { DomainRecord } from '../model/record.ts';

type Content = Pick<DomainRecord, 'type' | 'data' | 'rdata'>;

/**
 * The member `,"strings":{"before","after"}` of an update: the character-strings of TXT records that are shown alike, in
 * zone file format. Empty if they are the same.
 */
export function formatChangedStrings(before: Content, after: Content): string {
  if (after.type !== rrType.TXT || before.data !== after.data) return '';
  const [was, is] = [before, after].map(({ type, rdata }) => formatRdata(type, rdata));
  return was === is ? '' : `,"strings":${JSON.stringify({ before: was, after: is })}`;
}
