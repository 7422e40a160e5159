import { decodeCharacterStrings } from '../dns/character-strings.ts';
import { rrType } from '../dns/codes.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { NO_PRIORITY, splitPriority } from './priority.ts';
import type { DomainRecord } from './record.ts';
import { formatTxtData } from './txt-data.ts';

/** Types whose data is, or ends in, one host name: clients of this interface write it without the trailing dot. */
const ENDS_IN_HOST_NAME: ReadonlySet<number> = new Set([
  rrType.CNAME,
  rrType.DNAME,
  rrType.MX,
  rrType.NS,
  rrType.PTR,
  rrType.SRV,
]);

/**
 * Wire data → data and priority as a customer would have written them through the interface (contract rules 23 to 25);
 * for records that come from master files and transfers.
 */
export function showRecordData(type: number, rdata: Uint8Array): Pick<DomainRecord, 'data' | 'priority'> {
  if (type === rrType.TXT)
    return { data: formatTxtData(decodeCharacterStrings(rdata)), priority: NO_PRIORITY };
  const { carried, rest } = splitPriority(type, formatRdata(type, rdata));
  const hasDot = ENDS_IN_HOST_NAME.has(type) && rest.endsWith('.') && rest !== '.' && !rest.endsWith(' .');
  return { data: hasDot ? rest.slice(0, -1) : rest, priority: carried };
}
