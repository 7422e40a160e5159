// Compares a zone that was collected by questions with its export: the export must be what is served.

import { rrType } from '../../../src/dns/codes.ts';
import { formatDomainName, lowerDomainName } from '../../../src/dns/name.ts';
import { formatRdata } from '../../../src/dns/rdata/rdata.ts';
import { formatRecordType } from '../../../src/dns/type-mnemonic.ts';
import { nameOf, readZoneRecords, type ZoneRecord } from '../../../src/dnssec/zone-records.test-support.ts';

/** Types whose records are all collected. Of others, those below a delegation or a DNAME are only in the export. */
const collectedTypes = new Set<number>([rrType.RRSIG, rrType.NSEC, rrType.NSEC3, rrType.SOA, rrType.DNSKEY]);

/**
 * Returns a line for each record that only one of them has.
 *
 * @param collected lines of a zone file
 */
export function compareExport(collected: readonly string[], exported: string, apex: string): string[] {
  const served = textsOf(readZoneRecords(`${collected.join('\n')}\n`, nameOf(apex)));
  const records = readZoneRecords(exported, nameOf(apex));
  const all = new Set(textsOf(records));
  const expected = new Set(served);
  return [
    ...served.filter((text) => !all.has(text)).map((text) => `only served: ${text}`),
    ...textsOf(records.filter(({ type }) => collectedTypes.has(type)))
      .filter((text) => !expected.has(text))
      .map((text) => `only exported: ${text}`),
  ];
}

function textsOf(records: readonly ZoneRecord[]): string[] {
  return records.map(({ owner, ttl, type, rdata }) =>
    [formatDomainName(lowerDomainName(owner)), ttl, formatRecordType(type), formatRdata(type, rdata)].join(
      ' ',
    ),
  );
}
