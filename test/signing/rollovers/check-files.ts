// Has other programs check a zone as it is served at a stage of a rollover.

import { rrType } from '../../../src/dns/codes.ts';
import { readZoneRecords, nameOf } from '../../../src/dnssec/zone-records.test-support.ts';
import { formatRecordType } from '../../../src/dns/type-mnemonic.ts';
import type { ModelZone } from '../../interop/signed/model-zone.ts';
import { collectZone } from '../../interop/signed/collect-zone.ts';
import type { Report } from '../exported-zones.ts';
import { formatForTools } from '../format-for-tools.ts';
import { validators } from '../validators.ts';

/** Types of records that signing adds. */
const addedTypes: readonly string[] = ['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY', 'CDS', 'CDNSKEY'];

/**
 * None of the programs complains about signatures of a key that is not in the DNSKEY set, as the steps `signing` and
 * `unpublished` have them (RFC 6781 section 4.1.4).
 *
 * @param wantedCds the data of the CDS records, as dig prints it
 */
export async function checkFiles(
  title: string,
  zone: ModelZone,
  wantedCds: readonly string[],
  { folder, port, report }: { readonly folder: string; readonly port: number; readonly report: Report },
): Promise<void> {
  const lines = await collectZone(zone, port);
  const cds = lines.filter((line) => / IN CDS /.test(line)).map((line) => line.replace(/.* IN CDS /, ''));
  const isAsWanted = sortedData(cds) === sortedData(wantedCds);
  report(`${title}: CDS`, isAsWanted ? [] : [`wanted ${wantedCds.join(', ')}, served ${cds.join(', ')}`]);
  const apex = nameOf(zone.apex);
  const records = readZoneRecords(lines.join('\n'), apex);
  const plain = records.filter(({ type }) => !addedTypes.includes(formatRecordType(type)));
  const files = { apex, plain: formatForTools(plain), signed: formatForTools(records) };
  const keys = records.filter(({ type }) => type === rrType.DNSKEY).length;
  for (const validator of validators) {
    const found = await validator.check(files, folder);
    const problems = validator.server === 'knot' && keys > 1 ? found.filter(isNotOfTwoKeys) : found;
    report(`${title}: ${validator.name}`, problems);
  }
}

/** dig divides long digests. */
function sortedData(lines: readonly string[]): string {
  return lines
    .map((data) => data.replaceAll(' ', ''))
    .sort()
    .join();
}

/**
 * Knot 3.2 takes a key with the flag SEP for one that signs the zone only if it is alone: of two such keys, kzonecheck finds
 * no signature that it accepts (`kasp_zone_keys_from_rr`). Everything else that it says counts.
 */
function isNotOfTwoKeys(line: string): boolean {
  return !line.includes('no valid signature for a record') && line !== 'Error summary:';
}
