import { expect, test } from 'vitest';
import { check } from './checked-zone.test-support.ts';

const web = 'www A 192.0.2.1';
const h = (type: string) => `www ${type} 1 svc.example.com. alpn=h2`;

/** Aliases a0 to the last, which names www. */
function aliases(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const target = at + 1 === count ? 'www' : `a${at + 1}`;
    return `a${at} CNAME ${target}.example.com`;
  });
}

test.each<[what: string, lines: string[], found: string[]]>([
  ['an HTTPS alias to nothing', ['@ HTTPS 0 svc.example.com.'], ['error target_missing ']],
  ['an SVCB alias to nothing', ['_dns SVCB 0 svc.example.com.'], ['error target_missing _dns']],
  ['an HTTPS alias to another', ['@ HTTPS 0 svc.example.com.', 'svc HTTPS 1 . alpn=h2'], []],
  ['an HTTPS alias to a host', ['@ HTTPS 0 www.example.com.', web], []],
  ['an HTTPS alias to a CNAME', ['@ HTTPS 0 a.example.com.', 'a CNAME www.example.com', web], []],
  ['an HTTPS alias of itself', ['@ HTTPS 0 example.com.', '@ A 192.0.2.1'], ['error alias_loop ']],
  ['an HTTPS alias elsewhere', ['@ HTTPS 0 svc.example.net.'], []],
  ['an HTTPS record of the name itself', ['@ HTTPS 1 . alpn=h2'], []],
  ['an HTTPS service without an address', [h('HTTPS'), 'svc TXT x'], ['error target_missing www']],
  ['an SVCB service without an address', [h('SVCB'), 'svc TXT x'], ['error target_missing www']],
  ['PTR to nothing', ['_http._tcp PTR a.example.com'], ['warning target_missing _http._tcp']],
  ['DNAME to a name without a domain', ['d DNAME other.'], ['warning target_without_domain d']],
  ['SRV without a domain', ['_sip._tcp SRV 0 0 5060 sip.'], ['warning target_without_domain _sip._tcp']],
  ['MX to a name with an underscore', ['@ MX 10 mail_1.example.net'], ['warning target_not_a_host_name ']],
  [
    'NS and SRV to names with an underscore',
    ['sub NS ns_1.example.net', '_sip._tcp SRV 0 0 5060 a.sip_1.example.net'],
    ['warning target_not_a_host_name _sip._tcp', 'warning target_not_a_host_name sub'],
  ],
  ['a CNAME to a name with an underscore', ['a CNAME _b.example.net'], []],
])('%s', (_, lines, found) => {
  expect(check(...lines)).toEqual(found);
});

test('sixteen aliases in a row are followed, and of seventeen the first does not resolve', () => {
  const notices = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `notice target_is_alias a${at + from}`).sort();
  expect(check(...aliases(16), web)).toEqual(notices(0, 15));
  expect(check(...aliases(17), web)).toEqual(['error alias_chain_long a0', ...notices(1, 16)]);
});

test('a host whose chain of aliases is too long is reported, and a long loop as a loop', () => {
  expect(check(...aliases(17), web, '@ MX 10 a0.example.com')).toContain('error alias_chain_long ');
  const loop = aliases(20).map((line) => line.replace('www', 'a0'));
  expect(check(...loop)).toEqual(Array.from({ length: 20 }, (_, at) => `error alias_loop a${at}`).sort());
});
