import { expect, test } from 'vitest';
import { cloudflareExport } from './cloudflare.ts';
import { readExport } from './json-export.test-support.ts';

const cloudflareMember = {
  id: '372e67954025e0ba6aaa6d586b9e0b59',
  proxiable: true,
  proxied: false,
  locked: false,
};

test.each([
  [{ type: 'A', name: 'example.com', content: '198.51.100.4', ttl: 3600 }, '@ 3600 IN A 198.51.100.4'],
  [{ type: 'A', name: 'auto.example.com', content: '198.51.100.4', ttl: 1 }, 'auto 300 IN A 198.51.100.4'],
  [
    { type: 'CNAME', name: 'www.example.com', content: 'example.com', ttl: 1 },
    'www 300 IN CNAME example.com.',
  ],
  [
    { type: 'MX', name: 'example.com', content: 'mx.example.net', priority: 10, ttl: 1 },
    '@ 300 IN MX 10 mx.example.net.',
  ],
  [
    { type: 'TXT', name: 'example.com', content: 'v=spf1 include:_spf.example.net ~all', ttl: 1 },
    '@ 300 IN TXT "v=spf1 include:_spf.example.net ~all"',
  ],
  [
    { type: 'TXT', name: 'k._domainkey.example.com', content: '"v=DKIM1; k=rsa; p=AAAA" "BBBB"', ttl: 1 },
    'k._domainkey 300 IN TXT "v=DKIM1; k=rsa; p=AAAA" "BBBB"',
  ],
  [
    {
      type: 'SRV',
      name: '_sip._tcp.example.com',
      content: '5\t5060\tsip.example.com',
      priority: 10,
      data: { priority: 10, weight: 5, port: 5060, target: 'sip.example.com' },
      ttl: 120,
    },
    '_sip._tcp 120 IN SRV 10 5 5060 sip.example.com.',
  ],
  [
    { type: 'SRV', name: '_sip._tcp.example.com', content: '5 5060 sip.example.com', priority: 10, ttl: 120 },
    '_sip._tcp 120 IN SRV 10 5 5060 sip.example.com.',
  ],
  [
    {
      type: 'CAA',
      name: 'example.com',
      content: '0 issue "letsencrypt.org"',
      data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' },
      ttl: 1,
    },
    '@ 300 IN CAA 0 issue "letsencrypt.org"',
  ],
  [
    {
      type: 'HTTPS',
      name: 'example.com',
      content: '1 . alpn="h3,h2"',
      data: { priority: 1, target: '.', value: 'alpn="h3,h2"' },
      ttl: 300,
    },
    '@ 300 IN HTTPS 1 . alpn=h3,h2',
  ],
  [
    {
      type: 'TLSA',
      name: '_25._tcp.mx.example.com',
      content: '3 1 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
      ttl: 1,
    },
    '_25._tcp.mx 300 IN TLSA 3 1 1 0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF',
  ],
  [
    {
      type: 'URI',
      name: '_ftp._tcp.example.com',
      priority: 10,
      content: '1 "ftp://ftp.example.com/"',
      data: { weight: 1, target: 'ftp://ftp.example.com/' },
      ttl: 1,
    },
    '_ftp._tcp 300 IN URI 10 1 "ftp://ftp.example.com/"',
  ],
  [
    {
      type: 'LOC',
      name: 'loc.example.com',
      content: 'IN LOC 31 58 52.1 S 115 49 11.7 E 20m 10m 10m 2m',
      data: {
        lat_degrees: 31,
        lat_minutes: 58,
        lat_seconds: 52.1,
        lat_direction: 'S',
        long_degrees: 115,
        long_minutes: 49,
        long_seconds: 11.7,
        long_direction: 'E',
        altitude: 20,
        size: 10,
        precision_horz: 10,
        precision_vert: 2,
      },
      ttl: 300,
    },
    'loc 300 IN LOC 31 58 52.100 S 115 49 11.700 E 20.00m 10m 10m 2m',
  ],
  [
    {
      type: 'LOC',
      name: 'loc.example.com',
      content: 'IN LOC 53 14 10 N 2 18 26 W 20m 10m 1000m 2m',
      ttl: 300,
    },
    'loc 300 IN LOC 53 14 10.000 N 2 18 26.000 W 20.00m 10m 1000m 2m',
  ],
  [
    {
      type: 'NAPTR',
      name: 'example.com',
      content: '30 100 "S" "SIP+D2T" "" _sip._tls.example.com.',
      data: {
        flags: 'S',
        order: 30,
        preference: 100,
        regex: '',
        replacement: '_sip._tls.example.com.',
        service: 'SIP+D2T',
      },
      ttl: 1,
    },
    '@ 300 IN NAPTR 30 100 "S" "SIP+D2T" "" _sip._tls.example.com.',
  ],
  [
    {
      type: 'SMIMEA',
      name: 'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._smimecert.example.com',
      content: '3 1 1 0123456789ABCDEF',
      data: { usage: 3, selector: 1, matching_type: 1, certificate: '0123456789ABCDEF' },
      ttl: 1,
    },
    'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._smimecert 300 IN SMIMEA 3 1 1 0123456789ABCDEF',
  ],
  [
    {
      type: 'OPENPGPKEY',
      name: 'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._openpgpkey.example.com',
      content: 'mQINBFit2jsBEADrbl5vjVxYeAE0g0IDYCBpHirv1Sjlqxx5gjtPhb2YhvyDMXjq',
      ttl: 1,
    },
    'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._openpgpkey 300 IN OPENPGPKEY mQINBFit2jsBEADrbl5vjVxYeAE0g0IDYCBpHirv1Sjlqxx5gjtPhb2YhvyDMXjq',
  ],
  [
    {
      type: 'HTTPS',
      name: 'example.com',
      content: '0 www.example.com.',
      data: { priority: 0, target: 'www.example.com.', value: '' },
      ttl: 1,
    },
    '@ 300 IN HTTPS 0 www.example.com.',
  ],
  [
    { type: 'TXT', name: 'q.example.com', content: '"a\\\\b \\"c\\" \\195\\169"', ttl: 1 },
    'q 300 IN TXT "a\\\\b \\"c\\" \\195\\169"',
  ],
  [{ type: 'TXT', name: 'q.example.com', content: 'a\\b', ttl: 1 }, 'q 300 IN TXT "a\\\\b"'],
])('Cloudflare: %j', (record, line) => {
  const answer = { result: [{ ...cloudflareMember, ...record }], success: true, errors: [], messages: [] };
  const { lines, skipped } = readExport(cloudflareExport, answer);
  expect([lines, skipped]).toEqual([[line], []]);
});

