import { expect, test } from 'vitest';
import { createAccount, createDomain, createRecord, expectError, listRecords } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

/** A client with a new key of the service's first account. */
async function keyWith(body: object) {
  const created = await http.post('/v2/keys', body);
  expect(created.status, JSON.stringify(created.json)).toBe(201);
  const { key, id } = created.json.key!;
  return { client: http.withKey(key), id, shown: created.json.key! };
}

/** A domain with records that a key for certificates may and may not touch. */
async function prepareDomain() {
  const domain = await createDomain(service);
  const www = await createRecord(service, domain, { type: 'A', name: 'www', data: '192.0.2.1' });
  const path = `/v2/domains/${domain}/records`;
  return {
    domain,
    www,
    path,
    challenge: { type: 'TXT', name: '_acme-challenge.www', data: 'token', ttl: 60 },
  };
}

test('rule 75: a key for the certificates of a host does just what lego needs', async () => {
  const { domain, www, path, challenge } = await prepareDomain();
  const other = await createDomain(service);
  const { client, shown } = await keyWith({ template: 'certificates', host: `www.${domain}` });
  expect(shown).toMatchObject({
    scope: 'limited',
    rights: [
      {
        may: ['records:read', 'records:create', 'records:update', 'records:delete'],
        domains: [domain],
        names: ['_acme-challenge.www'],
        types: ['TXT'],
      },
      { may: ['domains:read'], domains: [domain] },
    ],
  });
  const domains = await client.get('/v2/domains');
  expect(domains.json.domains!.map(({ domain: name }) => name)).toEqual([domain]);
  expect(domains.json.meta!.total).toBe(1);
  expect((await client.get(path)).json).toMatchObject({ records: [], meta: { total: 0 } });
  const created = await client.post(path, challenge);
  expect(created.status).toBe(201);
  const id = created.json.record!.id;
  expect((await client.get(path)).json.records!.map((record) => record.id)).toEqual([id]);
  expect((await client.patch(`${path}/${id}`, { ttl: 120 })).status).toBe(204);
  expectError(await client.patch(`${path}/${id}`, { name: 'www' }), 403, 'records:update');
  const exported = await client.get(`${path}/export`);
  expect([exported.status, exported.text]).toEqual([
    200,
    `${JSON.stringify({ ...created.json.record, ttl: 120 })}\n`,
  ]);
  expectError(await client.get(`${path}/${www.id}`), 404);
  expectError(await client.patch(`${path}/${www.id}`, { ttl: 120 }), 403, 'records:update');
  expectError(await client.delete(`${path}/${www.id}`), 403, 'records:delete');
  expectError(await client.post(path, { ...challenge, name: 'www' }), 403, 'records:create');
  expectError(await client.post(path, { ...challenge, type: 'A', data: '192.0.2.1' }), 403, 'records:create');
  expectError(await client.post(`/v2/domains/${other}/records`, challenge), 403, 'records:create');
  expectError(await client.get(`/v2/domains/${other}`), 403, 'domains:read');
  expectError(await client.get(`/v2/domains/${other}/records/export`), 403, 'records:read');
  expectError(await client.get(`/v2/domains/${domain}/zonefile`), 403, 'zones:read');
  expectError(await client.get('/v2/records?search=www'), 403, 'records:read');
  expect((await client.delete(`${path}/${id}`)).status).toBe(204);
  expect((await listRecords(service, domain)).map((record) => record.id)).toContain(www.id);
});

test('rule 75: each change of a batch is decided by itself, and a refused one changes nothing', async () => {
  const { domain, www, path, challenge } = await prepareDomain();
  const { client } = await keyWith({ template: 'certificates', host: `www.${domain}` });
  const before = await listRecords(service, domain);
  const batch = `/v2/domains/${domain}/batch`;
  const refusedBatch = await client.post(batch, {
    create: [challenge, { ...challenge, name: 'www' }],
    delete: [www.id],
  });
  expect(refusedBatch.status).toBe(403);
  expect(refusedBatch.json).toMatchObject({
    problems: [
      { list: 'delete', code: 'forbidden' },
      { list: 'create', code: 'forbidden' },
    ],
  });
  expect(await listRecords(service, domain)).toEqual(before);
  expect((await client.post(batch, { create: [challenge] })).status).toBe(200);
  expect((await client.get(path)).json.meta!.total).toBe(1);
});

