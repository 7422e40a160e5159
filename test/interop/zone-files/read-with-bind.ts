// Reads a zone file with BIND: named-compilezone writes it in raw form, with names and data in wire format.

import type { ListedRecord } from '../../zone-files/listing.ts';
import { runForOctets } from './run-for-octets.ts';

/** Turns off BIND's checks of the content, because only parsing is tested. */
const LENIENT = [
  '-i',
  'none',
  ...['-k', '-n', '-r', '-m', '-M', '-S', '-W'].flatMap((check) => [check, 'ignore']),
];

export async function readWithBind(text: string, origin: string): Promise<ListedRecord[]> {
  const args = [...LENIENT, '-F', 'raw', '-o', '-', origin, '-'];
  return readRawZone(await runForOctets('named-compilezone', args, text));
}

/** Format, version, time of the dump, flags, two serials: 32 bits each. */
const RAW_HEADER_OCTETS = 24;
const RAW_FORMAT = 2;
const RAW_VERSION = 1;
/** Total length, class, type, covered type, TTL, count, length of the name. */
const SET_HEADER_OCTETS = 20;

/** After the header follows one RRset after the other (lib/dns/master.c of BIND 9). */
function* sets(raw: Buffer): Generator<Buffer> {
  if (raw.readUInt32BE(0) !== RAW_FORMAT || raw.readUInt32BE(4) !== RAW_VERSION)
    throw new Error('not a raw zone');
  for (let at = RAW_HEADER_OCTETS; at < raw.length;) {
    const end = at + raw.readUInt32BE(at);
    yield raw.subarray(at, end);
    at = end;
  }
}

function readRawZone(raw: Buffer): ListedRecord[] {
  const records: ListedRecord[] = [];
  for (const set of sets(raw)) {
    const [type, ttl, count] = [set.readUInt16BE(6), set.readUInt32BE(10), set.readUInt32BE(14)];
    let at = SET_HEADER_OCTETS + set.readUInt16BE(18);
    const owner = set.subarray(SET_HEADER_OCTETS, at);
    for (let n = 0; n < count; n++) {
      const length = set.readUInt16BE(at);
      records.push({ owner, ttl, type, rdata: set.subarray(at + 2, at + 2 + length) });
      at += 2 + length;
    }
  }
  return records;
}
