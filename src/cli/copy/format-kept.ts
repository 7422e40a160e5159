import type { ZonewrightClient } from '../../client/zonewright-client.ts';
import type { RecordJson } from '../../contract/response-shapes.ts';
import { decodeCharacterStrings } from '../../dns/character-strings.ts';
import { rrType } from '../../dns/codes.ts';
import { formatDomainName, lowerDomainName, type DomainName } from '../../dns/name.ts';
import { dataToAscii } from '../../dns/rdata/data-to-ascii.ts';
import { canonicalRdata, formatRdata, parseRdata } from '../../dns/rdata/rdata.ts';
import { parseRecordType } from '../../dns/rdata/record-type-registry.ts';
import { formatZoneFile, type FormattedRecord } from '../../dns/zone-file/format-zone-file.ts';
import { isProblem, linesOf, readZoneFile } from '../../dns/zone-file/read-zone-file.ts';
import { getZoneName, parseOwner, uLabelsToAscii } from '../names/zone-names.ts';

/**
 * Writes some records of a domain as a zone file. They are taken from the domain's own export, because JSON cannot
 * show every octet of TXT data.
 */
export async function formatKept(
  client: ZonewrightClient,
  domain: string,
  records: readonly RecordJson[],
): Promise<string> {
  const zone = getZoneName(domain);
  const wanted = new Set(records.map((record) => keyOfShown(record, zone)));
  const { text } = await client.zoneFiles.get(domain);
  const kept: FormattedRecord[] = [];
  for (const item of readZoneFile(linesOf(text), zone)) {
    if (isProblem(item) || item.ttl === null) continue;
    if (wanted.has(keyOf(item.owner, item.type, item.rdata))) kept.push({ ...item, ttl: item.ttl });
  }
  return [...formatZoneFile(zone, [], kept)].join('');
}

/** Equal for a record of the export and the same record as JSON. */
function keyOf(owner: DomainName, type: number, rdata: Uint8Array): string {
  const data =
    type === rrType.TXT
      ? showText(decodeCharacterStrings(rdata))
      : formatRdata(type, canonicalRdata(type, rdata));
  return `${formatDomainName(lowerDomainName(owner))} ${type} ${data}`;
}

function keyOfShown({ name, type, data, priority }: RecordJson, zone: DomainName): string {
  const owner = parseOwner(name, zone);
  const number = parseRecordType(type);
  if (!owner.ok || number === undefined) return '';
  if (number === rrType.TXT) return `${formatDomainName(lowerDomainName(owner.value))} ${number} ${data}`;
  const text = number === rrType.MX || number === rrType.SRV ? `${priority} ${data}` : data;
  const ascii = dataToAscii(number, text, uLabelsToAscii);
  if (!ascii.ok) return '';
  const rdata = parseRdata(number, ascii.value);
  return rdata.ok ? keyOf(owner.value, number, rdata.value) : '';
}

/** TXT data as JSON shows it (contract rule 25). */
function showText(content: Uint8Array): string {
  return `"${fromUtf8.decode(content).replaceAll('"', '\\"')}"`;
}

const fromUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });
