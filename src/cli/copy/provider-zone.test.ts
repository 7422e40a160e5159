import { expect, test } from 'vitest';
import { cloudflareExport } from './cloudflare.ts';
import { digitaloceanExport } from './digitalocean.ts';
import type { JsonExport } from './json-files.ts';
import { buildZone, readText } from './provider-zone.ts';
import { route53Export } from './route53.ts';

/** The zone's lines with single blanks, without $ORIGIN. */
function linesIn(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/ +/g, ' '));
}

function read(format: JsonExport, json: unknown) {
  const zone = format.readZone('example.com', json);
  if (zone === undefined) throw new Error('not an export');
  return { ...zone, lines: linesIn(zone.text) };
}

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
  const { lines, setAside } = read(cloudflareExport, answer);
  expect([lines, setAside]).toEqual([[line], []]);
});

test('of Cloudflare a CNAME at the apex is set aside, and who was behind the proxy is told', () => {
  const { lines, setAside, notes } = read(cloudflareExport, [
    { type: 'CNAME', name: 'example.com', content: 'pages.example.net', ttl: 1, proxied: true },
    { type: 'A', name: 'www.example.com', content: '198.51.100.4', ttl: 1, proxied: true },
  ]);
  expect(lines).toEqual(['www 300 IN A 198.51.100.4']);
  expect(setAside).toMatchObject([{ record: 'example.com IN CNAME pages.example.net' }]);
  expect(notes).toEqual([
    expect.stringMatching(/^www\.example\.com 300 IN A 198\.51\.100\.4: Cloudflare stood/),
  ]);
});

test('of Cloudflare what works there alone is told', () => {
  const { notes } = read(cloudflareExport, [
    { type: 'MX', name: 'example.com', content: 'route1.mx.cloudflare.net', priority: 5, ttl: 1 },
    { type: 'CNAME', name: 'app.example.com', content: 'f70ff985.cfargotunnel.com', ttl: 1, proxied: true },
    { type: 'MX', name: 'example.com', content: 'mx.example.net', priority: 5, ttl: 1 },
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/^example\.com 300 IN MX 5 route1\.mx\.cloudflare\.net: Cloudflare forwards mail/),
    expect.stringMatching(/^app\.example\.com .*: a tunnel of Cloudflare/),
  ]);
});

test.each([
  [{ type: 'A', name: '@', data: '192.0.2.1', ttl: 1800 }, '@ 1800 IN A 192.0.2.1'],
  [{ type: 'CNAME', name: 'www', data: '@', ttl: 43200 }, 'www 43200 IN CNAME example.com.'],
  [{ type: 'CNAME', name: '*', data: 'web.example.net', ttl: 60 }, '* 60 IN CNAME web.example.net.'],
  [{ type: 'MX', name: '@', data: 'mx.example.com', priority: 10, ttl: 60 }, '@ 60 IN MX 10 mx.example.com.'],
  [
    { type: 'SRV', name: '_sip._tcp', data: 'sip.example.com', priority: 0, port: 5060, weight: 5, ttl: 60 },
    '_sip._tcp 60 IN SRV 0 5 5060 sip.example.com.',
  ],
  [
    { type: 'CAA', name: '@', data: 'letsencrypt.org.', flags: 0, tag: 'issue', ttl: 60 },
    '@ 60 IN CAA 0 issue "letsencrypt.org"',
  ],
  [
    { type: 'CAA', name: '@', data: 'mailto:a@example.com', flags: 128, tag: 'iodef', ttl: 60 },
    '@ 60 IN CAA 128 iodef "mailto:a@example.com"',
  ],
  [{ type: 'TXT', name: 'a', data: 'v=spf1 -all', ttl: 60 }, 'a 60 IN TXT "v=spf1 -all"'],
  [{ type: 'NS', name: 'sub', data: 'ns1.example.net', ttl: 60 }, 'sub 60 IN NS ns1.example.net.'],
])('DigitalOcean: %j', (record, line) => {
  const empty = { id: 28448429, priority: null, port: null, weight: null, flags: null, tag: null };
  const soa = { ...empty, type: 'SOA', name: '@', data: '1800', ttl: 1800 };
  const answer = { domain_records: [soa, { ...empty, ...record }], links: {}, meta: { total: 2 } };
  const { lines, setAside } = read(digitaloceanExport, answer);
  expect([lines, setAside]).toEqual([[line], []]);
});

