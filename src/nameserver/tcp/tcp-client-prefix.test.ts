import { expect, test } from 'vitest';
import { tcpClientPrefix } from './tcp-client-prefix.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::', '0:0:0:0'],
])('a connection from %s counts towards %s', (address, client) => {
  expect(tcpClientPrefix(address)).toBe(client);
});
