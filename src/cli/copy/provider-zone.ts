import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { encodeCharacterStrings } from '../../dns/character-strings.ts';
import { clip } from '../../dns/clip.ts';
import { rrType } from '../../dns/codes.ts';
import type { DomainName } from '../../dns/name.ts';
import { dataToAscii } from '../../dns/rdata/data-to-ascii.ts';
import { parseRdata } from '../../dns/rdata/rdata.ts';
import { parseRecordType } from '../../dns/rdata/record-type-registry.ts';
import { formatZoneFile, type FormattedRecord } from '../../dns/zone-file/format-zone-file.ts';
import { getZoneName, parseOwner, uLabelsToAscii } from '../names/zone-names.ts';
import { readTextData } from '../record/read-text-data.ts';
import type { LoadedZone, SkippedRecord } from './copy-source.ts';

/** A record as returned by the APIs of DNS providers. */
export interface ProviderRecord {
  /** Relative to the zone, or absolute and inside it; '' and '@' are the zone itself. */
  readonly name: string;
  readonly type: string;
  /** Seconds. */
  readonly ttl: number;
  /** Presentation format; names are absolute, with or without trailing dot. TXT data is quoted or bare text. */
  readonly data: string;
  /** True if TXT data is in presentation format. */
  readonly isPresentationFormat?: boolean;
  /** A remark that is printed. */
  readonly note?: string | undefined;
}

/** An entry of the provider that is not a DNS record. */
export interface SkippedEntry {
  readonly skipped: SkippedRecord;
}

/**
 * Converts a provider's records to a zone file. Records that cannot be converted are skipped with a reason, never
 * lost silently.
 */
export function buildZone(domain: string, records: Iterable<ProviderRecord | SkippedEntry>): LoadedZone {
  const zone = getZoneName(domain);
  const taken: FormattedRecord[] = [];
  const skipped: SkippedRecord[] = [];
  const notes: string[] = [];
  for (const record of records) {
    if ('skipped' in record) {
      skipped.push(record.skipped);
      continue;
    }
    const formatted = readRecord(record, zone);
    if (!formatted.ok) skipped.push({ record: describe(record), reason: formatted.problem });
    else {
      taken.push(formatted.value);
      if (record.note !== undefined) notes.push(`${describe(record)}: ${record.note}`);
    }
  }
  return { text: [...formatZoneFile(zone, [], taken)].join(''), skipped, notes };
}

function readRecord(record: ProviderRecord, zone: DomainName): Parsed<FormattedRecord> {
  const type = parseRecordType(record.type);
  if (type === undefined) return malformed(`the record type ${clip(record.type)} is unknown`);
  const owner = parseOwner(record.name, zone);
  if (!owner.ok) return owner;
  if (!Number.isInteger(record.ttl) || record.ttl < 0 || record.ttl > MAX_TTL_SECONDS) {
    return malformed(`the TTL ${clip(String(record.ttl))} is not a number of seconds`);
  }
  const rdata = readData(type, record);
  return rdata.ok ? parsed({ owner: owner.value, ttl: record.ttl, type, rdata: rdata.value }) : rdata;
}

function readData(type: number, { data, isPresentationFormat }: ProviderRecord): Parsed<Uint8Array> {
  if (type === rrType.TXT && isPresentationFormat !== true) {
    return parsed(encodeCharacterStrings(toUtf8.encode(readTextData(data))));
  }
  const ascii = dataToAscii(type, data, uLabelsToAscii);
  return ascii.ok ? parseRdata(type, ascii.value) : ascii;
}

/** RFC 2181 section 8. */
const MAX_TTL_SECONDS = 0x7fffffff;

const toUtf8 = new TextEncoder();

/** Quotes a text for a zone file. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function describe({ name, type, ttl, data }: ProviderRecord): string {
  return `${name === '' ? '@' : name} ${ttl} IN ${type} ${data}`;
}
