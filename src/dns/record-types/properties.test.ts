/** Properties of every declared type, with data generated from its field codecs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Parsed } from '../../base/parsed.ts';
import { formatBase32Hex, formatBase64 } from '../base64.ts';
import { formatQuoted } from '../character-strings.ts';
import type { FieldCodec } from '../field-codec.ts';
import { formatHex } from '../hex.ts';
import { formatIpv4, formatIpv6 } from '../ip-address.ts';
import { formatDomainName, type DomainName } from '../name.ts';
import {
  additionalNameOffset,
  canonicalRdata,
  checkRdata,
  compressibleNameOffsets,
  formatRdata,
  parseRdata,
} from '../rdata/rdata.ts';
import { formatRecordType, isDataType, recordTypes } from '../rdata/record-type-registry.ts';
import type { RecordType } from '../record-type.ts';

/** Runs of each test for each of 46 types: few enough for seconds, and the seed differs each time. */
const TEXT_RUNS = 60;
const WIRE_RUNS = 150;

const octets = (minLength: number, maxLength = minLength) => fc.uint8Array({ minLength, maxLength });
const integer = (count: number) =>
  fc.oneof(fc.nat({ max: 3 }), fc.integer({ min: 0, max: 2 ** (8 * count) - 1 }));
const some = <T>(item: fc.Arbitrary<T>, minLength: number) => fc.array(item, { minLength, maxLength: 4 });
const dataType = fc.integer({ min: 1, max: 65535 }).filter(isDataType);
const ipv4 = octets(4).map(formatIpv4);
const ipv6 = fc
  .array(fc.constantFrom(0, 0, 0, 1, 0xab, 0xff), { minLength: 16, maxLength: 16 })
  .map((address) => formatIpv6(Uint8Array.from(address)));
const domainName = fc
  .array(octets(1, 20), { maxLength: 5 })
  .map((labels) => [...labels.flatMap((label) => [label.length, ...label]), 0])
  .map((wire) => formatDomainName(Uint8Array.from(wire) as DomainName));
const quoted = octets(0, 255).map(formatQuoted);
const metres = (max: number) =>
  fc
    .tuple(fc.nat({ max }), fc.nat({ max: 99 }), fc.constantFrom('', 'm'))
    .map(([m, cm, unit]) => `${m}.${cm}${unit}`);

function angle(maxDegrees: number, hemispheres: [string, string]): fc.Arbitrary<string> {
  const parts = fc.tuple(fc.nat({ max: maxDegrees - 1 }), fc.nat({ max: 59 }), fc.nat({ max: 59_999 }));
  return fc.tuple(parts, fc.nat({ max: 2 }), fc.constantFrom(...hemispheres)).map(([[d, m, s], more, side]) =>
    [d, m, (s / 1000).toFixed(3)]
      .slice(0, more + 1)
      .concat([side])
      .join(' '),
  );
}

const svcParams = fc
  .record(
    {
      alpn: some(octets(1, 20), 1).map((ids) =>
        formatQuoted(
          Uint8Array.from(
            ids.flatMap((id, i) => [
              ...(i > 0 ? [0x2c] : []),
              ...[...id].flatMap((octet) => (octet === 0x2c || octet === 0x5c ? [0x5c, octet] : [octet])),
            ]),
          ),
        ),
      ),
      port: integer(2).map(String),
      ipv4hint: some(ipv4, 1).map((list) => list.join(',')),
      ipv6hint: some(ipv6, 1).map((list) => list.join(',')),
      ech: octets(1, 20).map(formatBase64),
      dohpath: fc.constantFrom('/dns-query{?dns}', '"/ö/{?a,dns}"'),
      ohttp: fc.constant(''),
      key667: octets(0, 20).map(formatQuoted),
      key65534: octets(0, 20).map(formatQuoted),
    },
    { requiredKeys: [] },
  )
  .chain((params) => {
    const written = Object.entries(params).map(([key, value]) => `${key}${value === '' ? '' : '='}${value}`);
    const keys = Object.keys(params);
    const mandatory = fc
      .subarray(keys)
      .map((chosen) => (chosen.length > 0 ? [`mandatory=${chosen.join(',')}`] : []));
    return mandatory.chain((list) =>
      fc.shuffledSubarray([...written, ...list], { minLength: written.length + list.length }),
    );
  })
  .map((params) => params.join(' '));

/** Details that restrict the values of some kinds. */
interface CodecDetails {
  readonly octets: number;
  readonly leastOctets: number;
  readonly groups: number;
  readonly digitsInGroup: number;
  readonly separator: string;
  readonly mnemonics: readonly string[];
}

