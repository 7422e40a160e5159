import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { formatRecordType, recordTypes } from '../dns/rdata/record-type-registry.ts';
import type { ZoneName } from './domain.ts';
import { parseRecord, type RecordInput } from './parse-record.ts';
import type { RecordRules } from './record-rules.ts';

const zone = 'example.com' as ZoneName;
const rules: RecordRules = { txtLimitBytes: 4096, defaultTtlSeconds: null };
const a: RecordInput = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };

function parse(input: Partial<RecordInput>, ruled: RecordRules = rules) {
  const result = parseRecord({ ...a, ...input }, zone, ruled);
  if (!result.ok) return result.refusal;
  const { type, rdata, ...shown } = result.value;
  return { ...shown, type: formatRecordType(type), wire: formatRdata(type, rdata) };
}

const name255 = `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}`;

test('a record is parsed into what is shown, what is compared and what is served', () => {
  expect(parseRecord({ ...a, name: 'WWW', priority: 0 }, zone, rules)).toEqual({
    ok: true,
    value: {
      owner: 'www',
      name: 'WWW',
      type: 1,
      data: '192.0.2.1',
      priority: 0,
      ttl: 300,
      rdata: Uint8Array.of(192, 0, 2, 1),
    },
  });
});

test.each([
  ['a', 'A'],
  ['Type1', 'A'],
  ['aAaA', 'AAAA'],
])('rule 20: the type %s is %s', (type, mnemonic) => {
  const data = mnemonic === 'A' ? '192.0.2.1' : '2001:db8::1';
  expect(parse({ type, data })).toMatchObject({ type: mnemonic });
});

test.each([
  ['', 'Record type "" is unknown'],
  ['FOO', 'Record type "FOO" is unknown'],
  [' A', 'Record type " A" is unknown'],
  ['TYPE0', 'Record type "TYPE0" is unknown'],
  ['TYPE65536', 'Record type "TYPE65536" is unknown'],
  ['ANY', 'Record type ANY is for questions'],
  ['AXFR', 'Record type AXFR is for questions'],
  ['TYPE255', 'Record type ANY is for questions'],
  ['TYPE200', 'Record type TYPE200 is for questions'],
  ['OPT', 'Record type OPT is for questions'],
  ['SOA', 'Records of type SOA are made by the service itself'],
  ['type6', 'Records of type SOA are made by the service itself'],
  ['RRSIG', 'Records of type RRSIG are made by the service itself'],
  ['NSEC', 'Records of type NSEC are made by the service itself'],
  ['NSEC3', 'Records of type NSEC3 are made by the service itself'],
  ['NSEC3PARAM', 'Records of type NSEC3PARAM are made by the service itself'],
  ['DNSKEY', 'Records of type DNSKEY are made by the service itself'],
  ['TYPE48', 'Records of type DNSKEY are made by the service itself'],
])('rule 20: the type %j is refused: %s', (type, sentence) => {
  expect(parse({ type, data: '\\# 1 00' })).toMatchObject({
    code: 'invalid_request',
    field: 'type',
    message: expect.stringContaining(sentence) as string,
  });
});

test('rule 20: the example of every type that customers may write is taken as it stands', () => {
  for (const type of recordTypes.filter((declared) => declared.serviceOwned !== true)) {
    const parsed = parse({ type: type.mnemonic, data: type.example });
    expect(parsed).toMatchObject({ type: type.mnemonic });
  }
});

test('rule 20: unknown types have RFC 3597 data', () => {
  const data = '\\# 3 abCD ef';
  expect(parse({ type: 'type65280', data })).toMatchObject({ type: 'TYPE65280', data, wire: '\\# 3 ABCDEF' });
  expect(parse({ type: 'TYPE65280', data: '\\# 0' })).toMatchObject({ wire: '\\# 0' });
  expect(parse({ type: 'TYPE65280', data: 'abc' })).toMatchObject({ field: 'data' });
  expect(parse({ type: 'A', data: '\\# 4 c0000201' })).toMatchObject({
    data: '\\# 4 c0000201',
    wire: '192.0.2.1',
  });
});

test('rule 21: a name that is refused is the member at fault', () => {
  expect(parse({ name: 'a..b' })).toMatchObject({ code: 'invalid_request', field: 'name' });
});

test('rule 22: a TTL that is refused is the member at fault', () => {
  expect(parse({ ttl: 0 })).toMatchObject({ code: 'invalid_request', field: 'ttl' });
  expect(parse({ ttl: null }, { ...rules, defaultTtlSeconds: 120 })).toMatchObject({ ttl: 120 });
});

