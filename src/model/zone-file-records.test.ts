import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDomainName } from '../dns/name.ts';
import { rrType } from '../dns/codes.ts';
import { formatRdata, parseRdata } from '../dns/rdata/rdata.ts';
import { recordTypes } from '../dns/rdata/record-type-registry.ts';
import { linesOf, readZoneFile } from '../dns/zone-file/read-zone-file.ts';
import type { ZoneName } from './domain.ts';
import { asciiName } from './idna.ts';
import { readZoneFileRecords, type ZoneFileRules } from './zone-file-records.ts';
import { MAX_PROBLEMS } from './refusal.ts';
import { isSameContent } from './same-content.ts';
import { parseRecord } from './parse-record.ts';
import { showRecordData } from './show-record-data.ts';

const zone = 'example.com' as ZoneName;
const rules: ZoneFileRules = {
  txtLimitBytes: 4096,
  defaultTtlSeconds: null,
  nameservers: ['ns1.here.example', 'ns2.here.example'],
};

function read(text: string, changed: Partial<ZoneFileRules> = {}) {
  const origin = parseDomainName(zone);
  if (!origin.ok) throw new Error(origin.problem);
  const items = readZoneFile(linesOf(text), origin.value, asciiName);
  return readZoneFileRecords(items, zone, { ...rules, ...changed });
}

function shown(text: string): string[] {
  return read(text).records.map(
    ({ record, line }) =>
      `${line} ${record.name} ${record.ttl} ${record.type} ${record.priority} ${record.data}`,
  );
}

test('records are shown as clients of the interface write them', () => {
  expect(
    shown(`$TTL 300
@ MX 10 mail
  TXT "v=spf1 " "mx -all"
WWW CNAME Web.Example.NET.
_sip._tcp SRV 1 2 5060 sip
null MX 0 .
a.b\\.c A 192.0.2.1
`),
  ).toEqual([
    '2  300 15 10 mail.example.com',
    '3  300 16 -1 "v=spf1 mx -all"',
    '4 WWW 300 5 -1 Web.Example.NET',
    '5 _sip._tcp 300 33 1 2 5060 sip.example.com',
    '6 null 300 15 0 .',
    '7 a.b\\.c 300 1 -1 192.0.2.1',
  ]);
});

test('U-labels are shown as they are written, and A-labels as A-labels', () => {
  expect(
    shown(`$TTL 300
München CNAME bücher.example.
xn--mnchen-3ya.b CNAME xn--bcher-kva.example.
$ORIGIN münchen.example.com.
www MX 10 Mail
a\\.b SRV 1 2 3 x\\.y.ö.example.
@ HTTPS 1 ö.example. alpn=h2
  TXT münchen
`),
  ).toEqual([
    '2 München 300 5 -1 bücher.example',
    '3 xn--mnchen-3ya.b 300 5 -1 xn--bcher-kva.example',
    '5 www.münchen 300 15 10 Mail.xn--mnchen-3ya.example.com',
    '6 a\\.b.münchen 300 33 1 2 3 x\\.y.ö.example',
    '7 münchen 300 65 -1 1 ö.example. alpn=h2',
    '8 münchen 300 16 -1 "münchen"',
  ]);
});

test('examples of records show U-labels as they are written', () => {
  const [found] = read('MÜNCHEN 300 A 192.0.2.1\n').adjustments.list();
  expect(found.examples).toEqual([{ line: 1, record: 'MÜNCHEN.example.com. 300 IN A 192.0.2.1' }]);
});