test('a CNAME record at the apex is skipped, and proxied records are reported', () => {
  const { lines, skipped, notes } = readExport(cloudflareExport, [
    { type: 'CNAME', name: 'example.com', content: 'pages.example.net', ttl: 1, proxied: true },
    { type: 'A', name: 'www.example.com', content: '198.51.100.4', ttl: 1, proxied: true },
  ]);
  expect(lines).toEqual(['www 300 IN A 198.51.100.4']);
  expect(skipped).toMatchObject([{ record: 'example.com IN CNAME pages.example.net' }]);
  expect(notes).toEqual([
    expect.stringMatching(/^www\.example\.com 300 IN A 198\.51\.100\.4: Cloudflare stood/),
  ]);
});

test('records that work only at Cloudflare are reported', () => {
  const { notes } = readExport(cloudflareExport, [
    { type: 'MX', name: 'example.com', content: 'route1.mx.cloudflare.net', priority: 5, ttl: 1 },
    { type: 'CNAME', name: 'app.example.com', content: 'f70ff985.cfargotunnel.com', ttl: 1, proxied: true },
    { type: 'MX', name: 'example.com', content: 'mx.example.net', priority: 5, ttl: 1 },
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/^example\.com 300 IN MX 5 route1\.mx\.cloudflare\.net: Cloudflare forwards mail/),
    expect.stringMatching(/^app\.example\.com .*: a Cloudflare tunnel/),
  ]);
});