test.each([
  ['A', 'none', undefined, '192.0.2.1', -1, '192.0.2.1', '192.0.2.1'],
  ['A', 'null', null, '192.0.2.1', -1, '192.0.2.1', '192.0.2.1'],
  ['A', '0', 0, '192.0.2.1', 0, '192.0.2.1', '192.0.2.1'],
  ['A', '-1', -1, '192.0.2.1', -1, '192.0.2.1', '192.0.2.1'],
  ['A', 'any', 70_000, '192.0.2.1', 70_000, '192.0.2.1', '192.0.2.1'],
  ['MX', 'none', undefined, 'mail.example.com', 0, 'mail.example.com', '0 mail.example.com.'],
  ['MX', 'null', null, 'mail.example.com', 0, 'mail.example.com', '0 mail.example.com.'],
  ['MX', '-1', -1, 'mail.example.com', 0, 'mail.example.com', '0 mail.example.com.'],
  ['MX', 'a string', '10', 'mail.example.com.', 10, 'mail.example.com.', '10 mail.example.com.'],
  ['MX', 'the data', undefined, '10 mail.example.com', 10, 'mail.example.com', '10 mail.example.com.'],
  ['MX', 'the data', -1, '10\t mail.example.com', 10, 'mail.example.com', '10 mail.example.com.'],
  ['MX', 'both alike', 10, '10 mail.example.com', 10, 'mail.example.com', '10 mail.example.com.'],
  ['MX', 'the largest', 65_535, 'mail', 65_535, 'mail', '65535 mail.'],
  ['MX', 'null MX', 0, '.', 0, '.', '0 .'],
  ['MX', 'null MX in the data', undefined, '0 .', 0, '.', '0 .'],
  ['MX', 'generic data', undefined, '\\# 5 000a 0161 00', 10, 'a.', '10 a.'],
  [
    'SRV',
    'none',
    undefined,
    '5 5060 sip.example.com',
    0,
    '5 5060 sip.example.com',
    '0 5 5060 sip.example.com.',
  ],
  ['SRV', 'given', 7, '5 5060 sip.example.com', 7, '5 5060 sip.example.com', '7 5 5060 sip.example.com.'],
  [
    'SRV',
    'the data',
    undefined,
    '3 5 5060 sip.example.com',
    3,
    '5 5060 sip.example.com',
    '3 5 5060 sip.example.com.',
  ],
  ['SRV', 'no service', undefined, '0 0 0 .', 0, '0 0 .', '0 0 0 .'],
])('rule 23: %s with priority from %s', (type, _, given, data, priority, shown, wire) => {
  expect(parse({ type, data, priority: given })).toMatchObject({ priority, data: shown, wire });
});

test.each([
  ['MX', 65_536, 'mail', 'priority', 'Priority 65536 is not a whole number from 0 to 65535'],
  ['MX', -2, 'mail', 'priority', 'Priority -2 is not'],
  ['MX', 1.5, 'mail', 'priority', 'Priority 1.5 is not'],
  ['MX', 'ten', 'mail', 'priority', 'Priority "ten" is not'],
  ['A', 1.5, '192.0.2.1', 'priority', 'Priority 1.5 is not'],
  ['A', 1e300, '192.0.2.1', 'priority', 'of at most 32 bits'],
  ['A', '', '192.0.2.1', 'priority', 'Priority "" is not'],
  ['MX', 20, '10 mail', 'data', 'carries another priority than the 20'],
  ['SRV', 0, '3 5 5060 sip', 'data', 'carries another priority than the 0'],
  ['MX', undefined, '99999999999 mail', 'data', 'MX data is malformed'],
  ['MX', undefined, '10 mail extra', 'data', 'MX data is malformed'],
  ['SRV', undefined, '5060 sip', 'data', 'SRV data is malformed'],
])('rule 23: %s with priority %s and data %j is refused', (type, priority, data, field, sentence) => {
  expect(parse({ type, priority, data })).toMatchObject({
    code: 'invalid_request',
    field,
    message: expect.stringContaining(sentence) as string,
  });
});

test.each([
  ['CNAME', ' Host.Example.NET ', 'Host.Example.NET', 'Host.Example.NET.'],
  ['CNAME', 'host.example.net.', 'host.example.net.', 'host.example.net.'],
  ['CNAME', 'Bücher.example', 'Bücher.example', 'xn--bcher-kva.example.'],
  ['CNAME', '_a.bücher.example.', '_a.bücher.example.', '_a.xn--bcher-kva.example.'],
  ['NS', 'ns1.例え.example', 'ns1.例え.example', 'ns1.xn--r8jz45g.example.'],
  ['PTR', 'host', 'host', 'host.'],
  ['MX', '10 bücher.example', 'bücher.example', '10 xn--bcher-kva.example.'],
  ['SRV', '0 5 5060 bücher.example', '5 5060 bücher.example', '0 5 5060 xn--bcher-kva.example.'],
  [
    'CAA',
    '0 issue "ca.example; policy=ev"',
    '0 issue "ca.example; policy=ev"',
    '0 issue "ca.example; policy=ev"',
  ],
  ['CNAME', name255, name255, `${name255}.`],
])('rule 24: %s data %j is shown verbatim and served absolute', (type, data, shown, wire) => {
  expect(parse({ type, data })).toMatchObject({ data: shown, wire });
});

