import { expect, test } from 'vitest';
import { formatHex } from '../hex.ts';
import { domainNameAt, formatDomainName, parseDomainName } from '../name.ts';
import {
  additionalNameOffset,
  canonicalRdata,
  checkRdata,
  compressibleNameOffsets,
  formatRdata,
  parseRdata,
} from './rdata.ts';
import { parseRecordType, recordTypes } from './record-type-registry.ts';

function rdata(type: string, text: string): [number, Uint8Array] {
  const number = parseRecordType(type)!;
  const result = parseRdata(number, text);
  if (!result.ok) throw new Error(result.problem);
  return [number, result.value];
}

const namesAt = (octets: Uint8Array, offsets: readonly number[]): string[] =>
  offsets.map((offset) => formatDomainName(domainNameAt(octets, offset)!));

test('without an origin, names are absolute; with one, they are relative unless they end in a dot', () => {
  const parsedOrigin = parseDomainName('example.com');
  const origin = parsedOrigin.ok ? parsedOrigin.value : undefined;
  const rows: [string, boolean, string][] = [
    ['10 mail', false, '10 mail.'],
    ['10 mail.', false, '10 mail.'],
    ['10 mail', true, '10 mail.example.com.'],
    ['10 mail.', true, '10 mail.'],
    ['10 @', true, '10 example.com.'],
  ];
  for (const [text, withOrigin, expected] of rows) {
    const result = parseRdata(15, text, withOrigin ? origin : undefined);
    expect(result.ok && formatRdata(15, result.value)).toBe(expected);
  }
});

test.each([
  ['CNAME', 'WWW.Example.NET.', 'www.example.net.'],
  ['SOA', 'NS.X. Mail.X. 1 2 3 4 5', 'ns.x. mail.x. 1 2 3 4 5'],
  ['MX', '10 Mail.X.', '10 mail.x.'],
  ['RP', 'A.X. B.X.', 'a.x. b.x.'],
  ['AFSDB', '1 A.X.', '1 a.x.'],
  ['NAPTR', '1 1 "S" "SIP" "" A.X.', '1 1 "S" "SIP" "" a.x.'],
  ['KX', '1 A.X.', '1 a.x.'],
  ['SRV', '1 2 3 A.X.', '1 2 3 a.x.'],
  ['DNAME', 'A.X.', 'a.x.'],
  [
    'RRSIG',
    'A 5 3 1 20030322173103 20030220173103 2642 X.EXAMPLE. oJB1',
    'A 5 3 1 20030322173103 20030220173103 2642 x.example. oJB1',
  ],
  // Not listed in RFC 4034 section 6.2, or removed from the list by RFC 6840 section 5.1.
  ['NSEC', 'A.X. A', 'A.X. A'],
  ['SVCB', '1 A.X.', '1 A.X.'],
  ['LP', '1 A.X.', '1 A.X.'],
  ['IPSECKEY', '10 3 2 A.X. AQID', '10 3 2 A.X. AQID'],
  ['HINFO', 'PDP-10 ITS', '"PDP-10" "ITS"'],
  ['TXT', '"ABC"', '"ABC"'],
])('canonical %s %s is %s', (type, text, expected) => {
  const [number, octets] = rdata(type, text);
  const before = formatHex(octets);
  expect(formatRdata(number, canonicalRdata(number, octets))).toBe(expected);
  expect(formatHex(octets)).toBe(before);
});

test('only the names of RFC 1035 types may be compressed', () => {
  expect(
    namesAt(
      rdata('SOA', 'a.x. b.x. 1 2 3 4 5')[1],
      compressibleNameOffsets(...rdata('SOA', 'a.x. b.x. 1 2 3 4 5')),
    ),
  ).toEqual(['a.x.', 'b.x.']);
  const compressing = recordTypes.filter(({ number, example }) => {
    const result = parseRdata(number, example);
    return result.ok && compressibleNameOffsets(number, result.value).length > 0;
  });
  expect(compressing.map((type) => type.mnemonic)).toEqual(['CNAME', 'MX', 'NS', 'PTR', 'SOA']);
});

test.each([
  ['NS', 'ns.x.', 'ns.x.'],
  ['MX', '10 mail.x.', 'mail.x.'],
  ['SRV', '1 2 3 host.x.', 'host.x.'],
  ['SVCB', '1 svc.x. port=1', 'svc.x.'],
  ['HTTPS', '0 alias.x.', 'alias.x.'],
  ['NAPTR', '1 1 "" "" "" next.x.', 'next.x.'],
  ['MX', '0 .', undefined],
  ['SRV', '0 0 0 .', undefined],
  ['HTTPS', '1 .', undefined],
  ['CNAME', 'a.x.', undefined],
  ['A', '192.0.2.1', undefined],
  ['TYPE65280', '\\# 1 00', undefined],
])('%s %s wants the addresses of %s', (type, text, expected) => {
  const [number, octets] = rdata(type, text);
  const offset = additionalNameOffset(number, octets);
  expect(offset === undefined ? undefined : namesAt(octets, [offset])[0]).toBe(expected);
});

test('fields named as additional exist, and only domain names are compressed or lower-cased', () => {
  for (const type of recordTypes) {
    if (type.additional !== undefined)
      expect(type.fields.map((field) => field.name)).toContain(type.additional);
    const marked = type.fields.filter(
      (field) => field.compressed ?? field.lowerCased ?? field.name === type.additional,
    );
    expect(marked.every((field) => field.codec.kind === 'domain name')).toBe(true);
  }
});

test('malformed data is formatted as \\# and parsed back only by types that accept it', () => {
  expect(formatRdata(1, Uint8Array.of(1, 2, 3))).toBe('\\# 3 010203');
  expect(formatRdata(1, new Uint8Array(0))).toBe('\\# 0');
  expect(parseRdata(1, '\\# 3 010203')).toMatchObject({ ok: false });
  expect(parseRdata(65280, '\\# 3 010203')).toMatchObject({ ok: true });
});

test.each([0, 41, 128, 249, 250, 251, 252, 253, 254, 255, 65536])('type %i holds no data', (type) => {
  expect(checkRdata(type, new Uint8Array(0))).toMatch(/is not a data type/);
  expect(parseRdata(type, '\\# 0')).toMatchObject({ ok: false });
});

test('data longer than RDLENGTH allows is rejected', () => {
  expect(checkRdata(65280, new Uint8Array(65536))).toContain('the limit is 65535');
  const text = Array.from({ length: 257 }, () => `"${'a'.repeat(255)}"`).join(' ');
  expect(parseRdata(16, text)).toMatchObject({ ok: false });
});

test('parentheses group and may span lines', () => {
  expect(parseRdata(15, '( 10\n ; the first\n mail.x. )')).toEqual(parseRdata(15, '10 mail.x.'));
});
