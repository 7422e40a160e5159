import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTxtData, parseTxtData } from './txt-data.ts';
import { findUnstorableCharacter } from './storable-text.ts';

const utf8 = new TextEncoder();

test.each([
  ['bare text', 'v=spf1 -all', 'v=spf1 -all', '"v=spf1 -all"'],
  ['one quoted string', '"v=spf1 -all"', 'v=spf1 -all', '"v=spf1 -all"'],
  ['several quoted strings', '"v=DKIM1; " "p=MIGf"', 'v=DKIM1; p=MIGf', '"v=DKIM1; p=MIGf"'],
  ['quoted strings on lines of their own', '"a"\r\n\t"b"  "c"', 'abc', '"abc"'],
  ['quoted strings without a space between', '"a""b"', 'ab', '"ab"'],
  ['white space around bare text', ' \t a b \n', 'a b', '"a b"'],
  ['white space inside quotes', ' " a  " ', ' a  ', '" a  "'],
  ['nothing inside quotes', '""', '', '""'],
  ['an escaped quote inside quotes', '"say \\"hi\\" now"', 'say "hi" now', '"say \\"hi\\" now"'],
  ['only an escaped quote', '"\\""', '"', '"\\""'],
  ['two escaped quotes', '"\\"\\""', '""', '"\\"\\""'],
  ['a quote inside bare text', '5" disk', '5" disk', '"5\\" disk"'],
  ['a backslash', 'C:\\temp', 'C:\\temp', '"C:\\temp"'],
  ['a backslash as the last bare character', 'dir\\', 'dir\\', '"dir\\"'],
  ['a backslash as the last quoted character', '"dir\\"', 'dir\\', '"dir\\"'],
  ['only a backslash', '"\\"', '\\', '"\\"'],
  ['two backslashes', '"a\\\\b"', 'a\\\\b', '"a\\\\b"'],
  ['what master files would take for an escape', '"\\065\\;"', '\\065\\;', '"\\065\\;"'],
  ['what master files would take for generic data', '\\# 1 00', '\\# 1 00', '"\\# 1 00"'],
  ['semicolons and parentheses', 'a;b (c)', 'a;b (c)', '"a;b (c)"'],
  ['text beyond ASCII', 'grüße 😀', 'grüße 😀', '"grüße 😀"'],
  ['a byte order mark inside', '"\ufeffa"', '\ufeffa', '"\ufeffa"'],
  ['control characters', '"a\u0001\n\u007fb"', 'a\u0001\n\u007fb', '"a\u0001\n\u007fb"'],
])('rule 25: TXT data takes %s', (_, text, content, data) => {
  expect(parseTxtData(text, 100)).toEqual({
    ok: true,
    value: { content: utf8.encode(content), data, asShown: {} },
  });
});

test.each([
  ['"', 'Record data must be enclosed in quotes'],
  ['"abc', 'Record data must be enclosed in quotes'],
  ['abc"', 'Record data must be enclosed in quotes'],
  ['a "b"', 'Record data must be enclosed in quotes'],
  ['"a" b', 'Record data must be enclosed in quotes'],
  ['"a" "', 'Record data must be enclosed in quotes'],
  ['"a"b"', 'TXT data has "b\\"" after a closing quote: write a quote inside quotes as \\"'],
  [
    '"he said "hi" now"',
    'TXT data has "hi\\" now\\"" after a closing quote: write a quote inside quotes as \\"',
  ],
  ['"a\\" "b"', 'TXT data has "b\\"" after a closing quote: write a quote inside quotes as \\"'],
  ['a\\"b', 'TXT data with a backslash right before a quote cannot be told apart from an escaped quote'],
  ['a'.repeat(101), 'TXT data has 101 bytes of content, more than the limit of 100'],
  ['ü'.repeat(51), 'TXT data has 102 bytes of content, more than the limit of 100'],
])('rule 25: TXT data %j is refused', (text, problem) => {
  expect(parseTxtData(text, 100)).toEqual({ ok: false, problem });
});

test.each([
  [
    'a backslash before a quote',
    '"a\\\\"b"',
    '',
    '"a\\\\"b"',
    'TXT data with a backslash right before a quote cannot be told apart from an escaped quote',
  ],
  [
    'too much content',
    `"${'a'.repeat(101)}"`,
    '',
    `"${'a'.repeat(101)}"`,
    'TXT data has 101 bytes of content, more than the limit of 100',
  ],
])('rule 25: TXT data with %s may be what a record shows', (_, text, content, data, problem) => {
  expect(parseTxtData(text, 100)).toEqual({
    ok: true,
    value: { content: utf8.encode(content), data, asShown: { problem } },
  });
});

test('rule 25: content up to the limit is taken, in bytes of UTF-8', () => {
  expect(parseTxtData('ü'.repeat(50), 100).ok).toBe(true);
  expect(parseTxtData(`"${'" "'.repeat(1000)}${'a'.repeat(100)}"`, 100).ok).toBe(true);
});

const pieces = fc.oneof(
  fc.constantFrom('"', '\\', '\\"', ' ', '" "', 'a', '\n', 'ü', '\ufeff', '\u00a0'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const texts = fc
  .array(pieces, { maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((text) => findUnstorableCharacter(text) === undefined);

test('rule 25: data that was read can be written back and changes nothing', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const first = parseTxtData(text, 1000);
      if (first.ok) expect(parseTxtData(first.value.data, 1000)).toEqual(first);
    }),
    { numRuns: 3000 },
  );
});

test('rule 25: any text without a backslash before a quote can be written', () => {
  fc.assert(
    fc.property(texts, (content) => {
      fc.pre(!content.includes('\\"'));
      const octets = utf8.encode(content);
      const data = formatTxtData(octets);
      expect(parseTxtData(data, 1000)).toEqual({ ok: true, value: { content: octets, data, asShown: {} } });
    }),
    { numRuns: 3000 },
  );
});

test('octets that are not UTF-8 are shown as U+FFFD', () => {
  expect(formatTxtData(Uint8Array.of(0x61, 0xff, 0x62))).toBe('"a\ufffdb"');
});
