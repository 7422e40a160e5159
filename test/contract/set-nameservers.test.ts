import { expect, test } from 'vitest';
import { createAccount, createDomain, createRecord } from '../harness/fixtures.ts';
import type { HttpReply } from '../harness/http-client.ts';
import { serviceNameservers, startForFile } from '../harness/service.ts';

const service = await startForFile();
const { dns } = service;
const [first, second] = serviceNameservers;
const PLACEHOLDER = 'ns1.zonewright.invalid';
const ROUTE = '/v2/nameservers';

interface Row {
  readonly domain: string;
  readonly changed: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly nsprimary: { readonly before: string | null; readonly after: string } | null;
  readonly code: string | null;
  readonly reason: string | null;
}

interface Page {
  readonly dry_run?: true;
  readonly domains: readonly Row[];
  readonly meta: { readonly total: number; readonly links: { readonly next: string; readonly prev: string } };
}

function pageOf(reply: HttpReply): Page {
  expect(reply.status, reply.text).toBe(200);
  return JSON.parse(reply.text) as Page;
}

/** A domain with these apex NS records only. */
async function domainWith(owner: Parameters<typeof createDomain>[0], ...hosts: string[]): Promise<string> {
  const domain = await createDomain(owner);
  const zone = hosts.map((host) => `@ 300 IN NS ${host}.\n`).join('');
  const path = `/v2/domains/${domain}/zonefile`;
  for (const host of hosts) await createRecord(owner, domain, { name: '', type: 'NS', data: host });
  expect((await owner.http.put(path, zone)).status).toBe(200);
  return domain;
}

test('rule 60: the placeholder is replaced by the nameservers of the service, and other names stay', async () => {
  const { http } = service;
  const domain = await domainWith(service, PLACEHOLDER, 'ns.secondary.example');
  await http.patch(`/v2/domains/${domain}/soa`, { nsprimary: PLACEHOLDER });
  const usual = await createDomain(service);
  const sent = { domains: [domain, usual] };
  const changed = {
    domain,
    changed: true,
    before: expect.arrayContaining([PLACEHOLDER, 'ns.secondary.example']) as unknown,
    after: ['ns.secondary.example', first, second],
    nsprimary: { before: PLACEHOLDER, after: first },
    code: null,
    reason: null,
  };
  const left = { changed: false, before: [first, second], after: [first, second], code: null };

  const plan = pageOf(await http.put(`${ROUTE}?dry_run=true`, sent));
  expect(plan).toMatchObject({ dry_run: true, domains: [changed, { domain: usual, ...left }] });
  expect((await dns.look(domain, 'NS')).includes(PLACEHOLDER)).toBe(true);

  const note = { headers: { 'x-change-note': 'moved' } };
  const done = pageOf(await http.put(ROUTE, sent, note));
  expect(done).toEqual({
    domains: [
      changed,
      { domain: usual, ...left, nsprimary: null, reason: 'It names none of the former nameservers' },
    ],
    meta: { total: 2, links: { next: '', prev: '' } },
  });
  expect(await dns.look(domain, 'NS')).toEqual([first, second, 'ns.secondary.example'].sort());
  const soa = await http.get(`/v2/domains/${domain}/soa`);
  expect(soa.json.dns_soa?.nsprimary).toBe(first);
  const changes = await http.get(`/v2/domains/${domain}/changes`);
  expect(changes.text).toContain('"note":"moved"');

  const again = pageOf(await http.put(ROUTE, sent));
  expect(again.domains.map((row) => row.changed)).toEqual([false, false]);
});

test('rule 60: names of the caller count as former, * stands for every name, and the new names can be given', async () => {
  const { http } = service;
  const domain = await domainWith(service, 'ns1.old.example', 'ns.secondary.example');
  const to = ['NS9.new.example.'];
  const some = pageOf(await http.put(ROUTE, { from: ['NS1.old.example.'], to, domains: [domain] }));
  expect(some.domains[0].after).toEqual(['ns.secondary.example', 'ns9.new.example']);
  const all = pageOf(await http.put(ROUTE, { from: ['*'], to, domains: [domain] }));
  expect(all.domains[0].after).toEqual(['ns9.new.example']);
  expect(await dns.look(domain, 'NS')).toEqual(['ns9.new.example']);
});

test('rule 60: all domains of the account are changed in pages, each by itself', async () => {
  const owner = await createAccount(service);
  const names: string[] = [];
  for (let count = 0; count < 3; count++) names.push(await domainWith(owner, PLACEHOLDER));
  names.sort();
  const untouched = await domainWith(service, PLACEHOLDER);
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = pageOf(await owner.http.put(`${ROUTE}?per_page=2&cursor=${cursor}`, undefined));
    expect(page.meta.total).toBe(3);
    seen.push(...page.domains.filter(({ changed }) => changed).map(({ domain }) => domain));
    cursor = page.meta.links.next;
  } while (cursor !== '');
  expect(seen).toEqual(names);
  expect(await dns.look(untouched, 'NS')).toEqual([PLACEHOLDER]);
});

test('rule 60: a domain that cannot be changed is in the answer, and the others are changed', async () => {
  const { http } = service;
  const domain = await domainWith(service, PLACEHOLDER);
  const foreign = await createDomain(await createAccount(service));
  const { domains } = pageOf(await http.put(ROUTE, { domains: [domain, foreign] }));
  expect(domains.find((row) => row.domain === domain)).toMatchObject({ changed: true, code: null });
  expect(domains.find((row) => row.domain === foreign)).toMatchObject({
    changed: false,
    code: 'unknown_domain',
  });
});

test.each([
  [{ to: [] }, 'to'],
  [{ to: ['a b'] }, 'to'],
  [{ from: ['-..'] }, 'from'],
  [{ from: 'ns1.old.example' }, 'from'],
  [{ to: Array.from({ length: 14 }, (_, at) => `ns${at}.example.net`) }, 'to'],
  [{ domains: Array.from({ length: 101 }, (_, at) => `d${at}.example`) }, 'domains'],
])('rule 60: %j is refused', async (sent, field) => {
  const reply = await service.http.put(ROUTE, sent);
  expect([reply.status, reply.json.field]).toEqual([400, field]);
});

test('rule 60: preconditions of one domain are refused', async () => {
  const reply = await service.http.put(ROUTE, {}, { headers: { 'if-match': '*' } });
  expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
});
