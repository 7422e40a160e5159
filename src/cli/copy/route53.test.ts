import { expect, test } from 'vitest';
import { route53Export } from './route53.ts';
import { readExport } from './json-export.test-support.ts';

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
  const zone = readExport(route53Export, { ResourceRecordSets: [set] });
  expect([zone.lines, zone.skipped]).toEqual([lines, []]);
});

test("record sets with Route 53's own rules are skipped with the reason", () => {
  const { lines, skipped } = readExport(route53Export, {
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
  expect(skipped.map(({ record }) => record)).toEqual([
    'example.com. IN A ALIAS d111111abcdef8.cloudfront.net.',
    'w.example.com. IN A 192.0.2.1',
    'l.example.com. IN A 192.0.2.1',
    't.example.com. IN TXT This resource record set includes an attribute that is unsupported',
    'e.example.com. IN A',
  ]);
  expect(skipped[1]?.reason).toContain('weighted');
});
