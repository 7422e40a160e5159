// Zone files that Debian's tools read: data of types that they do not know by name is written in the form of RFC 3597.

import { rrType } from '../../src/dns/codes.ts';
import { compareDomainNames, formatDomainName } from '../../src/dns/name.ts';
import { formatGenericData } from '../../src/dns/rdata/generic-data.ts';
import { formatRdata } from '../../src/dns/rdata/rdata.ts';
import { formatRecordType } from '../../src/dns/type-mnemonic.ts';
import type { ZoneRecord } from '../../src/dnssec/zone-records.test-support.ts';

/** Types that are newer than the tools, or that one of them reads in another way. */
const genericTypes = new Set<number>([rrType.AMTRELAY, rrType.DSYNC, rrType.RESINFO, rrType.WALLET]);

/** Types whose data names other types. */
const denialTypes = new Set<number>([rrType.RRSIG, rrType.NSEC, rrType.NSEC3]);

export function formatForTools(records: readonly ZoneRecord[]): string {
  return records
    .toSorted((a, b) => compareDomainNames(a.owner, b.owner) || a.type - b.type)
    .map((record) => `${formatDomainName(record.owner)} ${record.ttl} IN ${formatTypeAndData(record)}\n`)
    .join('');
}

function formatTypeAndData({ type, rdata }: ZoneRecord): string {
  if (genericTypes.has(type)) return `TYPE${type} ${formatGenericData(rdata)}`;
  const data = formatRdata(type, rdata);
  return `${formatRecordType(type)} ${denialTypes.has(type) ? withGenericTypes(data) : data}`;
}

function withGenericTypes(data: string): string {
  let text = data;
  for (const type of genericTypes)
    text = text.replace(new RegExp(`(?<=^| )${formatRecordType(type)}(?= |$)`), `TYPE${type}`);
  return text;
}
