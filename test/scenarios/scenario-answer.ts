/**
 * Reads an answer into the notation of scenario files. Uses none of the code under test. Strict: octets after the last
 * record, forward pointers and names compressed against RFC 3597 section 4 are errors.
 */

import { readName } from '../comparison/message.ts';
import { headerBits, type Expectation } from './scenario-file.ts';
import { showSigningData } from './signing-data.ts';
import { className, ednsOptionName, rcodeName, typeName } from './wire-names.ts';

const HEADER_BYTES = 12;
const TYPE_OPT = 41;
const CLASS_IN = 1;

interface Cursor {
  readonly bytes: Buffer;
  at: number;
  /** Features that could break old resolvers. */
  readonly problems: string[];
}

export interface Shown extends Expectation {
  readonly octets: number;
  readonly question: readonly string[];
  readonly problems: readonly string[];
}

/** Throws if the message cannot be read to its end. */
export function showAnswer(bytes: Buffer): Shown {
  const cursor: Cursor = { bytes, at: HEADER_BYTES, problems: [] };
  const flags = bytes.readUInt16BE(2);
  if ((flags & 0x8000) === 0) cursor.problems.push('QR is not set');
  const question = times(bytes.readUInt16BE(4), () => showQuestion(cursor));
  const edns: string[] = [];
  const rcodeBits = { extended: 0 };
  const [answer, authority, additional] = [6, 8, 10].map((at) =>
    times(bytes.readUInt16BE(at), () => showRecord(cursor, edns, rcodeBits)).filter((line) => line !== ''),
  );
  if (cursor.at !== bytes.length) cursor.problems.push(`${bytes.length - cursor.at} octets are left over`);
  const bits = headerBits.filter((_, i) => (flags & [0x400, 0x200, 0x100, 0x80, 0x40, 0x20, 0x10][i]) !== 0);
  return {
    header: [rcodeName((rcodeBits.extended << 4) | (flags & 15)), ...bits].join(' '),
    octets: bytes.length,
    question,
    answer: answer.sort(),
    authority: authority.sort(),
    additional: additional.sort(),
    edns,
    problems: cursor.problems,
  };
}

function showQuestion(cursor: Cursor): string {
  const name = takeName(cursor);
  const [type, recordClass] = [take(cursor, 2), take(cursor, 2)];
  return [name, ...(recordClass === CLASS_IN ? [] : [className(recordClass)]), typeName(type)].join(' ');
}

/** Adds an EDNS record to `edns` instead of returning a line. */
function showRecord(cursor: Cursor, edns: string[], rcodeBits: { extended: number }): string {
  const owner = takeName(cursor);
  const [type, recordClass, ttl, length] = [
    take(cursor, 2),
    take(cursor, 2),
    take(cursor, 4),
    take(cursor, 2),
  ];
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new Error('a record runs past the end of the message');
  if (type === TYPE_OPT) {
    if (edns.length > 0 || owner !== '.')
      throw new Error("a second EDNS record, or one that is not the root's");
    rcodeBits.extended = ttl >>> 24;
    edns.push(ednsLine(recordClass, ttl), ...showOptions(cursor, end));
    return '';
  }
  const data = showData(cursor, type, end);
  if (cursor.at !== end) throw new Error(`data of ${typeName(type)} ends at ${cursor.at}, not at ${end}`);
  return [
    owner,
    ttl,
    ...(recordClass === CLASS_IN ? [] : [className(recordClass)]),
    typeName(type),
    data,
  ].join(' ');
}

function ednsLine(payloadBytes: number, ttl: number): string {
  const version = (ttl >>> 16) & 0xff;
  const others = ttl & 0x7fff;
  return [
    `edns ${payloadBytes}`,
    (ttl & 0x8000) === 0 ? '' : ' do',
    version === 0 ? '' : ` version=${version}`,
    others === 0 ? '' : ` flags=${others}`,
  ].join('');
}

function showOptions(cursor: Cursor, end: number): string[] {
  const lines: string[] = [];
  while (cursor.at < end) {
    const [code, length] = [take(cursor, 2), take(cursor, 2)];
    lines.push(`${ednsOptionName(code)} ${showOption(code, takeBytes(cursor, length))}`.trim());
  }
  return lines;
}

