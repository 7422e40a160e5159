import { expect, test } from 'vitest';
import { checkCount, ListedTexts, MAX_LISTED } from './listed-texts.ts';

const usual = Array.from({ length: 13 }, (_, i) => `${'abcdefghijklm'[i]}.gtld-servers.net`);
const addresses = usual.flatMap((name) => [
  { name, address: '192.5.6.30' },
  { name, address: '2001:503:a83e::2:30' },
]);

test('64 servers can list thirteen nameservers with an address of each family', () => {
  const listed = new ListedTexts();
  for (let i = 0; i < 26; i++) listed.add(usual, addresses);
});

test('the lists of one server are limited, and count nothing then', () => {
  const listed = new ListedTexts();
  for (let i = 0; i < 100; i++)
    expect(() => listed.add(['x'.repeat(16_000)], ['x'.repeat(400)])).toThrow('what it lists is too long');
  listed.add(['x'.repeat(16_000)]);
});

test('the lists of all servers are limited together', () => {
  const listed = new ListedTexts();
  for (let i = 0; i < 16; i++) listed.add(['x'.repeat(15_000)]);
  expect(() => {
    for (let i = 0; i < 2; i++) listed.add(['x'.repeat(15_000)]);
  }).toThrow('what the servers list is too long together');
});

test('the number of elements is limited', () => {
  expect(() => checkCount({ length: MAX_LISTED }, 'names')).not.toThrow();
  expect(() => checkCount({ length: MAX_LISTED + 1 }, 'names')).toThrow('it lists more than 32 names');
});
