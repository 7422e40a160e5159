import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareDomainNames,
  countLabels,
  domainNameAt,
  equalDomainNames,
  formatDomainName,
  isSubdomain,
  lowerDomainName,
  parseDomainName,
  rootName,
  type DomainName,
} from './name.ts';

function name(text: string): DomainName {
  const result = parseDomainName(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

const LABEL_63 = 'a'.repeat(63);
/** 3 * 64 + 62 + 1 = 255 octets. */
const LONGEST_NAME = `${LABEL_63}.${LABEL_63}.${LABEL_63}.${'b'.repeat(61)}.`;

test.each([
  ['example.com', 'example.com.'],
  ['example.com.', 'example.com.'],
  ['.', '.'],
  ['WWW.Example.COM', 'WWW.Example.COM.'],
  ['a\\.b.c', 'a\\.b.c.'],
  ['\\097bc.d', 'abc.d.'],
  ['\\000\\255.x', '\\000\\255.x.'],
  ['\\@.\\$.\\(\\;\\"', '\\@.\\$.\\(\\;\\".'],
  ['a\\\\b', 'a\\\\b.'],
  ['trailing\\.', 'trailing\\..'],
  ['*._tcp.x-1', '*._tcp.x-1.'],
  ['a\\ b', 'a\\032b.'],
  [LONGEST_NAME, LONGEST_NAME],
])('%s is parsed and formatted as %s', (text, expected) => {
  expect(formatDomainName(name(text))).toBe(expected);
});

test.each([
  ['', 'the name is empty'],
  ['@', 'no origin is known here'],
  ['..', 'empty label'],
  ['.a', 'empty label'],
  ['a..b', 'empty label'],
  ['a..', 'empty label'],
  [`${LABEL_63}a.b`, 'has 64 octets, the limit is 63'],
  [`a.${LONGEST_NAME}`, 'longer than 255 octets'],
  ['x.'.repeat(128), 'longer than 255 octets'],
  ['a'.repeat(100_000), 'longer than 255 octets'],
  ['a b', 'has " " at character 2'],
  ['a\tb', 'at character 2'],
  ['bücher', 'has "ü" at character 2'],
  ['a😀', 'has "😀" at character 2'],
  ['a\\', 'broken escape at character 2'],
  ['\\25', 'broken escape'],
  ['\\2x5', 'broken escape'],
  ['\\256', 'broken escape'],
  ['\\é', 'broken escape'],
])('%j is rejected: %s', (text, problem) => {
  const result = parseDomainName(text);
  expect(result.ok ? formatDomainName(result.value) : result.problem).toContain(problem);
  if (!result.ok) expect(result.problem.length).toBeLessThan(300);
});

test('with an origin, names without a trailing dot are relative to it, and @ is the origin', () => {
  const origin = name('example.com');
  const rows: [string, string][] = [
    ['www', 'www.example.com.'],
    ['www.', 'www.'],
    ['@', 'example.com.'],
    ['.', '.'],
    ['a\\.', 'a\\..example.com.'],
  ];
  for (const [text, expected] of rows) {
    const result = parseDomainName(text, origin);
    expect(result.ok && formatDomainName(result.value)).toBe(expected);
  }
  const fits = parseDomainName('a'.repeat(20), name(`${LABEL_63}.${LABEL_63}.${LABEL_63}.${'c'.repeat(40)}`));
  expect(fits.ok && fits.value.length).toBe(255);
  const exceeds = parseDomainName(
    'a'.repeat(21),
    name(`${LABEL_63}.${LABEL_63}.${LABEL_63}.${'c'.repeat(40)}`),
  );
  expect(exceeds.ok).toBe(false);
});

test('names sort as in the example of RFC 4034 section 6.1', () => {
  const sorted = [
    'example.',
    'a.example.',
    'yljkjljk.a.example.',
    'Z.a.example.',
    'zABC.a.EXAMPLE.',
    'z.example.',
    '\\001.z.example.',
    '*.z.example.',
    '\\200.z.example.',
  ];
  const shuffled = [...sorted].reverse().map(name);
  expect(shuffled.sort(compareDomainNames).map(formatDomainName)).toEqual(sorted);
  expect(compareDomainNames(rootName, name('a'))).toBeLessThan(0);
  expect(compareDomainNames(name('ab.x'), name('a.x'))).toBeGreaterThan(0);
  expect(compareDomainNames(name('A.x'), name('a.X'))).toBe(0);
});

test('only ASCII letters lose their case', () => {
  expect(formatDomainName(lowerDomainName(name('AbZ[@`{\\193.EXAMPLE')))).toBe('abz[\\@`{\\193.example.');
  const lower = name('already.lower');
  expect(lowerDomainName(lower)).toBe(lower);
});

test.each([
  ['www.example.com', 'example.com', true],
  ['WWW.EXAMPLE.COM', 'example.com', true],
  ['example.com', 'example.com', true],
  ['example.com', '.', true],
  ['.', '.', true],
  ['.', 'com', false],
  ['xexample.com', 'example.com', false],
  ['com', 'example.com', false],
  // The octets of "\001a" inside a label look like the label "a".
  ['x\\001a', 'a', false],
  ['b\\003com', 'com', false],
])('isSubdomain(%s, %s) is %s', (below, above, expected) => {
  expect(isSubdomain(name(below), name(above))).toBe(expected);
});

test('labels are counted without the root', () => {
  expect(['.', 'com', 'a\\.b.com', LONGEST_NAME].map((text) => countLabels(name(text)))).toEqual([
    0, 1, 2, 4,
  ]);
});

const label = fc.uint8Array({ minLength: 1, maxLength: 63 });
const anyName = fc
  .array(label, { maxLength: 6 })
  .map((labels) => [...labels.flatMap((octets) => [octets.length, ...octets]), 0])
  .filter((octets) => octets.length <= 255)
  .map((octets) => Uint8Array.from(octets) as DomainName);

test('any name survives formatting and parsing', () => {
  fc.assert(
    fc.property(anyName, (value) => {
      const text = formatDomainName(value);
      expect(text).toMatch(/^[\x21-\x7e]+$/);
      expect(parseDomainName(text)).toEqual({ ok: true, value });
      expect(domainNameAt(value, 0)).toEqual(value);
    }),
  );
});

test('the order is total, and agrees with equality and ancestry', () => {
  fc.assert(
    fc.property(anyName, anyName, anyName, (a, b, c) => {
      const order = Math.sign(compareDomainNames(a, b));
      expect(Math.sign(compareDomainNames(b, a)) + order).toBe(0);
      expect(order === 0).toBe(equalDomainNames(a, b));
      if (order <= 0 && compareDomainNames(b, c) <= 0)
        expect(compareDomainNames(a, c)).toBeLessThanOrEqual(0);
      if (isSubdomain(a, b)) expect(order).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('any text is parsed as a name or rejected with a sentence', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', '.', '\\', '2', '5', '@', ' ') }),
  );
  fc.assert(
    fc.property(text, (value) => {
      const result = parseDomainName(value);
      if (result.ok) expect(parseDomainName(formatDomainName(result.value))).toEqual(result);
      else expect(result.problem).toMatch(/[^.]$/);
    }),
  );
});

test.each([
  ['nothing', []],
  ['no root', [1, 97]],
  ['a label cut short', [3, 97, 0]],
  ['a compression pointer', [1, 97, 0xc0, 0]],
  ['a label of 64', [64, ...new Array<number>(64).fill(97), 0]],
  ['256 octets', [...Array.from({ length: 5 }, () => [50, ...new Array<number>(50).fill(97)]).flat(), 0]],
])('domainNameAt() finds no name at %s', (_, octets) => {
  expect(domainNameAt(Uint8Array.from(octets), 0)).toBeUndefined();
});
