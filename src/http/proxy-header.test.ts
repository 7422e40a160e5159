import { expect, test } from 'vitest';
import { readProxyHeader } from './proxy-header.ts';
import { makeProxyHeader, proxyHeaderFor } from './proxy-header.test-support.ts';

/** PP2_TYPE_AUTHORITY and PP2_TYPE_NOOP. */
const tlvs = Buffer.from('02000b6578616d706c652e636f6d040003000000', 'hex');

const six = Buffer.from(
  '20010db8000000000000000000000007' + '20010db8000000000000000000000001' + '3039' + '1f90',
  'hex',
);
const mapped = Buffer.from(
  '00000000000000000000ffffc6336407' + '00000000000000000000ffff7f000001' + '3039' + '1f90',
  'hex',
);

test.each([
  ['an IPv4 client', proxyHeaderFor('198.51.100.7'), '198.51.100.7'],
  ['an IPv4 client with TLVs', proxyHeaderFor('198.51.100.7', tlvs), '198.51.100.7'],
  ['an IPv6 client', makeProxyHeader({ family: 0x21, rest: six }), '2001:db8::7'],
  [
    'an IPv4 client on a socket for both families',
    makeProxyHeader({ family: 0x21, rest: mapped }),
    '::ffff:198.51.100.7',
  ],
  ['a client on a Unix socket', makeProxyHeader({ family: 0x31, rest: Buffer.alloc(216, 1) }), undefined],
  ['an unknown client', makeProxyHeader({ family: 0x00 }), undefined],
])('the header of %s is read', (_, header, address) => {
  const sizeBytes = header.length;
  expect(readProxyHeader(Buffer.concat([header, Buffer.from('GET')]))).toEqual({
    kind: 'client',
    sizeBytes,
    address,
    usesTls: undefined,
  });
  for (let size = 0; size < sizeBytes; size++)
    expect(readProxyHeader(header.subarray(0, size))).toEqual({ kind: 'incomplete' });
});

/** PP2_TYPE_SSL with the flag PP2_CLIENT_SSL, or with another one; then the result of the verification. */
const ssl = (flags: number) => Buffer.from([0x20, 0, 5, flags, 0, 0, 0, 0]);

test.each([
  ['TLS', ssl(0x01), true],
  ['TLS after other TLVs', Buffer.concat([tlvs, ssl(0x05)]), true],
  ['a client certificate without TLS', ssl(0x04), false],
  ['a TLV without a value', Buffer.from([0x20, 0, 0]), undefined],
  ['a TLV that is cut off', Buffer.from([0x03, 0xff, 0xff, 0x20, 0, 5, 1, 0, 0, 0, 0]), undefined],
])('whether the client used TLS is read: %s', (_, given, usesTls) => {
  expect(readProxyHeader(proxyHeaderFor('198.51.100.7', given))).toMatchObject({ kind: 'client', usesTls });
});

test('a connection of the proxy itself says so, whatever addresses the header has', () => {
  for (const family of [0x00, 0x11, 0x99]) {
    const header = makeProxyHeader({ command: 0x20, family, rest: tlvs });
    expect(readProxyHeader(header)).toEqual({ kind: 'proxy', sizeBytes: header.length });
  }
});

test.each([
  ['version 1', Buffer.from('PROXY TCP4 198.51.100.7 127.0.0.1 1 2\r\n'), 'proxy_header_version_1'],
  ['a request', Buffer.from('GET / HTTP/1.1\r\n'), 'proxy_header_missing'],
  ['one wrong octet', Buffer.from('\r\n\r\n\0\r\nQUIX'), 'proxy_header_missing'],
  ['another version', makeProxyHeader({ command: 0x31 }), 'proxy_header_malformed'],
  ['an unknown command', makeProxyHeader({ command: 0x22 }), 'proxy_header_malformed'],
  ['an unknown family', makeProxyHeader({ family: 0x41, rest: Buffer.alloc(300) }), 'proxy_header_malformed'],
  ['datagrams', makeProxyHeader({ family: 0x12, rest: Buffer.alloc(12) }), 'proxy_header_malformed'],
  ['an address that is cut off', makeProxyHeader({ rest: Buffer.alloc(11) }), 'proxy_header_malformed'],
  [
    'IPv6 in the space of IPv4',
    makeProxyHeader({ family: 0x21, rest: Buffer.alloc(12) }),
    'proxy_header_malformed',
  ],
  ['too many TLVs', makeProxyHeader({ length: 0xffff }), 'proxy_header_too_long'],
])('%s is refused', (_, data, reason) => {
  expect(readProxyHeader(data)).toEqual({ kind: 'refused', reason });
});