test.each([
  [
    {
      Name: '\\052.example.com.',
      Type: 'A',
      TTL: 300,
      ResourceRecords: [{ Value: '192.0.2.1' }, { Value: '192.0.2.2' }],
    },
    ['* 300 IN A 192.0.2.1', '* 300 IN A 192.0.2.2'],
  ],
  [
    {
      Name: 'example.com.',
      Type: 'TXT',
      TTL: 60,
      ResourceRecords: [{ Value: '"caf\\303\\251" "say \\"hi\\""' }],
    },
    ['@ 60 IN TXT "caf\\195\\169" "say \\"hi\\""'],
  ],
  [
    {
      Name: 'x.example.com.',
      Type: 'TXT',
      TTL: 60,
      ResourceRecords: [{ Value: '"a\\\\101 \\101"' }],
    },
    ['x 60 IN TXT "a\\\\101 A"'],
  ],
  [
    {
      Name: 'x.example.com.',
      Type: 'HTTPS',
      TTL: 60,
      ResourceRecords: [{ Value: '1 . alpn="h3,h2" ipv4hint=192.0.2.1' }, { Value: '0 www.example.com' }],
    },
    ['x 60 IN HTTPS 1 . alpn=h3,h2 ipv4hint=192.0.2.1', 'x 60 IN HTTPS 0 www.example.com.'],
  ],
  [
    { Name: 'x.example.com.', Type: 'TLSA', TTL: 60, ResourceRecords: [{ Value: '3 1 1 0123abcd' }] },
    ['x 60 IN TLSA 3 1 1 0123ABCD'],
  ],
  [
    {
      Name: 'x.example.com.',
      Type: 'SSHFP',
      TTL: 60,
      ResourceRecords: [{ Value: `4 2 ${'0123abcd'.repeat(8)}` }],
    },
    [`x 60 IN SSHFP 4 2 ${'0123ABCD'.repeat(8)}`],
  ],
  [
    {
      Name: 'x.example.com.',
      Type: 'NAPTR',
      TTL: 60,
      ResourceRecords: [{ Value: '100 50 "u" "E2U+sip" "!^(\\\\+441632960083)$!sip:\\\\1@example.com!" .' }],
    },
    ['x 60 IN NAPTR 100 50 "u" "E2U+sip" "!^(\\\\+441632960083)$!sip:\\\\1@example.com!" .'],
  ],
  [
    { Name: 'x.example.com.', Type: 'SPF', TTL: 60, ResourceRecords: [{ Value: '"v=spf1 -all"' }] },
    ['x 60 IN SPF "v=spf1 -all"'],
  ],
  [
    { Name: 'a\\100b.example.com.', Type: 'MX', TTL: 60, ResourceRecords: [{ Value: '10 mx.example.com' }] },
    ['a\\@b 60 IN MX 10 mx.example.com.'],
  ],
  [
    {
      Name: '_sip._tcp.example.com.',
      Type: 'SRV',
      TTL: 60,
      ResourceRecords: [{ Value: '1 10 5269 x.example.com.' }],
    },
    ['_sip._tcp 60 IN SRV 1 10 5269 x.example.com.'],
  ],
])('Route 53: %j', (set, lines) => {
  const zone = read(route53Export, { ResourceRecordSets: [set] });
  expect([zone.lines, zone.setAside]).toEqual([lines, []]);
});

test('what Route 53 answers by rules of its own is set aside, with what it was', () => {
  const { lines, setAside } = read(route53Export, {
    IsTruncated: true,
    ResourceRecordSets: [
      {
        Name: 'example.com.',
        Type: 'A',
        AliasTarget: {
          HostedZoneId: 'Z2FDTNDATAQYW2',
          DNSName: 'd111111abcdef8.cloudfront.net.',
          EvaluateTargetHealth: false,
        },
      },
      {
        Name: 'w.example.com.',
        Type: 'A',
        SetIdentifier: 'one',
        Weight: 3,
        TTL: 60,
        ResourceRecords: [{ Value: '192.0.2.1' }],
      },
      {
        Name: 'l.example.com.',
        Type: 'A',
        SetIdentifier: 'eu',
        Region: 'eu-west-1',
        TTL: 60,
        ResourceRecords: [{ Value: '192.0.2.1' }],
      },
      {
        Name: 't.example.com.',
        Type: 'TXT',
        TTL: 60,
        TrafficPolicyInstanceId: '5e0f0c6b',
        ResourceRecords: [{ Value: 'This resource record set includes an attribute that is unsupported' }],
      },
      { Name: 'e.example.com.', Type: 'A', TTL: 60, ResourceRecords: [] },
    ],
  });
  expect(lines).toEqual([]);
  expect(setAside.map(({ record }) => record)).toEqual([
    'example.com. IN A ALIAS d111111abcdef8.cloudfront.net.',
    'w.example.com. IN A 192.0.2.1',
    'l.example.com. IN A 192.0.2.1',
    't.example.com. IN TXT This resource record set includes an attribute that is unsupported',
    'e.example.com. IN A',
    'all further record sets',
  ]);
  expect(setAside[1]?.reason).toContain('weighted');
});

test.each([
  [
    'a long DKIM value is cut into strings',
    { type: 'TXT', data: 'x'.repeat(300) },
    `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`,
  ],
  ['a backslash in TXT is itself', { type: 'TXT', data: '"a\\b"' }, '"a\\\\b"'],
  ['text beyond ASCII is UTF-8', { type: 'TXT', data: 'é' }, '"\\195\\169"'],
  ['U-labels become A-labels', { type: 'CNAME', data: 'www.bücher.example' }, 'www.xn--bcher-kva.example.'],
])('%s', (_, record, data) => {
  const zone = buildZone('example.com', [{ name: 'x', ttl: 60, ...record }]);
  expect([linesIn(zone.text), zone.setAside]).toEqual([[`x 60 IN ${record.type} ${data}`], []]);
});

test.each([
  [{ name: '@', type: 'ALIAS', ttl: 60, data: 'x.example' }, 'the record type "ALIAS" is unknown'],
  [{ name: 'a..b', type: 'A', ttl: 60, data: '192.0.2.1' }, 'the name "a..b" has an empty label'],
  [{ name: 'a', type: 'A', ttl: Number.NaN, data: '192.0.2.1' }, 'the TTL "NaN" is not a number of seconds'],
])('what cannot be understood is set aside with the reason: %j', (record, reason) => {
  const zone = buildZone('example.com', [record]);
  expect(zone.setAside).toMatchObject([{ reason }]);
  expect(linesIn(zone.text)).toEqual([]);
});

test.each([
  ['bare', 'bare'],
  ['"quoted"', 'quoted'],
  ['"a" "b"', 'ab'],
  ['"say \\"hi\\""', 'say "hi"'],
  ['"ends in \\"', 'ends in \\'],
  ['', ''],
  ['"', '"'],
])('the text of TXT data %s is %s', (data, text) => {
  expect(readText(data)).toBe(text);
});