test.each([
  ['A', '', 'Record data is empty'],
  ['TXT', '  ', 'Record data is empty'],
  ['A', '192.0.2', 'A data is malformed'],
  ['A', '2001:db8::1', 'A data is malformed'],
  ['AAAA', '192.0.2.1', 'AAAA data is malformed'],
  ['CNAME', 'a..b', 'empty label'],
  ['CNAME', 'a b', 'CNAME data is malformed'],
  ['CNAME', '@', 'CNAME data is malformed'],
  ['CNAME', 'a\u200db.example', 'is not a valid internationalised name'],
  ['CNAME', 'bü\\.cher', 'is not a valid internationalised name'],
  ['CNAME', `${'a'.repeat(64)}.example`, '64 octets'],
  ['TXT', 'a\ud83d', 'Record data holds half of a surrogate pair, which is no character'],
  ['CAA', '0 issue "\u0000"', 'Record data holds a NUL character, which text must not hold'],
  ['CAA', '0 issue "\ude00"', 'half of a surrogate pair'],
  ['TXT', '"a', 'Record data must be enclosed in quotes'],
  ['TXT', 'a'.repeat(4097), 'more than the limit of 4096'],
  ['TXT', 'a'.repeat(300_000), 'Record data has 300000 characters, more than 262140'],
])('rules 24 and 25: %s data is refused', (type, data, sentence) => {
  expect(parse({ type, data })).toMatchObject({
    code: 'invalid_request',
    field: 'data',
    message: expect.stringContaining(sentence) as string,
  });
});

test('rule 25: TXT data is shown in one pair of quotes and served in strings of 255', () => {
  const key = 'k'.repeat(300);
  expect(parse({ type: 'TXT', data: `"${key.slice(0, 255)}" "${key.slice(255)}"` })).toMatchObject({
    data: `"${key}"`,
    wire: `"${key.slice(0, 255)}" "${key.slice(255)}"`,
  });
  expect(parse({ type: 'TXT', data: '""' })).toMatchObject({ data: '""', wire: '""' });
});

test.each([
  ['CNAME', `${name255}a`, 'data'],
  ['MX', `10 ${name255}a`, 'data'],
  ['SRV', `0 0 0 ${name255}a.`, 'data'],
  ['CNAME', name255.replaceAll('a', 'ü'), 'data'],
])('rule 27: %s with a target over 255 octets is refused', (type, data, field) => {
  expect(parse({ type, data })).toMatchObject({ code: 'invalid_request', field });
});

test('rule 27: a name that leaves the domain is refused', () => {
  expect(parse({ name: 'www.example.net.' })).toMatchObject({ code: 'invalid_request', field: 'name' });
});

const words = fc.constantFrom(
  '10',
  '0',
  '5060',
  'mail',
  'Mail.Example.',
  'bücher.example',
  '.',
  '"q"',
  '\\#',
  '\\034',
);
const blanks = fc.constantFrom(' ', '\t', '  ', '');
const datas = fc
  .array(fc.tuple(words, blanks), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.flat().join(''));

test('what was read of a record can be written back and changes nothing', () => {
  const types = fc.constantFrom('MX', 'SRV', 'CNAME', 'TXT', 'CAA', 'NS');
  const priorities = fc.constantFrom(undefined, -1, 0, 10, '10');
  let taken = 0;
  fc.assert(
    fc.property(types, datas, priorities, (type, data, priority) => {
      const first = parseRecord({ type, name: 'x', data, ttl: 60, priority }, zone, rules);
      if (!first.ok) return;
      taken++;
      expect(parseRecord({ ...first.value, type }, zone, rules)).toEqual(first);
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(100);
});

test('rule 7: a refusal is one short sentence, whatever was sent', () => {
  const text = fc.string({ unit: 'binary', maxLength: 500 });
  fc.assert(
    fc.property(
      fc.constantFrom('A', 'MX', 'CAA', 'CNAME', 'TXT', 'TYPE65280'),
      text,
      text,
      (type, name, data) => {
        const result = parseRecord({ type, name, data, ttl: 1 }, zone, rules);
        if (result.ok) return;
        expect(result.refusal.message.length).toBeLessThan(300);
        expect(Buffer.byteLength(JSON.stringify(result.refusal))).toBeLessThan(480);
        expect(result.refusal.message).not.toMatch(/\.$|\n/);
      },
    ),
  );
});