test('records that belong to the old provider are skipped with a reason', () => {
  const { records, skipped, problems, soaPrimary, soaEmail } = read(`$TTL 300
@ SOA ns.old.example dns\\.admin.old.example. 1 2 3 4 5
@ NS ns.old.example.
@ NS NS1.here.example.
@ DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==
@ CDS 1 13 2 E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766
@ TYPE65534 \\# 5 0D4B560001
sub NS ns.old.example.
sub DS 1 13 2 E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766
`);
  expect(problems).toEqual([]);
  expect(records.map(({ line }) => line)).toEqual([4, 8, 9]);
  expect(skipped.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '2 its primary nameserver, serial and times are the old provider’s',
    '3 NS records of the zone itself name the old provider; to have this one, create it in the domain',
    '5 DNSSEC data of the old provider is not valid here',
    '6 DNSSEC data of the old provider is not valid here',
    '7 DNSSEC data of the old provider is not valid here',
  ]);
  expect(skipped[1].record).toBe('example.com. 300 IN NS ns.old.example.');
  expect([soaPrimary, soaEmail]).toEqual([null, 'dns.admin@old.example']);
});

test.each([
  ['ns1.here.example. hostmaster', 'ns1.here.example', 'hostmaster@example.com'],
  ['ns9.old.example. postmaster', null, 'postmaster@example.com'],
  ['ns2.here.example. .', 'ns2.here.example', null],
])(
  'an SOA with the names %s gives the primary nameserver %s and the mail address %s',
  (names, primary, email) => {
    const imported = read(`@ 5 SOA ${names} 1 2 3 4 5\n`);
    expect([imported.soaPrimary, imported.soaEmail]).toEqual([primary, email]);
  },
);

test.each([
  ['www.example.net. 5 A 192.0.2.1', 'the name www.example.net. is outside example.com'],
  ['xexample.com. 5 A 192.0.2.1', 'the name xexample.com. is outside example.com'],
  ['a A 192.0.2.1', 'the record has no TTL, the file has no $TTL, and this service has no default'],
  [
    `a 5 TXT ${'"xxxxxxxxxx" '.repeat(410)}`,
    'TXT data has 4100 bytes of content, more than the limit of 4096',
  ],
  ['a 5 SOA a b 1 2 3 4 5', 'an SOA record must be at the apex'],
])('reading %j reports a problem', (text, message) => {
  const { records, problems } = read(`\n${text}\n`);
  expect(records).toEqual([]);
  expect(problems).toEqual([{ line: 2, column: 1, message }]);
});

test.each([
  ['3600 SOA ns1.here.example. a.b. 7 3600 600 1209600 300', [], []],
  ['60 SOA ns1.here.example. a.b. 7 3600 600 1209600 300', ['soa_times'], []],
  ['3600 SOA ns1.here.example. a.b. 7 3600 600 1209600 60', ['soa_times'], []],
  ['3600 SOA ns1.here.example. . 7 3600 600 1209600 300', [], ['its mailbox is not a mail address']],
])('nothing of %j is dropped silently', (text, codes, reasons) => {
  const { adjustments, skipped } = read(`@ ${text}\n`);
  expect(adjustments.list().map(({ code }) => code)).toEqual(codes);
  expect(skipped.map(({ reason }) => reason)).toEqual(reasons);
});

test('records outside the zone are skipped after its own SOA record, as nameservers ignore them', () => {
  const outside = 'ns.example.net. 5 A 192.0.2.1\nexample.com.example.net. 5 SOA a b 1 2 3 4 5\n';
  const { records, skipped, problems } = read(`@ 5 SOA a b 1 2 3 4 5\n${outside}www 5 A 192.0.2.1\n`);
  expect(records.map(({ line }) => line)).toEqual([4]);
  expect(skipped.slice(1)).toEqual([
    { line: 2, record: 'ns.example.net. 5 IN A 192.0.2.1', reason: 'it is outside example.com' },
  ]);
  // An SOA record outside the zone means that another zone's file begins here.
  expect(problems.map(({ line }) => line)).toEqual([3]);
});

test('a default TTL replaces a missing TTL; a TTL of 0 stays', () => {
  const text = 'a A 192.0.2.1\nb 0 A 192.0.2.1\n';
  expect(read(text, { defaultTtlSeconds: 77 }).records.map(({ record }) => record.ttl)).toEqual([77, 0]);
  expect(read(`$TTL 0\n${text}`).records.map(({ record }) => record.ttl)).toEqual([0, 0]);
});

