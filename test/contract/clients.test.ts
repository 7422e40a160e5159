import { expect, test } from 'vitest';
import { createDomain, freshDomainName, listOwnRecords } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

/*
 * Table C: what each client sends on create, byte for byte. A default TTL is configured, which the clients that omit the TTL
 * require.
 */

const service = await startForFile({ ZONEWRIGHT_DEFAULT_TTL: '300' });
const { http, dns } = service;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

interface Row {
  readonly client: string;
  readonly body: (domain: string) => Record<string, unknown>;
  readonly owner: string;
  readonly type: string;
  readonly served: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

const rows: Row[] = [
  {
    client: 'terraform',
    owner: '',
    type: 'A',
    served: '192.0.2.1',
    body: () => ({ name: '', type: 'A', data: '192.0.2.1', ttl: 300, priority: 0 }),
  },
  {
    client: 'terraform',
    owner: '',
    type: 'MX',
    served: '10 mail.example',
    body: () => ({ name: '', type: 'MX', data: 'mail.example', ttl: 3600, priority: 10 }),
  },
  {
    client: 'terraform',
    owner: '',
    type: 'TXT',
    served: 'as written',
    body: () => ({ name: '', type: 'TXT', data: 'as written', ttl: 300, priority: 0 }),
  },
  {
    client: 'lego',
    owner: '_acme-challenge',
    type: 'TXT',
    served: 'w6uP8Tcg6K2QR905Rms8iXTlksL6OD1KOWBxTK7wxPI',
    body: () => ({
      name: '_acme-challenge',
      type: 'TXT',
      data: '"w6uP8Tcg6K2QR905Rms8iXTlksL6OD1KOWBxTK7wxPI"',
      ttl: 120,
      priority: 0,
    }),
  },
  {
    client: 'lexicon',
    owner: 'a.b',
    type: 'CNAME',
    served: 'target.example',
    body: () => ({ type: 'CNAME', name: 'a.b', data: 'target.example', ttl: 3600, priority: 0 }),
  },
  {
    client: 'dnscontrol',
    owner: '',
    type: 'SRV',
    served: '10 20 5060 sip.example',
    body: () => ({ type: 'SRV', name: '', data: '20 5060 sip.example', ttl: 300, priority: 10 }),
  },
  {
    client: 'dnscontrol',
    owner: '',
    type: 'CAA',
    served: '0005697373756563612e6578616d706c65',
    body: () => ({ type: 'CAA', name: '', data: '0 issue "ca.example"', ttl: 300, priority: 0 }),
  },
  {
    client: 'external-dns',
    owner: '',
    type: 'A',
    served: '192.0.2.2',
    body: (domain) => ({ name: domain, type: 'A', data: '192.0.2.2', ttl: 3600 }),
  },
  {
    client: 'external-dns',
    owner: 'app',
    type: 'TXT',
    served: 'heritage=external-dns,external-dns/owner=default',
    body: (domain) => ({
      name: `app.${domain}`,
      type: 'TXT',
      data: '"heritage=external-dns,external-dns/owner=default"',
      ttl: 3600,
    }),
  },
  {
    client: 'libdns/Caddy',
    owner: '',
    type: 'TXT',
    served: 'bare token',
    body: () => ({ type: 'TXT', name: '@', data: 'bare token', priority: 0 }),
  },
  {
    client: 'acme.sh',
    owner: '_acme-challenge.www',
    type: 'TXT',
    served: 'XKrxpRBosdIKFzxW_CT3KLZNf6q0HG9i01zxXp5CPBs',
    headers: FORM,
    body: () => ({
      name: '_acme-challenge.www',
      data: 'XKrxpRBosdIKFzxW_CT3KLZNf6q0HG9i01zxXp5CPBs',
      type: 'TXT',
    }),
  },
  {
    client: 'ansible',
    owner: '',
    type: 'TXT',
    served: 'as written',
    headers: FORM,
    body: () => ({ name: '', type: 'TXT', data: 'as written', ttl: 300, priority: null }),
  },
  {
    client: 'libcloud',
    owner: '',
    type: 'A',
    served: '192.0.2.3',
    query: '?per_page=500',
    body: () => ({ name: '', data: '192.0.2.3', type: 'A' }),
  },
  {
    client: 'libcloud',
    owner: 'www',
    type: 'MX',
    served: '10 mail.example',
    query: '?per_page=500',
    body: () => ({ name: 'www', data: 'mail.example', type: 'MX', ttl: 600, priority: 10 }),
  },
  {
    client: 'vultr-node',
    owner: '',
    type: 'A',
    served: '192.0.2.4',
    body: (domain) => ({ 'dns-domain': domain, name: '', type: 'A', data: '192.0.2.4', ttl: '3600' }),
  },
  {
    client: 'vultr-node',
    owner: 'www',
    type: 'AAAA',
    served: '2001:db8::4',
    body: (domain) => ({ 'dns-domain': domain, name: 'www', type: 'AAAA', data: '2001:db8::4', ttl: 3600 }),
  },
  {
    client: 'octodns',
    owner: '',
    type: 'MX',
    served: '0 mail.example',
    body: () => ({ name: '@', type: 'MX', data: 'mail.example.', ttl: 3600 }),
  },
  {
    client: 'octodns',
    owner: 'alias',
    type: 'CNAME',
    served: 'target.example',
    body: () => ({ name: 'alias', type: 'CNAME', data: 'target.example.', ttl: 3600 }),
  },
  {
    client: 'ddns-updater',
    owner: '',
    type: 'A',
    served: '192.0.2.5',
    body: () => ({ name: '@', type: 'A', data: '192.0.2.5' }),
  },
];

test.each(rows)('table C: $client creates $type at "$owner"', async (row) => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/records${row.query ?? ''}`;
  const body = JSON.stringify(row.body(domain));
  const created = await http.request('POST', path, body, {
    headers: row.headers ?? { 'content-type': 'application/json' },
  });
  expect(created.status, created.text).toBe(201);
  const { id, name, type } = created.json.record!;
  expect([name, type]).toEqual([row.owner, row.type]);
  expect(await dns.look(row.owner === '' ? domain : `${row.owner}.${domain}`, row.type)).toEqual([
    row.served,
  ]);
  expect((await listOwnRecords(service, domain)).map((record) => record.id)).toEqual([id]);

  const repeated = await http.request('POST', path, body, { headers: row.headers ?? {} });
  expect([repeated.status, repeated.text]).toEqual([200, created.text]);
  expect((await http.delete(`/v2/domains/${domain}/records/${id}${row.query ?? ''}`)).status).toBe(204);
});

test.each([
  ['ansible', { headers: FORM }, (domain: string) => ({ domain, ip: null })],
  ['terraform', {}, (domain: string) => ({ domain, ip: '192.0.2.1', dns_sec: 'disabled' })],
  ['libcloud', {}, (domain: string) => ({ domain, ip: '0.0.0.0' })],
  ['vultr-node', {}, (domain: string) => ({ domain, ip: '192.0.2.1' })],
  ['govultr', {}, (domain: string) => ({ domain, ip: '' })],
])('table C: %s creates a domain', async (_, options, body) => {
  const domain = freshDomainName();
  const created = await http.post('/v2/domains', JSON.stringify(body(domain)), options);
  expect(created.status, created.text).toBe(201);
  expect(await dns.look(domain, 'SOA')).not.toBe('REFUSED');
});

test('table C: acme.sh finds the id of its record in the list', async () => {
  const domain = await createDomain(service);
  const value = 'XKrxpRBosdXKFzxW_CT3KLZNf6q0HG9j01zxXp5CPBs';
  const record = { name: '_acme-challenge', data: value, type: 'TXT' };
  const created = await http.post(`/v2/domains/${domain}/records`, record);
  const { text } = await http.get(`/v2/domains/${domain}/records`);
  const lines = text.split(/[{}]/).filter((line) => line.includes('"TXT"') && line.includes(value));
  const fields = lines.flatMap((line) => line.split(',')).filter((field) => /id/i.test(field));
  expect(fields.map((field) => field.split(':')[1].replaceAll('"', ''))).toEqual([created.json.record!.id]);
  expect((await http.get('/v2/domains')).text).toContain(`"domain":"${domain}"`);
});

test('table C: a client that reads pages until next is "" terminates', async () => {
  const domain = await createDomain(service);
  for (let i = 0; i < 7; i++) {
    await http.post(`/v2/domains/${domain}/records`, {
      type: 'A',
      name: `n${i}`,
      data: '192.0.2.1',
      ttl: 60,
    });
  }
  let cursor = '';
  let seen = 0;
  for (let page = 0; page < 20; page++) {
    const { json } = await http.get(
      `/v2/domains/${domain}/records?per_page=2&cursor=${cursor}`.replace(/&cursor=$/, ''),
    );
    seen += json.records!.length;
    cursor = json.meta!.links.next;
    if (cursor === '') break;
  }
  expect([cursor, seen]).toEqual(['', 9]);
});
