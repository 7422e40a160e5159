import { expect, test } from 'vitest';
import { describeStored } from './describe-stored.ts';

const www = { id: 'x', type: 'A', name: 'www', data: '192.0.2.1', priority: -1, ttl: 300 };
const apex = { id: 'y', type: 'MX', name: '', data: 'mail.example', priority: 10, ttl: 300 };
const text = { id: 'z', type: 'TXT', name: 'a', data: '"b \\"c\\""', priority: -1, ttl: 300 };

test.each([
  [{ name: 'www', data: '192.0.2.1', ttl: 300 }, www],
  [{ name: 'www', data: ' 192.0.2.1', ttl: undefined }, www],
  [{ name: 'www.Example.com.', data: '192.0.2.1' }, www],
  [{ name: '@', data: '10 mail.example' }, apex],
  [{ name: 'example.com', data: 'mail.example', priority: 10 }, apex],
  [{ name: 'a', data: '"b \\"c\\""' }, text],
  [{ name: 'a', data: 'b "c"' }, text],
])('describeStored() says nothing if %j is stored as it was given', (given, stored) => {
  expect(describeStored('example.com', { type: stored.type, ...given }, stored)).toBeUndefined();
});

test.each([
  [{ name: 'WWW', data: '192.0.2.1', ttl: 300 }, www, 'www 300 A 192.0.2.1'],
  [{ name: 'www.', data: '192.0.2.1', ttl: 300 }, www, 'www 300 A 192.0.2.1'],
  [{ name: 'www', data: '192.0.2.1', ttl: 0 }, www, 'www 300 A 192.0.2.1'],
  [{ name: '@', data: '10 Mail.example' }, apex, '@ 300 MX 10 mail.example'],
  [{ name: 'a', data: '"b" "c"' }, { ...text, data: '"bc"' }, 'a 300 TXT "bc"'],
])('describeStored() shows what is stored of %j', (given, stored, shown) => {
  expect(describeStored('example.com', { type: stored.type, ...given }, stored)).toBe(
    `note: stored otherwise than given: ${shown}`,
  );
});