test('rule 75: pages of a limited key are those of the records that it may read', async () => {
  const domain = await createDomain(service);
  const path = `/v2/domains/${domain}/records`;
  for (let at = 0; at < 6; at++) {
    await createRecord(service, domain, { type: 'A', name: `h${at}.dyn`, data: `192.0.2.${at + 1}` });
    await createRecord(service, domain, { type: 'A', name: `h${at}`, data: `192.0.2.${at + 1}` });
  }
  const { client } = await keyWith({
    rights: [{ may: ['records:read'], domains: [domain], names: ['**.dyn', 'h1'], types: ['A', 'AAAA'] }],
  });
  const first = await client.get(`${path}?per_page=5`);
  const second = await client.get(`${path}?per_page=5&cursor=${first.json.meta!.links.next}`);
  const names = [...first.json.records!, ...second.json.records!].map(({ name }) => name);
  expect(names.sort()).toEqual(['h0.dyn', 'h1', 'h1.dyn', 'h2.dyn', 'h3.dyn', 'h4.dyn', 'h5.dyn']);
  expect(second.json.meta).toMatchObject({ total: 7, links: { next: '' } });
  const searched = await client.get(`${path}?search=h2`);
  expect(searched.json.records!.map(({ name }) => name)).toEqual(['h2.dyn']);
});

test('rule 75: a key for domains of its own creates and deletes those alone', async () => {
  const { client } = await keyWith({
    rights: [
      {
        may: ['domains:create', 'domains:read', 'domains:delete'],
        domains: ['mine.example', 'also.example'],
      },
    ],
  });
  expect((await client.post('/v2/domains', { domain: 'mine.example' })).status).toBe(201);
  expectError(await client.post('/v2/domains', { domain: 'other.example' }), 403, 'domains:create');
  expectError(
    await client.put('/v2/domains/also.example/zonefile?create=true', { records: [] }),
    403,
    'zones:write',
  );
  expect((await client.get('/v2/domains')).json.domains!.map(({ domain }) => domain)).toEqual([
    'mine.example',
  ]);
  expect((await client.delete('/v2/domains/mine.example')).status).toBe(204);
});

test('rule 76: a key is refused from other networks and when it has expired, and says why', async () => {
  const far = await keyWith({ scope: 'read', networks: ['192.0.2.0/24', '2001:db8::/32'] });
  expectError(await far.client.get('/v2/domains'), 403, 'cannot be used from');
  const near = await keyWith({ scope: 'read', networks: ['127.0.0.0/8', '::1'] });
  const reply = await near.client.get('/v2/domains');
  expect(reply.status, JSON.stringify(reply.json)).toBe(200);
  const soon = new Date(Date.now() + 2000);
  const brief = await keyWith({ scope: 'read', date_expires: soon.toISOString() });
  expect((await brief.client.get('/v2/domains')).status).toBe(200);
  await expect
    .poll(async () => (await brief.client.get('/v2/domains')).status, { timeout: 10_000 })
    .toBe(403);
  expectError(await brief.client.get('/v2/domains'), 403, 'has expired');
});

test.each([
  [{ scope: 'full', rights: [{ may: ['records:read'] }] }, 'scope'],
  [{ scope: 'limited' }, 'rights'],
  [{ rights: [] }, 'rights'],
  [{ rights: [{ may: ['records:read'] }], template: 'metrics' }, 'template'],
  [{ rights: [{ domains: ['example.com'] }] }, 'may'],
  [{ template: 'certificates' }, 'host'],
  [{ template: 'certificates', host: 'www.not-here.example' }, 'host'],
  [{ template: 'metrics', host: 'www.example.com' }, 'host'],
  [{ networks: ['192.0.2.1/24'] }, 'networks'],
  [{ date_expires: 'tomorrow' }, 'date_expires'],
  [{ date_expires: '2020-01-01T00:00:00Z' }, 'date_expires'],
])('rules 75, 76: %j is 400 and names the member at fault', async (body, field) => {
  const reply = await http.post('/v2/keys', body);
  expectError(reply, 400);
  expect(reply.json.field).toContain(field);
});

