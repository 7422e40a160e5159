import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalDomainNames, formatDomainName, parseDomainName } from '../dns/name.ts';
import type { ZoneName } from './domain.ts';
import { APEX, ownerBelow, ownerDomainName, parseRecordName } from './record-name.ts';

const zone = 'example.com' as ZoneName;
const label63 = 'a'.repeat(63);
/** With `.example.com` and the root 255 octets: 3 labels of 64 octets, one of 50, 13 for the domain. */
const longest = `${label63}.${label63}.${label63}.${'a'.repeat(49)}`;

test.each([
  ['', '', ''],
  ['@', '', ''],
  ['  ', '', ''],
  [' @ ', '', ''],
  ['example.com', '', ''],
  ['example.com.', '', ''],
  ['EXAMPLE.com', '', ''],
  ['www', 'www', 'www'],
  ['\twww\n', 'www', 'www'],
  ['WwW', 'WwW', 'www'],
  ['a\u3000', 'a', 'a'],
  ['www.', 'www', 'www'],
  ['a.b', 'a.b', 'a.b'],
  ['a.b.', 'a.b', 'a.b'],
  ['x.example.com', 'x', 'x'],
  ['x.example.com.', 'x', 'x'],
  ['X.Example.COM.', 'X', 'x'],
  ['a.b.example.com', 'a.b', 'a.b'],
  ['xexample.com', 'xexample.com', 'xexample.com'],
  ['xexample.com.', 'xexample.com', 'xexample.com'],
  ['com', 'com', 'com'],
  ['www.example.net', 'www.example.net', 'www.example.net'],
  ['*', '*', '*'],
  ['*.dev', '*.dev', '*.dev'],
  ['*.example.com', '*', '*'],
  ['a.*.b', 'a.*.b', 'a.*.b'],
  ['_dmarc', '_dmarc', '_dmarc'],
  ['_443._tcp.www', '_443._tcp.www', '_443._tcp.www'],
  ['k1._domainkey.example.com.', 'k1._domainkey', 'k1._domainkey'],
  ['-x-', '-x-', '-x-'],
  ['example.com.example.com', 'example.com.example.com', 'example.com'],
  ['www.example.com.example.com.', 'www.example.com.example.com', 'www.example.com'],
  ['example.com.example.com.example.com', 'example.com.example.com.example.com', 'example.com.example.com'],
  ['a\\.b', 'a\\.b', 'a\\.b'],
  ['a\\046b', 'a\\.b', 'a\\.b'],
  ['\\097B', 'aB', 'ab'],
  ['\\065', 'A', 'a'],
  ['a\\.example.com', 'a\\.example.com', 'a\\.example.com'],
  ['a\\.b.example.com.', 'a\\.b', 'a\\.b'],
  ['x.ex\\097mple.com', 'x', 'x'],
  ['a\\ ', 'a\\032', 'a\\032'],
  ['a\\\\ ', 'a\\\\', 'a\\\\'],
  ['a\\.', 'a\\.', 'a\\.'],
  ['\\@', '\\@', '\\@'],
  ['@.example.com', '\\@', '\\@'],
  ['\\@.example.com', '\\@', '\\@'],
  ['0/25', '0/25', '0/25'],
  ['Bücher', 'Bücher', 'xn--bcher-kva'],
  ['_tcp.Bücher', '_tcp.Bücher', '_tcp.xn--bcher-kva'],
  ['WWW。bücher', 'WWW.bücher', 'www.xn--bcher-kva'],
  ['bücher.example.com.', 'bücher', 'xn--bcher-kva'],
  ['ｅｘａｍｐｌｅ.com', '', ''],
  ['bücher.example.com.example.com', 'bücher.example.com.example.com', 'xn--bcher-kva.example.com'],
  ['ａ\ufeff.example.com', 'ａ', 'a'],
  ['xn--bcher-kva', 'xn--bcher-kva', 'xn--bcher-kva'],
  ['a\\.b.ö', 'a\\.b.ö', 'a\\.b.xn--nda'],
  ['A\\046B.Ö.\\099.example.com.', 'A\\.B.Ö.c', 'a\\.b.xn--nda.c'],
  ['ü.@', 'ü.\\@', 'xn--tda.\\@'],
  ['a。b\\\\。ü', 'a.b\\\\.ü', 'a.b\\\\.xn--tda'],
  [longest, longest, longest],
  [`${longest}.example.com.`, longest, longest],
])('rule 21: the name %j is shown as %j and owned by %j', (text, name, owner) => {
  expect(parseRecordName(text, zone)).toEqual({ ok: true, value: { name, owner } });
});