function showOption(code: number, data: Buffer): string {
  switch (ednsOptionName(code)) {
    case 'NSID':
      return JSON.stringify(data.toString('latin1'));
    case 'COOKIE':
      return [data.toString('hex', 0, 8), data.toString('hex', 8)].join(' ');
    case 'KEEPALIVE':
      return `${data.readUInt16BE() / 10} s`;
    case 'ERROR':
      return [data.readUInt16BE(), ...(data.length > 2 ? [data.toString('utf8', 2)] : [])].join(' ');
    default:
      return data.toString('hex');
  }
}

function showData(cursor: Cursor, type: number, end: number): string {
  const compressed = (): string => takeName(cursor);
  const plain = (): string => takePlainName(cursor, type);
  const number = (size: number) => (): string => String(take(cursor, size));
  const rest = (): string => takeBytes(cursor, end - cursor.at).toString('hex');
  const show = (...fields: readonly (() => string)[]): string => fields.map((field) => field()).join(' ');
  switch (typeName(type)) {
    case 'A':
      return takeBytes(cursor, 4).join('.');
    case 'AAAA':
      return showIpv6(takeBytes(cursor, 16));
    case 'NS':
    case 'CNAME':
    case 'PTR':
      return compressed();
    case 'SOA':
      return show(compressed, compressed, ...Array.from({ length: 5 }, () => number(4)));
    case 'MX':
      return show(number(2), compressed);
    case 'DNAME':
      return plain();
    case 'RP':
      return show(plain, plain);
    case 'AFSDB':
    case 'KX':
      return show(number(2), plain);
    case 'SRV':
      return show(number(2), number(2), number(2), plain);
    case 'NAPTR':
      return show(number(2), number(2), ...times(3, () => () => takeText(cursor)), plain);
    case 'DS':
      return show(number(2), number(1), number(1), rest);
    case 'SVCB':
    case 'HTTPS':
      return [show(number(2), plain), ...showSvcParams(cursor, end)].join(' ');
    case 'TXT':
      return whileBefore(cursor, end, () => takeText(cursor)).join(' ');
    default: {
      const shown = showSigningData(typeName(type), cursor.bytes.subarray(cursor.at, end));
      cursor.at = shown === undefined ? cursor.at : end;
      return shown ?? `\\# ${end - cursor.at} ${rest()}`.trim();
    }
  }
}

/** Uses the notation of RFC 9460 section 2.1 for keys that have no name here. */
function showSvcParams(cursor: Cursor, end: number): string[] {
  return whileBefore(cursor, end, () => {
    const [key, length] = [take(cursor, 2), take(cursor, 2)];
    const value = takeBytes(cursor, length);
    if (key === 1) return `alpn=${value.toString('latin1', 1)}`;
    return key === 3 ? `port=${value.readUInt16BE()}` : `key${key}=${value.toString('hex')}`;
  });
}

function showIpv6(octets: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, i) => octets.readUInt16BE(i * 2).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function takeText(cursor: Cursor): string {
  const text = takeBytes(cursor, take(cursor, 1)).toString('latin1');
  const escaped = text.replace(/[^ -~]|["\\]/g, (character) =>
    '"\\'.includes(character) ? `\\${character}` : `\\${String(character.charCodeAt(0)).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}

function takeName(cursor: Cursor): string {
  const { text, end } = readName(cursor.bytes, cursor.at, cursor.problems);
  cursor.at = end;
  return text;
}

function takePlainName(cursor: Cursor, type: number): string {
  const { text, end, compressed } = readName(cursor.bytes, cursor.at, cursor.problems);
  if (compressed) cursor.problems.push(`the name in ${typeName(type)} data is compressed`);
  cursor.at = end;
  return text;
}

function take(cursor: Cursor, size: number): number {
  return takeBytes(cursor, size).readUIntBE(0, size);
}

function takeBytes(cursor: Cursor, length: number): Buffer {
  const { bytes, at } = cursor;
  if (at + length > bytes.length)
    throw new Error(`${length} octets at ${at} run past the end of the message`);
  cursor.at += length;
  return bytes.subarray(at, at + length);
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

function whileBefore(cursor: Cursor, end: number, take: () => string): string[] {
  const taken: string[] = [];
  while (cursor.at < end) taken.push(take());
  return taken;
}
