// Encodes queries and decodes answers, strictly and without any of the code under test. Names are compared in lower
// case. Features that could break an old resolver (forward pointers, compression against RFC 3597) are reported.

export const typeNumbers: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  CDS: 59,
  CDNSKEY: 60,
  ANY: 255,
};

const rcodeNames: Readonly<Record<number, string>> = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  6: 'YXDOMAIN',
  9: 'NOTAUTH',
  16: 'BADVERS',
};

const TYPE_OPT = 41;
const HEADER_BYTES = 12;
/** The DO bit, in the third octet of the OPT record's TTL (RFC 3225 section 3). */
const DNSSEC_OK = 0x80;

export interface Query {
  /** An absolute name without escapes. */
  readonly name: string;
  readonly type: string;
  readonly tcp: boolean;
  /** Largest UDP answer that the client accepts; undefined: no EDNS. */
  readonly ednsBytes: number | undefined;
  /** True if the client wants signatures and proofs; needs EDNS. */
  readonly dnssecOk?: boolean;
}

export interface WireRecord {
  /** As received, with escapes. */
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  /** The compared form: uncompressed, names in lower case, as hex digits. */
  readonly rdata: string;
  /** The displayed form. */
  readonly text: string;
}

export interface Message {
  readonly rcode: string;
  readonly aa: boolean;
  readonly tc: boolean;
  readonly ra: boolean;
  readonly rd: boolean;
  readonly hasEdns: boolean;
  readonly dnssecOk: boolean;
  readonly question: Buffer;
  readonly answer: readonly WireRecord[];
  readonly authority: readonly WireRecord[];
  readonly additional: readonly WireRecord[];
  readonly bytes: number;
  /** Problems of the message by itself. */
  readonly problems: readonly string[];
}

export function encodeQuery(query: Query): Buffer {
  const { ednsBytes, dnssecOk = false } = query;
  const header = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, ednsBytes === undefined ? 0 : 1]);
  const type = typeNumber(query.type);
  const question = Buffer.concat([encodeName(query.name), Buffer.from([type >>> 8, type & 0xff, 0, 1])]);
  if (ednsBytes === undefined) return Buffer.concat([header, question]);
  const flags = dnssecOk ? DNSSEC_OK : 0;
  const opt = Buffer.from([0, 0, TYPE_OPT, ednsBytes >>> 8, ednsBytes & 0xff, 0, 0, flags, 0, 0, 0]);
  return Buffer.concat([header, question, opt]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}

export function typeNumber(type: string): number {
  return typeNumbers[type] ?? Number(type.slice('TYPE'.length));
}

export function typeName(number: number): string {
  return Object.keys(typeNumbers).find((name) => typeNumbers[name] === number) ?? `TYPE${number}`;
}

/** Throws if the message cannot be read to its end. */
export function decodeMessage(bytes: Buffer): Message {
  const problems: string[] = [];
  const flags = bytes.readUInt16BE(2);
  if ((flags & 0x8000) === 0) problems.push('QR is not set');
  let at = HEADER_BYTES;
  for (let i = bytes.readUInt16BE(4); i > 0; i--) at = readName(bytes, at, problems).end + 4;
  const question = bytes.subarray(HEADER_BYTES, at);
  const counts = [bytes.readUInt16BE(6), bytes.readUInt16BE(8), bytes.readUInt16BE(10)];
  let extendedRcode = 0;
  let hasEdns = false;
  let dnssecOk = false;
  const [answer, authority, additional] = counts.map((count) => {
    const records: WireRecord[] = [];
    for (let i = 0; i < count; i++) {
      const owner = readName(bytes, at, problems);
      const type = bytes.readUInt16BE(owner.end);
      const length = bytes.readUInt16BE(owner.end + 8);
      const start = owner.end + 10;
      at = start + length;
      if (at > bytes.length) throw new Error('a record runs past the end of the message');
      if (type === TYPE_OPT) {
        hasEdns = true;
        extendedRcode = bytes[owner.end + 4];
        dnssecOk = (bytes[owner.end + 6] & DNSSEC_OK) !== 0;
      } else {
        const ttl = bytes.readUInt32BE(owner.end + 4);
        records.push({
          owner: owner.text,
          type: typeName(type),
          ttl,
          ...readData(bytes, type, start, at, problems),
        });
      }
    }
    return records;
  });
  if (at !== bytes.length) problems.push(`${bytes.length - at} octets follow the last record`);
  const rcode = (extendedRcode << 4) | (flags & 15);
  return {
    rcode: rcodeNames[rcode] ?? `RCODE${rcode}`,
    aa: (flags & 0x0400) !== 0,
    tc: (flags & 0x0200) !== 0,
    rd: (flags & 0x0100) !== 0,
    ra: (flags & 0x0080) !== 0,
    hasEdns,
    dnssecOk,
    question,
    answer,
    authority,
    additional,
    bytes: bytes.length,
    problems,
  };
}