/** Valid text for a codec of each kind. */
const textByKind: Partial<Record<string, (codec: CodecDetails) => fc.Arbitrary<string>>> = {
  integer: (codec) => integer(codec.octets).map(String),
  'mnemonic integer': (codec) =>
    fc.oneof(integer(codec.octets).map(String), fc.constantFrom(...codec.mnemonics)),
  'DNSSEC protocol': () => fc.constant('3'),
  'domain name': () => domainName,
  ipv4: () => ipv4,
  ipv6: () => ipv6,
  'character-string': () => quoted,
  'substitution expression': () => {
    const piece = fc.stringMatching(/^[a-z.*@:\\/]{0,12}$/);
    const some = fc
      .tuple(piece, piece, fc.constantFrom('', 'i'))
      .map(([from, to, flags]) => `!(${from})!${to}\\1!${flags}`);
    return fc.oneof(fc.constant(''), some).map((text) => formatQuoted(new TextEncoder().encode(text)));
  },
  'character-strings': () => some(quoted, 1).map((strings) => strings.join(' ')),
  'remaining text': () => octets(1, 300).map(formatQuoted),
  'remaining hex': () =>
    fc
      .tuple(
        fc.constantFrom(1, 12, 20, 32, 48, 64).chain((length) => octets(length)),
        fc.boolean(),
      )
      .map(([data, split]) =>
        split ? formatHex(data).replace(/.{8}/g, '$& ') : formatHex(data).toUpperCase(),
      ),
  'remaining base64': (codec) =>
    octets(codec.leastOctets, 80).map((data) => formatBase64(data).replace(/.{32}/g, '$& ')),
  'type bitmap': () => some(dataType.map(formatRecordType), 0).map((types) => types.join(' ')),
  'record type': () => dataType.map(formatRecordType),
  'signature time': () => integer(4).map(String),
  'NSEC3 salt': () => octets(0, 255).map((salt) => formatHex(salt) || '-'),
  'hashed owner': () => octets(1, 255).map(formatBase32Hex),
  'hex groups': (codec) =>
    fc
      .array(octets(codec.digitsInGroup / 2).map(formatHex), {
        minLength: codec.groups,
        maxLength: codec.groups,
      })
      .map((groups) => groups.join(codec.separator)),
  'property tag': () => fc.stringMatching(/^[A-Za-z0-9]{1,30}$/),
  'address prefixes': () => {
    const family = (number: number, address: fc.Arbitrary<string>, bits: number) =>
      fc
        .tuple(fc.constantFrom('', '!'), address, fc.nat({ max: bits }))
        .map(([not, text, prefix]) => `${not}${number}:${text}/${prefix}`);
    return some(fc.oneof(family(1, ipv4, 32), family(2, ipv6, 128)), 0).map((items) => items.join(' '));
  },
  'domain names': () => some(domainName, 0).map((names) => names.join(' ')),
  'host identity': () =>
    fc
      .tuple(integer(1), octets(1, 255), octets(1, 300))
      .map(([algorithm, tag, key]) => `${algorithm} ${formatHex(tag)} ${formatBase64(key)}`),
  location: () =>
    fc
      .tuple(
        angle(90, ['N', 'S']),
        angle(180, ['E', 'W']),
        metres(42_849_671),
        fc.array(metres(89_999_999), { maxLength: 3 }),
        fc.boolean(),
      )
      .map(([latitude, longitude, altitude, sizes]) => [latitude, longitude, altitude, ...sizes].join(' ')),
  'service parameters': () => svcParams,
};

/** The gateway's form depends on an earlier field, so they are generated together. */
const ipseckeyText = fc
  .tuple(
    integer(1),
    fc.oneof(
      fc.constant('0 $ .'),
      ipv4.map((address) => `1 $ ${address}`),
      ipv6.map((address) => `2 $ ${address}`),
      domainName.map((name) => `3 $ ${name}`),
    ),
    octets(0, 40),
  )
  .map(([precedence, gateway, key]) => {
    const withAlgorithm = gateway.replace('$', () => (key.length > 0 ? '2' : '0'));
    return `${precedence} ${withAlgorithm} ${formatBase64(key)}`;
  });

const amtrelayText = fc
  .tuple(
    integer(1),
    fc.constantFrom('0', '1'),
    fc.oneof(
      fc.constant('0 .'),
      ipv4.map((address) => `1 ${address}`),
      ipv6.map((address) => `2 ${address}`),
      domainName.map((name) => `3 ${name}`),
    ),
  )
  .map((fields) => fields.join(' '));

