import { expect, test } from 'vitest';
import { formatServerAddress, parseServerAddress } from './server-address.ts';

test.each([
  ['ns1.example.net', 'ns1.example.net', 53],
  ['ns1.example.net:5300', 'ns1.example.net', 5300],
  ['192.0.2.1:53', '192.0.2.1', 53],
  ['2001:db8::1', '2001:db8::1', 53],
  ['[2001:db8::1]:5300', '2001:db8::1', 5300],
  ['[::1]', '::1', 53],
])('%s is a nameserver', (text, host, port) => {
  const server = parseServerAddress(text);
  expect(server).toEqual({ ok: true, value: { host, port } });
  if (server.ok) expect(parseServerAddress(formatServerAddress(server.value))).toEqual(server);
});

test.each(['', 'ns1 example', 'ns1:0', 'ns1:65536', 'ns1:dns', 'dns://ns1', '[ns1]'])(
  '%j is not a nameserver',
  (text) => {
    expect(parseServerAddress(text).ok).toBe(false);
  },
);
