// Records as people paste them into a zone file: the same wire data, written by the same code as the exports of the service.
import { encodeCharacterStrings } from '../../../src/dns/character-strings.ts';
import { rrType } from '../../../src/dns/codes.ts';
import { parseDomainName, type DomainName } from '../../../src/dns/name.ts';
import { dataToAscii } from '../../../src/dns/rdata/data-to-ascii.ts';
import { parseRdata } from '../../../src/dns/rdata/rdata.ts';
import { parseRecordType } from '../../../src/dns/rdata/record-type-registry.ts';
import { formatRecordLines, type FormattedRecord } from '../../../src/dns/zone-file/format-zone-file.ts';
import { MAX_TXT_LIMIT_BYTES, parseTxtData } from '../../../src/model/txt-data.ts';
import { toAscii } from '../text/name-forms.ts';
import { readTypedName } from './record-name.ts';
import { shownName, type RecordValue } from './record-value.ts';

/** Lines below `$ORIGIN`. What cannot be written, because it is not valid yet, is a comment that says so. */
export function formatZoneText(domain: string, values: readonly RecordValue[]): string {
  const origin = parseDomainName(domain);
  if (!origin.ok) return '';
  const lines = values.map((value) => lineOf(value, domain, origin.value));
  return `$ORIGIN ${domain}.\n${lines.join('')}`;
}

function lineOf(value: RecordValue, domain: string, origin: DomainName): string {
  const record = wireOf(value, domain);
  if (record !== undefined) return [...formatRecordLines(origin, [record])].join('');
  const shown = `${shownName(value.name)} ${value.type} ${value.data}`.replaceAll(/\p{C}/gu, '?');
  return `; not valid: ${shown}\n`;
}

function wireOf({ type, name, data, ttl }: RecordValue, domain: string): FormattedRecord | undefined {
  const number = parseRecordType(type);
  const owner = parseDomainName(readTypedName(name, domain).served);
  if (number === undefined || !owner.ok) return undefined;
  const rdata = number === rrType.TXT ? textData(data) : otherData(number, data.trim());
  return rdata && { owner: owner.value, ttl, type: number, rdata };
}

/** The interface writes TXT data in its own way (contract rule 25). */
function textData(data: string): Uint8Array | undefined {
  const read = parseTxtData(data, MAX_TXT_LIMIT_BYTES);
  return read.ok && read.value.asShown.problem === undefined
    ? encodeCharacterStrings(read.value.content)
    : undefined;
}

function otherData(type: number, data: string): Uint8Array | undefined {
  const ascii = dataToAscii(type, data, toAscii);
  const wire = ascii.ok ? parseRdata(type, ascii.value) : undefined;
  return wire?.ok === true ? wire.value : undefined;
}
