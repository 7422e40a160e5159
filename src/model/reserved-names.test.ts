import { expect, test } from 'vitest';
import type { ZoneName } from './domain.ts';
import { findReservation } from './reserved-names.ts';

const operator = {
  nameservers: ['ns1.dns.example.net', 'NS2.other.example.org.'],
  mailbox: 'dns.team@mail.operator.example',
};

test.each([
  ['ns1.dns.example.net', 'nameservers'],
  ['dns.example.net', 'nameservers'],
  ['example.net', 'nameservers'],
  ['net', 'nameservers'],
  ['ns2.other.example.org', 'nameservers'],
  ['mail.operator.example', 'hostmaster'],
  ['operator.example', 'hostmaster'],
  ['_signal.ns1.dns.example.net', 'vouches for the keys'],
  ['_dsboot.example.com._signal.ns2.other.example.org', 'in "_signal.ns2.other.example.org"'],
  ['x.onion', '"onion" is a special-use name'],
  ['printer.local', '"local"'],
  ['a.b.internal', '"internal"'],
  ['alt', '"alt"'],
  ['some.localhost', '"localhost"'],
  ['x.invalid', '"invalid"'],
  ['home.arpa', '"home.arpa"'],
  ['x.home.arpa', '"home.arpa"'],
  ['1.254.169.in-addr.arpa', '"254.169.in-addr.arpa"'],
  ['arpa', 'reverse zones'],
  ['in-addr.arpa', 'IPv4 /0'],
  ['2.in-addr.arpa', 'IPv4 /8'],
  ['168.192.in-addr.arpa', 'IPv4 /16'],
  ['ip6.arpa', 'IPv6 /0'],
  ['8.b.d.0.1.0.0.2.ip6.arpa', 'IPv6 /32'],
])('findReservation() reserves %s', (name, reason) => {
  const sentence = findReservation(name as ZoneName, operator);
  expect(sentence).toContain(reason);
  expect(sentence).toContain(`"${name}"`);
});

test.each([
  'other.example.net',
  'www.ns1.dns.example.net',
  '_signal.ns3.dns.example.net',
  'example.com',
  'a.example',
  'a.test',
  'ample.net',
  'myonion.com',
  'local.example.com',
  '0.168.192.in-addr.arpa',
  '2.0.192.in-addr.arpa',
  '0.8.b.d.0.1.0.0.2.ip6.arpa',
  'in-addr.arpa.example.com',
])('findReservation() leaves %s to everybody', (name) => {
  expect(findReservation(name as ZoneName, operator)).toBeUndefined();
});
