// Our own reader, as the tests compare it with others.

import { parseDomainName, type DomainName } from '../../src/dns/name.ts';
import { canonicalRdata } from '../../src/dns/rdata/rdata.ts';
import { isProblem, linesOf, readZoneFile } from '../../src/dns/zone-file/read-zone-file.ts';
import type { FormattedRecord } from '../../src/dns/zone-file/format-zone-file.ts';
import type { ListedRecord } from './listing.ts';

/** Throws with all problems: the files of these tests have none. */
export function readOurselves(text: string, origin: string): FormattedRecord[] {
  const records: FormattedRecord[] = [];
  const problems: string[] = [];
  for (const item of readZoneFile(linesOf(text), domainName(origin))) {
    if (isProblem(item)) problems.push(`${item.line}:${item.column} ${item.message}`);
    else if (item.ttl === null) problems.push(`${item.line}:${item.column} no TTL`);
    else records.push({ owner: item.owner, ttl: item.ttl, type: item.type, rdata: item.rdata });
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return records;
}

export function domainName(text: string): DomainName {
  const name = parseDomainName(text);
  if (!name.ok) throw new Error(name.problem);
  return name.value;
}

/** Names in data in lower case, for comparisons with tools that keep no case. */
export function withoutCase(records: readonly ListedRecord[]): ListedRecord[] {
  return records.map((record) => ({ ...record, rdata: canonicalRdata(record.type, record.rdata) }));
}
