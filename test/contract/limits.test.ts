import { expect, test } from 'vitest';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  freshDomainName,
  postRecord,
} from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

type Limits = Record<string, { limit: number; use: number | null }>;

function limitsOf(reply: { readonly text: string }): Limits {
  return (JSON.parse(reply.text) as { limits: Limits }).limits;
}

test('rule 58: the limits of the account are shown with what it uses', async () => {
  const customer = await createAccount(service);
  const domain = await createDomain(customer);
  await createRecord(customer, domain, {});
  const own = await customer.http.get('/v2/account/limits');
  expect(own.status).toBe(200);
  const limits = limitsOf(own);
  expect(Object.keys(limits)).toEqual([
    'domains',
    'records',
    'records_per_domain',
    'octets',
    'history_octets',
    'outcome_octets',
    'trail_octets',
    'keys',
    'cost_per_minute',
  ]);
  expect(limits).toMatchObject({
    domains: { limit: 100_000, use: 1 },
    records: { limit: 4_000_000, use: 3 },
    records_per_domain: { limit: 2_000_000, use: null },
    keys: { limit: 1000, use: 1 },
  });
  expect(limits['trail_octets'].limit).toBe(64 * 2 ** 20);
  // The account, its key.
  expect(limits['trail_octets'].use).toBeGreaterThan(2 * 160);
  expect((await http.get(`/v2/accounts/${customer.id}/limits`)).text).toBe(own.text);
  expectError(await customer.http.get(`/v2/accounts/${customer.id}/limits`), 403);
  expectError(await http.get('/v2/accounts/nobody/limits'), 404);
});

test('rule 58: an administrator sets limits, and what exceeds them is 403 with both figures', async () => {
  const customer = await createAccount(service);
  const path = `/v2/accounts/${customer.id}/limits`;
  expectError(await customer.http.put(path, { domains: 5 }), 403);
  expectError(await http.put(path, { domains: -1 }), 400);
  expectError(await http.put(path, { domains: 1.5 }), 400);
  // Otherwise it would erase the trail.
  expectError(await http.put(path, { trail_octets: 0 }), 400);
  const plan = await http.put(`${path}?dry_run=true`, { domains: 1 });
  expect(plan.text).toMatch(/^{"dry_run":true,"limits":{"domains":{"limit":1,"use":0}/);
  expect(limitsOf(await http.get(path))['domains'].limit).toBe(100_000);
  expect(limitsOf(await http.put(path, { domains: '1', records: 3 }))).toMatchObject({
    domains: { limit: 1, use: 0 },
    records: { limit: 3 },
    keys: { limit: 1000 },
  });
  const domain = await createDomain(customer);
  for (const query of ['', '?dry_run=true']) {
    const second = await customer.http.post(`/v2/domains${query}`, { domain: freshDomainName() });
    expectError(second, 403);
    expect(second.json).toMatchObject({
      code: 'quota_exceeded',
      error: 'This account would have 2 domains, and its limit is 1',
    });
  }
  const record = await createRecord(customer, domain, {});
  expectError(await postRecord(customer, domain, { name: 'more' }), 403);
  const imported = await customer.http.post(`/v2/domains/${domain}/zonefile`, {
    records: [{ type: 'A', name: 'more', data: '192.0.2.1', ttl: 60 }],
  });
  expectError(imported, 403);
  expect((await customer.http.patch(`/v2/domains/${domain}/records/${record.id}`, { ttl: 60 })).status).toBe(
    204,
  );
  expect((await http.put(path, {})).status).toBe(200);
  await createRecord(customer, domain, { name: 'more' });
});

test('rule 59: expensive requests are 429 when the work of a minute is used up', async () => {
  const [customer, other] = [await createAccount(service), await createAccount(service)];
  await http.put(`/v2/accounts/${customer.id}/limits`, { cost_per_minute: 10 });
  const records = Array.from({ length: 1500 }, (_, at) => ({
    type: 'A',
    name: `n${at}`,
    data: '192.0.2.1',
    ttl: 60,
  }));
  const domain = await createDomain(customer);
  const send = (by: typeof customer, name: string) =>
    by.http.put(`/v2/domains/${name}/zonefile`, { records });
  expect((await send(customer, domain)).status).toBe(200);
  const refused = await send(customer, domain);
  expectError(refused, 429);
  expect(refused.json).toMatchObject({ code: 'cost_exceeded' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  await createRecord(customer, domain, { name: 'small' });
  expect((await send(other, await createDomain(other))).status).toBe(200);
});
