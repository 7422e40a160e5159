import { expect, test } from 'vitest';
import { coversPattern, formatNamePattern, matchesName, parseNamePattern } from './name-pattern.ts';
import type { OwnerKey } from './record.ts';

function patternOf(text: string) {
  const pattern = parseNamePattern(text);
  if (!pattern.ok) throw new Error(pattern.problem);
  return pattern.value;
}

test.each([
  ['@', ['']],
  ['www', ['www']],
  ['WWW', ['www']],
  ['*', ['*']],
  ['*.dyn', ['*.dyn']],
  ['**.dyn', ['a.dyn', 'a.b.dyn', '*.dyn']],
  ['_acme-challenge.**', ['_acme-challenge.www', '_acme-challenge.a.b']],
  ['b\u00fccher', ['xn--bcher-kva']],
])('%s matches exactly these names', (text, matching) => {
  const names = ['', 'www', '*', '*.dyn', 'dyn', 'a.dyn', 'a.b.dyn', 'adyn', 'a\\.dyn', 'a\\\\.dyn', 'x.www'];
  names.push('_acme-challenge', '_acme-challenge.www', '_acme-challenge.a.b', 'xn--bcher-kva');
  const expected = text === '**.dyn' ? [...matching, 'a\\\\.dyn'] : matching;
  const matched = names.filter((name) => matchesName(patternOf(text), name as OwnerKey));
  expect(matched.sort()).toEqual([...expected].sort());
});

test.each(['@', 'www', '**.dyn', '_acme-challenge.**', '*'])('%s is shown as it was given', (text) => {
  expect(formatNamePattern(patternOf(text))).toBe(text);
});

test.each(['', '**', 'a.**.b', '**.', '.**', 'a..b', 'a'.repeat(64), '***.a'])('%j is refused', (text) => {
  expect(parseNamePattern(text).ok).toBe(false);
});

test.each([
  ['**.dyn', 'a.dyn', true],
  ['**.dyn', '**.a.dyn', true],
  ['**.dyn', '**.dyn', true],
  ['**.dyn', 'dyn', false],
  ['**.a.dyn', '**.dyn', false],
  ['**.dyn', 'dyn.**', false],
  ['a.**', 'a.b.**', true],
  ['a.b.**', 'a.**', false],
  ['www', 'www', true],
  ['www', '**.www', false],
])('%s covers %s: %s', (outer, inner, expected) => {
  expect(coversPattern(patternOf(outer), patternOf(inner))).toBe(expected);
});
