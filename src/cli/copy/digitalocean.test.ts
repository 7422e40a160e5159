import { expect, test } from 'vitest';
import { digitaloceanExport } from './digitalocean.ts';
import { readExport } from './json-export.test-support.ts';

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
  const { lines, skipped } = readExport(digitaloceanExport, answer);
  expect([lines, skipped]).toEqual([[line], []]);
});