/** Position of names in the data: the octets before the first name, and the number of names. */
interface NameLayout {
  readonly before: number;
  readonly names: number;
  /** True if a message may compress the names. */
  readonly compressed: boolean;
}

const nameLayouts: ReadonlyMap<number, NameLayout> = new Map([
  [typeNumbers.NS, { before: 0, names: 1, compressed: true }],
  [typeNumbers.CNAME, { before: 0, names: 1, compressed: true }],
  [typeNumbers.PTR, { before: 0, names: 1, compressed: true }],
  [typeNumbers.SOA, { before: 0, names: 2, compressed: true }],
  [typeNumbers.MX, { before: 2, names: 1, compressed: true }],
  [typeNumbers.SRV, { before: 6, names: 1, compressed: false }],
  [typeNumbers.DNAME, { before: 0, names: 1, compressed: false }],
  [typeNumbers.RRSIG, { before: 18, names: 1, compressed: false }],
  [typeNumbers.NSEC, { before: 0, names: 1, compressed: false }],
]);

function readData(
  bytes: Buffer,
  type: number,
  start: number,
  end: number,
  problems: string[],
): { readonly rdata: string; readonly text: string } {
  const layout = nameLayouts.get(type);
  const data = bytes.subarray(start, end);
  if (layout === undefined) return { rdata: data.toString('hex'), text: plainText(type, data) };
  let at = start + layout.before;
  const parts = [data.subarray(0, layout.before)];
  const texts = numbers(data.subarray(0, layout.before), 2);
  for (let i = 0; i < layout.names; i++) {
    const name = readName(bytes, at, problems);
    if (name.compressed && !layout.compressed)
      problems.push(`the name in ${typeName(type)} data is compressed`);
    parts.push(name.wire);
    texts.push(name.text);
    at = name.end;
  }
  if (at > end) problems.push(`the name in ${typeName(type)} data runs past its end`);
  const rest = bytes.subarray(at, end);
  parts.push(rest);
  texts.push(...numbers(rest, 4));
  return { rdata: Buffer.concat(parts).toString('hex'), text: texts.join(' ') };
}

function numbers(bytes: Buffer, size: number): string[] {
  return Array.from({ length: bytes.length / size }, (_, i) => String(bytes.readUIntBE(i * size, size)));
}

function plainText(type: number, data: Buffer): string {
  if (type === typeNumbers.A && data.length === 4) return data.join('.');
  if (type === typeNumbers.AAAA && data.length === 16)
    return Array.from({ length: 8 }, (_, i) => data.readUInt16BE(i * 2).toString(16)).join(':');
  if (type === typeNumbers.TXT) return JSON.stringify(data.toString('latin1'));
  return `\\# ${data.length} ${data.toString('hex')}`;
}

export interface ReadName {
  readonly text: string;
  /** Uncompressed, lower case. */
  readonly wire: Buffer;
  readonly end: number;
  readonly compressed: boolean;
}

export function readName(bytes: Buffer, start: number, problems: string[]): ReadName {
  let at = start;
  let end = -1;
  let lowest = start;
  let text = '';
  const wire: Buffer[] = [];
  for (;;) {
    if (at >= bytes.length) throw new Error('a name runs past the end of the message');
    const size = bytes[at];
    if (size >= 0xc0) {
      const target = bytes.readUInt16BE(at) & 0x3fff;
      if (end === -1) end = at + 2;
      if (target >= lowest) throw new Error(`a pointer leads from ${at} to ${target}, not back`);
      if (bytes[target] >= 0xc0) problems.push('a pointer leads to a pointer');
      lowest = target;
      at = target;
      continue;
    }
    if (size > 63) throw new Error('a label of an unknown kind');
    const label = bytes.subarray(at, at + size + 1);
    wire.push(
      Buffer.from(
        label.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
        'latin1',
      ),
    );
    at += size + 1;
    if (size === 0) break;
    text += `${escape(label.subarray(1).toString('latin1'))}.`;
  }
  const whole = Buffer.concat(wire);
  if (whole.length > 255) problems.push('a name is longer than 255 octets');
  return { text: text === '' ? '.' : text, wire: whole, end: end === -1 ? at : end, compressed: end !== -1 };
}

function escape(label: string): string {
  return label.replace(/[^!-~]|[.\\]/g, (character) =>
    character === '.' || character === '\\'
      ? `\\${character}`
      : `\\${String(character.charCodeAt(0)).padStart(3, '0')}`,
  );
}