test.each([
  ['a..b', 'empty label'],
  ['.a', 'empty label'],
  ['a..', 'empty label'],
  ['.', 'Record name "." leaves the domain "example.com"'],
  ['a b', '" "'],
  ['a\u0000b', 'u0000'],
  ['a\\', 'escape'],
  ['a\\25', 'escape'],
  ['a\\256', 'escape'],
  ['a\\256\\256', 'escape'],
  ['ü\\.b', 'Label "ü\\\\.b" is not a valid internationalised label'],
  ['ü\\097', 'is not a valid internationalised label'],
  ['a\\。ü', 'is not a valid internationalised label'],
  ['a\\2.ü', 'broken escape'],
  ['ü..a', 'empty label'],
  ['a\u200db', 'is not a valid internationalised label'],
  ['\u00ad', 'is not a valid internationalised label'],
  ['www.＠', 'is not a valid internationalised label'],
  ['\ud800', 'is not a valid internationalised label'],
  ['www.example.net.', 'Record name "www.example.net." leaves the domain "example.com"'],
  ['www.other.org.', 'leaves the domain'],
  ['mail.other.test.', 'leaves the domain'],
  ['bücher.example.net.', 'leaves the domain'],
  ['a\\.b.example.net.', 'leaves the domain'],
  [`${label63}a`, 'Label "'],
  [`www.${label63}a.example.com`, 'has 64 octets, more than 63'],
  [`\\097${label63}`, '64 octets'],
  [`a${longest}`, '64 octets'],
  [`${longest}a`, 'is longer than 255 octets'],
  [`${longest}\\097`, 'is longer than 255 octets'],
  [`${longest}.com.example.com.example.com`, 'longer than 255 octets'],
])('rule 21: the name %j is refused: %s', (text, sentence) => {
  const result = parseRecordName(text, zone);
  expect(result.ok ? result.value : result.problem).toContain(sentence);
  expect(result.ok).toBe(false);
});

test('rule 21: a domain of U-labels is recognised in both spellings', () => {
  const international = 'xn--bcher-kva.example' as ZoneName;
  for (const text of [
    'www.bücher.example',
    'www.xn--bcher-kva.example.',
    'www.BÜCHER.Example.',
    'www.bücher。example',
  ]) {
    expect(parseRecordName(text, international)).toEqual({ ok: true, value: { name: 'www', owner: 'www' } });
  }
  expect(parseRecordName('Bücher.example', international)).toEqual({
    ok: true,
    value: { name: '', owner: '' },
  });
});

const short = 'x.co' as ZoneName;

test('rule 21: a short domain is cut off a long U-label', () => {
  expect(parseRecordName('üü.x.co.', short)).toMatchObject({ value: { name: 'üü', owner: 'xn--tdaa' } });
});

const pieces = fc.constantFrom(
  ...[
    'a',
    'B',
    '*',
    '_',
    '-',
    '.',
    '.',
    '@',
    '\\.',
    '\\@',
    '\\ ',
    '\\097',
    '\\\\',
    '\\000',
    '\\255',
    '"',
    '/',
  ],
  ...[
    'example',
    'com',
    'example.com',
    '.example.com',
    'ü',
    'ß',
    'Ａ',
    '。',
    ' ',
    '\u00a0',
    '\ufeff',
    'xn--a',
  ],
);

test('rule 21: a name that was read can be written back and changes nothing', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
      const first = parseRecordName(parts.join(''), zone);
      if (first.ok) expect(parseRecordName(first.value.name, zone)).toEqual(first);
    }),
    { numRuns: 5000 },
  );
});

test('rule 21: the owner names the same DNS name as the text does in a master file', () => {
  const ascii = pieces.filter((piece) => /^[!-~]*$/.test(piece));
  fc.assert(
    fc.property(fc.array(ascii, { maxLength: 6 }), (parts) => {
      const text = parts.join('').replace(/^\.+|\.$/g, '');
      const name = parseRecordName(text, zone);
      const absolute = parseDomainName(`${text}.example.com`);
      if (!name.ok || !absolute.ok || /example\.com$/i.test(text) || text === '@') return;
      const owner = ownerDomainName(name.value.owner, zone);
      expect(equalDomainNames(owner, absolute.value)).toBe(true);
      expect(ownerBelow(name.value.owner, ownerDomainName(APEX, zone))).toEqual(owner);
      expect(formatDomainName(owner)).toBe(
        `${name.value.owner}${name.value.owner === '' ? '' : '.'}example.com.`,
      );
    }),
    { numRuns: 2000 },
  );
});

test('ownerDomainName() of the apex is the domain', () => {
  const name = parseRecordName('@', zone);
  expect(name.ok && formatDomainName(ownerDomainName(name.value.owner, zone))).toBe('example.com.');
});