function textOf(type: RecordType): fc.Arbitrary<string> {
  if (type.mnemonic === 'AMTRELAY') return amtrelayText;
  if (type.mnemonic === 'IPSECKEY') return ipseckeyText;
  const texts = type.fields.map(({ codec }) => {
    const make = textByKind[codec.kind];
    if (make === undefined) throw new Error(`no values are generated for codecs of kind ${codec.kind}`);
    return make(codec as FieldCodec & CodecDetails);
  });
  return fc.tuple(...texts).map((fields) => fields.join(' '));
}

const hexOf = (rdata: Parsed<Uint8Array>) => (rdata.ok ? formatHex(rdata.value) : rdata.problem);

test.each(recordTypes)('$mnemonic text → wire → text → wire', (type) => {
  let taken = 0;
  fc.assert(
    fc.property(textOf(type), (text) => {
      const rdata = parseRdata(type.number, text);
      // Rules between fields (digest length, AliasMode) reject some combinations of valid fields.
      if (!rdata.ok) {
        expect('checkTogether' in type, rdata.problem).toBe(true);
        return;
      }
      taken++;
      const canonical = formatRdata(type.number, rdata.value);
      expect(canonical).toMatch(/^[\x20-\x7e]*$/);
      expect(canonical).not.toMatch(/^\\#/);
      expect(hexOf(parseRdata(type.number, canonical))).toBe(hexOf(rdata));
      expectDerivedToHold(type.number, rdata.value);
    }),
    { numRuns: TEXT_RUNS },
  );
  expect(taken).toBeGreaterThan(TEXT_RUNS / 4);
});

test.each(recordTypes)(
  '$mnemonic accepts or rejects any wire data without throwing',
  ({ number, example }) => {
    const sound = parseRdata(number, example);
    const base = sound.ok ? sound.value : new Uint8Array(0);
    const damaged = fc
      .tuple(
        fc.array(fc.tuple(fc.nat({ max: base.length - 1 }), fc.nat({ max: 255 })), { maxLength: 3 }),
        octets(0, 2),
        fc.nat({ max: 2 }),
      )
      .map(([changes, tail, cut]) => {
        const bytes = [...base.subarray(0, base.length - cut), ...tail];
        for (const [at, octet] of changes) if (at < bytes.length) bytes[at] = octet;
        return Uint8Array.from(bytes);
      });
    fc.assert(
      fc.property(fc.oneof(damaged, octets(0, 80)), (rdata) => {
        const problem = checkRdata(number, rdata);
        const text = formatRdata(number, rdata);
        expect(text.startsWith('\\# ')).toBe(problem !== undefined);
        if (problem === undefined) {
          expect(hexOf(parseRdata(number, text))).toBe(formatHex(rdata));
          expectDerivedToHold(number, rdata);
        } else {
          expect(problem).toMatch(/^.{10,299}$/);
          expect(hexOf(parseRdata(number, text))).toBe(problem);
        }
      }),
      { numRuns: WIRE_RUNS },
    );
  },
);

function expectDerivedToHold(number: number, rdata: Uint8Array): void {
  const canonical = canonicalRdata(number, rdata);
  expect(canonical.length).toBe(rdata.length);
  expect(checkRdata(number, canonical)).toBeUndefined();
  expect(formatHex(canonicalRdata(number, canonical))).toBe(formatHex(canonical));
  for (const offset of compressibleNameOffsets(number, rdata)) expect(offset).toBeLessThan(rdata.length);
  expect(additionalNameOffset(number, rdata) ?? 0).toBeLessThan(Math.max(1, rdata.length));
}

test.each(recordTypes)('$mnemonic accepts or rejects any text without throwing', ({ number, example }) => {
  const pieces = fc.constantFrom(
    ...example.split(' '),
    '"',
    '\\',
    '(',
    ')',
    ';',
    '=',
    '\n',
    '""',
    'é',
    '0',
    '\\# ',
    '-',
    ',',
    'x'.repeat(400),
    '\u0001"'.repeat(100),
    '\ud800',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces).map((list) => list.join(' ')),
        fc.array(pieces).map((list) => list.join('')),
      ),
      (text) => {
        const rdata = parseRdata(number, text);
        if (rdata.ok) expect(checkRdata(number, rdata.value)).toBeUndefined();
        else expect(rdata.problem).toMatch(/^.{10,299}$/);
      },
    ),
  );
});
