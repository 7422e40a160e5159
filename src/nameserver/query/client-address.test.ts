import { expect, test } from 'vitest';
import { ClientAddress } from './client-address.ts';

test.each([
  ['192.0.2.1', '00000000000000000000ffffc0000201', true, false],
  ['127.0.0.1', '00000000000000000000ffff7f000001', true, true],
  ['127.0.0.2', '00000000000000000000ffff7f000002', true, false],
  ['::ffff:192.0.2.1', '00000000000000000000ffffc0000201', true, false],
  ['2001:db8::1', '20010db8000000000000000000000001', false, false],
  ['fe80::1%eth0', 'fe800000000000000000000000000001', false, false],
  ['::1', '00000000000000000000000000000001', false, true],
  ['::7f00:1', '0000000000000000000000007f000001', false, false],
  ['::', '00000000000000000000000000000000', false, false],
  ['', '00000000000000000000000000000000', false, false],
])('%j is read', (text, octets, isIpv4, isThisMachine) => {
  const address = new ClientAddress();
  address.setText('203.0.113.9');
  address.setText(text);
  expect(Buffer.from(address.octets).toString('hex')).toBe(octets);
  expect([address.isIpv4, address.isThisMachine()]).toEqual([isIpv4, isThisMachine]);
  const copy = new ClientAddress();
  copy.setIpv6(address.octets, 0);
  expect(copy).toEqual(address);
});
