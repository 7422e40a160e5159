import { expect, test } from 'vitest';
import { createAccount, createDomain, expectError, freshDomainName } from '../harness/fixtures.ts';
import { serviceNameservers, startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

const [, ...parentLabels] = serviceNameservers[0].split('.');
const reserved = [
  serviceNameservers[0],
  parentLabels.join('.'),
  'x.onion',
  'a.home.arpa',
  '1.2.in-addr.arpa',
];

test.each(reserved)('rule 55: only an administrator creates %s', async (domain) => {
  const customer = await createAccount(service);
  for (const query of ['', '?dry_run=true']) {
    const reply = await customer.http.post(`/v2/domains${query}`, { domain });
    expectError(reply, 403);
    expect(reply.json).toMatchObject({ code: 'name_reserved', field: 'domain' });
    expect(reply.json.error).toContain(domain);
  }
  const imported = await customer.http.put(`/v2/domains/${domain}/zonefile?create=true`, { records: [] });
  expectError(imported, 403);
  expect(imported.json).toMatchObject({ code: 'name_reserved' });
  expect((await http.post('/v2/domains', { domain })).status).toBe(201);
});

test('rule 55: documentation names and reverse zones of one network are free', async () => {
  const customer = await createAccount(service);
  for (const domain of ['free.test', 'free.example', '3.2.192.in-addr.arpa', '1.168.192.in-addr.arpa']) {
    expect((await customer.http.post('/v2/domains', { domain })).status, domain).toBe(201);
  }
});

test('rule 56: a domain above or below a domain of another account is 409', async () => {
  const [customer, stranger] = [await createAccount(service), await createAccount(service)];
  const parent = freshDomainName();
  await createDomain(customer, `a.${parent}`);
  for (const domain of [parent, `b.a.${parent}`]) {
    const reply = await stranger.http.post('/v2/domains', { domain });
    expectError(reply, 409);
    expect(reply.json).toMatchObject({ code: 'domain_taken' });
  }
  await createDomain(customer, parent);
});

test('rule 57: a deleted domain is kept for its account; an administrator may take it', async () => {
  const [customer, stranger] = [await createAccount(service), await createAccount(service)];
  const domain = await createDomain(customer);
  await customer.http.delete(`/v2/domains/${domain}`);
  const refused = await stranger.http.post('/v2/domains', { domain });
  expectError(refused, 409);
  expect(refused.json).toMatchObject({ code: 'domain_held' });
  expect(refused.json.error).not.toContain(customer.id);
  expectError(await stranger.http.put(`/v2/domains/${domain}/zonefile?create=true`, { records: [] }), 409);
  expect((await customer.http.post(`/v2/domains/${domain}/restore`, {})).status).toBe(200);
  await customer.http.delete(`/v2/domains/${domain}`);
  expect((await http.post('/v2/domains', { domain })).status).toBe(201);
  expectError(await customer.http.post(`/v2/domains/${domain}/restore`, {}), 409);
});
