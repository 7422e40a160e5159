import { decodeCharacterStrings } from '../dns/character-strings.ts';
import { rrType } from '../dns/codes.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { NO_PRIORITY, splitPriority } from './priority.ts';
import type { DomainRecord } from './record.ts';
import { formatTxtData } from './txt-data.ts';

/** Types whose data is, or ends in, a host name: clients of this interface write it without the trailing dot. */
const endsInHostName: ReadonlySet<number> = new Set([
  rrType.CNAME,
  rrType.DNAME,
  rrType.MX,
  rrType.NS,
  rrType.PTR,
  rrType.SRV,
]);

/**
 * Shows wire data, such as that of records from zone files, as a client would have written it through the interface
 * (contract rules 23 to 25).
 */
export function showRecordData(type: number, rdata: Uint8Array): Pick<DomainRecord, 'data' | 'priority'> {
  if (type === rrType.TXT)
    return { data: formatTxtData(decodeCharacterStrings(rdata)), priority: NO_PRIORITY };
  const { carried, rest } = splitPriority(type, formatRdata(type, rdata));
  const hasDot = endsInHostName.has(type) && rest.endsWith('.') && rest !== '.' && !rest.endsWith(' .');
  return { data: hasDot ? rest.slice(0, -1) : rest, priority: carried };
}