test('rule 75: a key never makes a key that can do more than itself', async () => {
  const keys = { may: ['keys:write', 'keys:read'] };
  const reading = { may: ['records:read'], domains: ['example.com'] };
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const limits = { networks: ['127.0.0.0/8', '::1'], date_expires: expires };
  const { client } = await keyWith({ rights: [keys, reading], ...limits });
  for (const body of [
    {},
    { scope: 'read' },
    { rights: [{ may: ['records:read'] }] },
    { rights: [{ ...reading, may: ['records:create'] }] },
    { rights: [reading], networks: ['0.0.0.0/0'] },
    { rights: [reading], date_expires: new Date(Date.now() + 7_200_000).toISOString() },
  ])
    expectError(await client.post('/v2/keys', body), 403);
  const made = await client.post('/v2/keys', { rights: [{ ...reading, types: ['A'] }] });
  expect(made.json.key).toMatchObject({ networks: limits.networks });
  expect(Date.parse(made.json.key!.date_expires!)).toBe(Math.floor(Date.parse(expires) / 1000) * 1000);
  const stranger = await createAccount(service);
  expectError(await client.get(`/v2/keys?account=${stranger.id}`), 403, 'accounts:');
  expectError(await client.post('/v2/keys', { account: stranger.id, rights: [reading] }), 403, 'accounts:');
});

test('rule 75: a key with keys:write revokes keys of its own account alone', async () => {
  const owner = await createAccount(service);
  const made = await http.post('/v2/keys', {
    account: owner.id,
    rights: [{ may: ['keys:write', 'keys:read'] }],
  });
  const client = http.withKey(made.json.key!.key);
  const foreign = await keyWith({ scope: 'read' });
  expectError(await client.delete(`/v2/keys/${foreign.id}`), 404);
  expect((await foreign.client.get('/v2/domains')).status).toBe(200);
  const own = await http.post('/v2/keys', { account: owner.id, scope: 'read' });
  expect((await client.delete(`/v2/keys/${own.json.key!.id}`)).status).toBe(204);
});

test('rule 75: the template for metrics reads /metrics and nothing else', async () => {
  const { client } = await keyWith({ template: 'metrics' });
  expect((await client.get('/metrics')).status).toBe(200);
  expectError(await client.get('/v2/domains'), 403, 'domains:read');
  expectError(await client.get('/v2/account'), 403, 'account:read');
});

test('rule 75: a key is rotated with its rights, and the former one ends after the overlap', async () => {
  const { client, id, shown } = await keyWith({
    scope: 'read',
    label: 'monitor',
    networks: ['127.0.0.0/8', '::1'],
  });
  const planned = await http.post(`/v2/keys/${id}/rotate?dry_run=true`, undefined);
  expect(planned.json).toMatchObject({ dry_run: true, key: { scope: 'read', label: 'monitor' } });
  const rotated = await http.post(`/v2/keys/${id}/rotate`, { overlap: 3600 });
  expect(rotated.status).toBe(201);
  expect(rotated.json.key).toMatchObject({
    scope: 'read',
    label: 'monitor',
    networks: ['127.0.0.0/8', '::1'],
  });
  expect(rotated.json.key!.key).not.toBe(shown.key);
  expect((await client.get('/v2/domains')).status).toBe(200);
  const { keys } = (await http.get('/v2/keys?per_page=500')).json;
  const former = keys!.find((key) => key.id === id) as { date_expires?: string } | undefined;
  expect(former?.date_expires).toBe(
    new Date(Date.parse((rotated.json.key as { date_created?: string }).date_created!) + 3_600_000)
      .toISOString()
      .replace('.000Z', '+00:00'),
  );
  const again = await http.post(`/v2/keys/${id}/rotate`, {});
  expect(again.status).toBe(201);
  expectError(await client.get('/v2/domains'), 403);
  expect((await http.withKey(again.json.key!.key).get('/v2/domains')).status).toBe(200);
  expectError(await http.post(`/v2/keys/${id}/rotate`, {}), 404);
});

test.each([-1, 2_592_001, 1.5, 'soon', ''])('rule 75: an overlap of %j is 400', async (overlap) => {
  const { id, client } = await keyWith({ scope: 'read' });
  expectError(await http.post(`/v2/keys/${id}/rotate`, { overlap }), 400);
  expect((await client.get('/v2/domains')).status).toBe(200);
});

test('rule 75: a key is rotated by its own account alone, and never by a key that can do less', async () => {
  const owner = await createAccount(service);
  const made = await http.post('/v2/keys', {
    account: owner.id,
    rights: [{ may: ['keys:write', 'records:read'] }],
  });
  const client = http.withKey(made.json.key!.key);
  const foreign = await keyWith({ scope: 'read' });
  expectError(await client.post(`/v2/keys/${foreign.id}/rotate`, {}), 404);
  const stronger = await http.post('/v2/keys', { account: owner.id, scope: 'full' });
  expectError(await client.post(`/v2/keys/${stronger.json.key!.id}/rotate`, {}), 403, 'rights');
  expect((await http.withKey(stronger.json.key!.key).get('/v2/domains')).status).toBe(200);
});