test('TXT records with the same text in other character-strings are different records', () => {
  const { records } = read('a 5 TXT "ab"\na 5 TXT "a" "b"\na 5 TXT "" "ab"\na 5 TXT "a" "b"\n');
  expect(records.map(({ record: { data, rdata } }) => [data, formatRdata(rrType.TXT, rdata)])).toEqual([
    ['"ab"', '"ab"'],
    ['"ab"', '"a" "b"'],
    ['"ab"', '"" "ab"'],
  ]);
});

test('records that are imported otherwise than they are written are counted, with the first five as examples', () => {
  const hosts = Array.from({ length: 7 }, (_, at) => `Host${at} 5 A 192.0.2.1\n`).join('');
  const { adjustments, skipped } = read(
    `a A 192.0.2.1\na 78 A 192.0.2.1\na 77 A 192.0.2.1\n${hosts}host0 5 A 192.0.2.1\n`,
    {
      defaultTtlSeconds: 77,
    },
  );
  expect(skipped.map(({ line }) => line)).toEqual([2]);
  const adjusted = adjustments.list();
  expect(
    adjusted.map(({ code, count, examples }) => [code, count, examples.map(({ line }) => line)]),
  ).toEqual([
    ['default_ttl', 1, [1]],
    ['duplicate', 2, [3, 11]],
    ['owner_case', 7, [4, 5, 6, 7, 8]],
  ]);
  expect(adjusted[1].examples[1].record).toBe('host0.example.com. 5 IN A 192.0.2.1');
  expect(read('a 5 A 192.0.2.1\nb 5 CNAME A\n').adjustments.list()).toEqual([]);
});

test('the first of duplicate records is imported, and a duplicate with another TTL is reported', () => {
  const { records, skipped } = read('a 5 CNAME B\nA 5 CNAME b\na 6 CNAME b.example.com.\n');
  expect(records.map(({ line }) => line)).toEqual([1]);
  expect(skipped.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '3 line 1 has the same record with TTL 5',
  ]);
});

test('reading stops after the maximum number of problems', () => {
  expect(read('a A 1\n'.repeat(MAX_PROBLEMS + 5)).problems).toHaveLength(MAX_PROBLEMS);
});

test('any record that is shown can be sent back and is then the same record', () => {
  const samples = recordTypes
    .filter(({ serviceOwned }) => serviceOwned !== true)
    .map(({ number, mnemonic, example }) => ({ type: mnemonic, rdata: parseRdata(number, example), number }));
  const texts = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((text) => !text.includes('\\'));
  const label = fc.uint8Array({ minLength: 1, maxLength: 12 });
  const host = fc
    .array(label, { maxLength: 4 })
    .map((labels) => [...labels.flatMap((l) => [l.length, ...l]), 0]);
  const content = fc.oneof(
    fc.constantFrom(...samples).map(({ type, number, rdata }) => {
      if (!rdata.ok) throw new Error(rdata.problem);
      return { type, number, rdata: rdata.value };
    }),
    host.map((name) => ({ type: 'CNAME', number: 5, rdata: new Uint8Array(name) })),
    host.map((name) => ({ type: 'MX', number: 15, rdata: new Uint8Array([1, 2, ...name]) })),
    host.map((name) => ({ type: 'SRV', number: 33, rdata: new Uint8Array([0, 1, 0, 2, 0, 3, ...name]) })),
    texts.map((text) => {
      const octets = new TextEncoder().encode(text).slice(0, 255);
      return { type: 'TXT', number: 16, rdata: new Uint8Array([octets.length, ...octets]) };
    }),
  );
  fc.assert(
    fc.property(content, ({ type, number, rdata }) => {
      const { data, priority } = showRecordData(number, rdata);
      const back = parseRecord({ type, name: 'x', data, ttl: 5, priority }, zone, rules);
      // Octets that are not UTF-8, and a text cut inside a character, cannot be written through the interface.
      if (data.includes('\ufffd')) return;
      expect(back.ok && isSameContent(back.value, { type: number, rdata }) && back.value.data === data).toBe(
        true,
      );
    }),
    { numRuns: 500 },
  );
});
