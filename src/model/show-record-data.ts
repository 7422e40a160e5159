import { decodeCharacterStrings } from '../dns/character-strings.ts';
import { rrType } from '../dns/codes.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { scanToken } from '../dns/tokens.ts';
import { unicodeName } from './idna.ts';
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
 *
 * @param hasULabels shows A-labels as U-labels: the names were written with them
 */
export function showRecordData(
  type: number,
  rdata: Uint8Array,
  hasULabels = false,
): Pick<DomainRecord, 'data' | 'priority'> {
  if (type === rrType.TXT)
    return { data: formatTxtData(decodeCharacterStrings(rdata)), priority: NO_PRIORITY };
  const { carried, rest } = splitPriority(type, formatRdata(type, rdata));
  const hasDot = endsInHostName.has(type) && rest.endsWith('.') && rest !== '.' && !rest.endsWith(' .');
  const data = hasDot ? rest.slice(0, -1) : rest;
  return { data: hasULabels ? showULabels(data) : data, priority: carried };
}

/** Converts words, but no SVCB parameters (`key=value`) and text in quotes, which are not names. */
function showULabels(data: string): string {
  let text = '';
  let copied = 0;
  for (let scanned = scanToken(data, 0); scanned?.ok === true; scanned = scanToken(data, scanned.value.end)) {
    const { kind, text: word, start, end } = scanned.value;
    if (kind !== 'word' || word.includes('=')) continue;
    text += data.slice(copied, start) + unicodeName(word);
    copied = end;
  }
  return text + data.slice(copied);
}
