import { expect, test } from 'vitest';
import { readTypedName, stagedName } from './record-name.ts';

test.each([
  ['', '', 'example.com'],
  ['@', '', 'example.com'],
  ['www', 'www', 'www.example.com'],
  ['www.example.com', 'www', 'www.example.com'],
  ['www.example.com.example.com', 'www.example.com', 'www.example.com.example.com'],
  ['a.b.example.com.', 'a.b', 'a.b.example.com'],
  ['www。example。com', 'www', 'www.example.com'],
  ['www．example．com。', 'www', 'www.example.com'],
  ['bücher.example.com', 'bücher', 'xn--bcher-kva.example.com'],
  ['Example.COM', '', 'example.com'],
  ['xexample.com', 'xexample.com', 'xexample.com.example.com'],
  [String.raw`a\.example.com`, String.raw`a\.example.com`, String.raw`a\.example.com.example.com`],
  ['*.dev', '*.dev', '*.dev.example.com'],
  ['bücher', 'bücher', 'xn--bcher-kva.example.com'],
])('%j in example.com is %j', (typed, name, served) => {
  expect(readTypedName(typed, 'example.com')).toMatchObject({ name, served });
});

test('a domain with U-labels is not appended twice either', () => {
  const read = readTypedName('www.münchen.example', 'xn--mnchen-3ya.example');
  expect(read).toEqual({ name: 'www', hadDomain: true, served: 'www.xn--mnchen-3ya.example' });
});

test.each([
  ['www.example.com.example.com', 'www.example.com.example.com'],
  ['www.example.com', undefined],
  ['www。example。com', 'www'],
])('%j is staged as it was typed, if it was %j', (typed, before) => {
  expect(stagedName(typed, before)).toBe(typed);
});

test.each(['', '@', ' @ '])('%j is staged as the domain itself', (typed) => {
  expect(stagedName(typed, 'www')).toBe('');
});
