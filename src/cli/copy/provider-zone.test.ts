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
    'k._domainkey 300 IN TXT "v=DKIM1; k=rsa; p=AAAABBBB"',
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
    ],
  });
  expect(lines).toEqual([]);
  expect(setAside.map(({ record }) => record)).toEqual([
    'example.com. IN A ALIAS d111111abcdef8.cloudfront.net.',
    'w.example.com. IN A 192.0.2.1',
    'l.example.com. IN A 192.0.2.1',
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
