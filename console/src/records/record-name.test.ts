import { expect, test } from 'vitest';
import { readTypedName } from './record-name.ts';

test.each([
  ['', '', 'example.com'],
  ['@', '', 'example.com'],
  ['www', 'www', 'www.example.com'],
  ['www.example.com', 'www', 'www.example.com'],
  ['a.b.example.com.', 'a.b', 'a.b.example.com'],
  ['Example.COM', '', 'example.com'],
  ['xexample.com', 'xexample.com', 'xexample.com.example.com'],
  ['*.dev', '*.dev', '*.dev.example.com'],
  ['bücher', 'bücher', 'xn--bcher-kva.example.com'],
])('%j in example.com is %j', (typed, name, served) => {
  expect(readTypedName(typed, 'example.com')).toMatchObject({ name, served });
});

test('a domain with U-labels is not appended twice either', () => {
  const read = readTypedName('www.münchen.example', 'xn--mnchen-3ya.example');
  expect(read).toEqual({ name: 'www', hadDomain: true, served: 'www.xn--mnchen-3ya.example' });
});
