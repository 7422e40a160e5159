import { expect, test } from 'vitest';
import { check, checkExactly } from './checked-zone.test-support.ts';

const sha256 = 'AB'.repeat(32);
const many = (count: number, lineOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => lineOf(at));

test.each<[what: string, lines: string[], found: string[]]>([
  ['a null MX beside a real one', ['@ MX 0 .', '@ MX 10 mx.example.net'], ['error null_mx_not_alone ']],
  ['TTL 1', ['a 1 A 192.0.2.1', 'a 1 A 192.0.2.2'], ['warning ttl_short a']],
  ['TTL 60', ['a 60 A 192.0.2.1'], []],
  ['an address at a name with an underscore', ['my_host A 192.0.2.1'], ['notice host_name_unusual my_host']],
  ['a TLSA digest', [`_443._tcp TLSA 3 1 1 ${sha256}`, `_443._tcp TLSA 3 1 2 ${sha256}${sha256}`], []],
  ['a TLSA certificate', ['_443._tcp TLSA 3 1 0 0102'], []],
  ['a short TLSA digest', ['_443._tcp TLSA 3 1 1 ABCD'], ['error digest_length _443._tcp']],
  ['a long TLSA digest', [`_443._tcp TLSA 3 1 1 ${sha256}AB`], ['error digest_length _443._tcp']],
  ['an SMIMEA digest', ['a._smimecert SMIMEA 3 1 2 AB'], ['error digest_length a._smimecert']],
  ['a DS digest', ['s NS ns.example.net', `s DS 1 13 2 ${sha256}`, `s DS 1 13 99 AB`], []],
  ['a short DS digest', ['s NS ns.example.net', 's DS 1 13 5 ABCD'], ['error digest_length s']],
  ['DS without NS', [`s DS 1 13 2 ${sha256}`], ['error ds_without_delegation s']],
  ['DS of the domain itself', [`@ DS 1 13 2 ${sha256}`], ['error ds_without_delegation ']],
  ['CAA', ['@ CAA 0 issue "ca.example.net"', '@ CAA 0 issueMail ";"', '@ CAA 128 iodef "mailto:a@b.c"'], []],
  ['a CAA tag that nobody knows', ['@ CAA 0 isue "ca.example.net"'], ['warning caa_tag_unknown ']],
  ['a critical one', ['@ CAA 128 isue "ca.example.net"'], ['error caa_tag_unknown ']],
  ['the SPF type', ['@ SPF "v=spf1 -all"'], ['warning spf_type_obsolete ']],
  ['a set that does not fit', many(80, (at) => `a A 192.0.2.${at}`), ['notice answer_too_large a']],
  ['a set that fits', many(70, (at) => `a A 192.0.2.${at}`), []],
  ['a text that does not fit', [`a TXT "${'x'.repeat(1300)}"`], ['notice answer_too_large a']],
  [
    'NS names that fit by compression',
    many(50, (at) => `@ NS ns${at}.sub.example.com`).concat('*.sub A 192.0.2.1'),
    [],
  ],
  [
    'a referral whose glue does not fit',
    [...many(25, (at) => `s NS n${at}.s.example.com`), ...many(25, (at) => `n${at}.s AAAA 2001:db8::1`)],
    ['warning referral_too_large s'],
  ],
  [
    'a referral whose glue fits',
    [...many(12, (at) => `s NS n${at}.s.example.com`), ...many(12, (at) => `n${at}.s AAAA 2001:db8::1`)],
    [],
  ],
  [
    'a referral to names elsewhere, whose addresses are not needed',
    [...many(25, (at) => `s NS n${at}.t.example.com`), ...many(25, (at) => `n${at}.t AAAA 2001:db8::1`)],
    [],
  ],
])('%s', (_, lines, found) => {
  expect(check(...lines)).toEqual(found);
});

test('a single nameserver is reported', () => {
  expect(checkExactly(['@ NS ns.example.net', 's NS ns.example.net'])).toEqual([
    'warning nameserver_single ',
    'notice nameserver_single s',
  ]);
});

test('a placeholder for a nameserver is reported', () => {
  expect(checkExactly(['@ NS ns1.zonewright.invalid', '@ NS ns.example.net'])).toEqual([
    'error nameserver_placeholder ',
  ]);
});
