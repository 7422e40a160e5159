import { expect, test } from 'vitest';
import { findSystemResolvers, MAX_RESOLVERS, parseResolvers } from './server-list.ts';

test('a list of resolvers has addresses, with a port if it is not 53, in canonical form', () => {
  expect(parseResolvers('192.0.2.53, 2001:DB8:0::53,[2001:db8::54]:5300')).toEqual({
    ok: true,
    value: [
      { host: '192.0.2.53', port: 53 },
      { host: '2001:db8::53', port: 53 },
      { host: '2001:db8::54', port: 5300 },
    ],
  });
});

test.each([
  '',
  'resolver.example',
  '192.0.2.53,',
  '192.0.2.053',
  '192.0.2.1:0',
  Array(4).fill('192.0.2.1').join(),
])('%j is no list of resolvers', (text) => {
  expect(parseResolvers(text).ok).toBe(false);
});

test('the system has at least one resolver, and not more than are asked', () => {
  const { length } = findSystemResolvers();
  expect(length).toBeGreaterThan(0);
  expect(length).toBeLessThanOrEqual(MAX_RESOLVERS);
});
