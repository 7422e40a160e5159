import { expect, test } from 'vitest';
import { isPersonal } from '../../src/contract/endpoint.ts';
import { endpoints } from '../../src/contract/endpoints.ts';
import { keyChecksum, newApiKey } from '../harness/api-key.ts';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  freshDomainName,
  listRecords,
  postRecord,
} from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;

test.each([
  ['no Authorization header', {}],
  ['an empty one', { authorization: '' }],
  ['no key after Bearer', { authorization: 'Bearer' }],
  ['another scheme', { authorization: `Basic ${Buffer.from(`x:${service.key}`).toString('base64')}` }],
  ['the key without a scheme', { authorization: service.key }],
  ['a word that is not a key', { authorization: 'Bearer nonsense' }],
  ['a well-formed key that nobody has', { authorization: `Bearer ${newApiKey()}` }],
  ['a key cut short', { authorization: `Bearer ${service.key.slice(0, -1)}` }],
  ['a key with a suffix', { authorization: `Bearer ${service.key}0` }],
  ['a key in upper case', { authorization: `Bearer ${service.key.toUpperCase()}` }],
  ['a very long key', { authorization: `Bearer zw_${'a'.repeat(4000)}` }],
  ['the key in another header', { 'x-api-key': service.key }],
])('part A: a missing or invalid key is 403: %s', async (_, headers) => {
  expectError(await http.get('/v2/domains', { key: null, headers }), 403);
});

test.each([
  ['GET', '/v2/domains?per_page=x', undefined],
  ['GET', '/v2/domains/unknown.example', undefined],
  ['GET', '/v2/domains/..', undefined],
  ['POST', '/v2/domains', '{"domain":'],
  ['POST', '/v2/domains', ''],
  ['POST', '/v2/domains', { domain: 'bad..name' }],
  ['POST', '/v2/domains', Buffer.alloc(2 * 1024 * 1024, 0x20)],
  ['POST', '/v2/domains/unknown.example/records', Buffer.alloc(100_000, 0x20)],
  ['PATCH', '/v2/domains', { domain: 'example.com' }],
  ['DELETE', '/v2/domains/unknown.example/records/1', undefined],
  ['GET', '/v2/nowhere', undefined],
  ['GET', '/v2/account', undefined],
  ['POST', '/v2/accounts', { name: 'x', email: 'x@example.com' }],
  ['GET', '/v2/keys', undefined],
])('part A: the key is checked before anything else: %s %s', async (method, path, body) => {
  expectError(await http.request(method, path, body, { key: null }), 403);
  expectError(await http.request(method, path, body, { key: newApiKey() }), 403);
});

test('part A: a refused key changes nothing', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, {});
  const before = await listRecords(service, domain);
  const key = newApiKey();
  await http.post(
    `/v2/domains/${domain}/records`,
    { type: 'A', name: 'x', data: '192.0.2.9', ttl: 60 },
    { key },
  );
  await http.delete(`/v2/domains/${domain}/records/${record.id}`, { key });
  await http.delete(`/v2/domains/${domain}`, { key });
  expect(await listRecords(service, domain)).toEqual(before);
  expect(await service.dns.look(`x.${domain}`, 'A')).toBe('NXDOMAIN');
});

test('part A: the case of the Authorization scheme is ignored', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const reply = await http.get('/v2/domains', {
      key: null,
      headers: { authorization: `${scheme} ${service.key}` },
    });
    expect(reply.status, scheme).toBe(200);
  }
});

test('rule 8: a key of scope read can read, and is 403 on every write', async () => {
  const owner = await createAccount(service);
  const domain = await createDomain(owner);
  const record = await createRecord(owner, domain, {});
  const created = await http.post('/v2/keys', { label: 'monitoring', scope: 'read', account: owner.id });
  expect(created.status, created.text).toBe(201);
  expect(created.json.key!.scope).toBe('read');
  const reader = http.withKey(created.json.key!.key);
  const before = await listRecords(owner, domain);

  expectError(await reader.post('/v2/domains', { domain: freshDomainName() }), 403);
  expectError(await reader.delete(`/v2/domains/${domain}`), 403);
  expectError(await reader.put(`/v2/domains/${domain}`, { dns_sec: 'disabled' }), 403);
  expectError(await reader.patch(`/v2/domains/${domain}/soa`, { email: 'x@example.com' }), 403);
  expectError(await postRecord({ http: reader }, domain, { name: 'x' }), 403);
  expectError(await reader.patch(`/v2/domains/${domain}/records/${record.id}`, { ttl: 60 }), 403);
  expectError(await reader.delete(`/v2/domains/${domain}/records/${record.id}`), 403);
  expect(await listRecords({ http: reader }, domain)).toEqual(before);
});

const misshapen: readonly [string, { query?: string; body?: unknown; headers?: Record<string, string> }][] = [
  ['a body that is not JSON', { body: '{' }],
  ['no body', {}],
  ['a body too large', { body: Buffer.alloc(2 * 1024 * 1024, 0x20) }],
  ['a malformed dry_run', { query: '?dry_run=perhaps', body: {} }],
  ['a malformed If-Match', { headers: { 'if-match': 'x' }, body: {} }],
  ['a malformed X-Change-Note', { headers: { 'x-change-note': 'x'.repeat(501) }, body: {} }],
  ['a malformed Idempotency-Key', { headers: { 'idempotency-key': 'a b' }, body: {} }],
  ['a malformed page', { query: '?per_page=x&cursor=x' }],
];

test.each(misshapen)('rule 8: the scope is checked before the rest of the request: %s', async (_, sent) => {
  const owner = await createAccount(service);
  const created = await http.post('/v2/keys', { scope: 'read', account: owner.id });
  const reader = http.withKey(created.json.key!.key);
  const { query = '', body, headers = {} } = sent;
  for (const { method, path, group } of endpoints.filter((endpoint) => !isPersonal(endpoint))) {
    const isManaging = ['Accounts and keys', 'Users and sessions'].includes(group);
    const scope = isManaging ? 'admin' : method === 'GET' ? 'read' : 'full';
    const url = path.replace('{domain}', 'unknown.example').replace('{id}', 'x') + query;
    const keys = { read: [], full: [reader], admin: [reader, owner.http] }[scope];
    for (const client of keys) {
      const reply = await client.request(method, url, method === 'GET' ? undefined : body, { headers });
      expectError(reply, 403, 'lacks the permission');
    }
  }
});

test('rule 54: accounts and keys can be managed with an admin key only', async () => {
  const account = await createAccount(service);
  expectError(await account.http.post('/v2/accounts', { name: 'x', email: 'x@example.com' }), 403);
  expectError(await account.http.get('/v2/accounts'), 403);
  for (const scope of ['admin', 'full', 'read'])
    expectError(await account.http.post('/v2/keys', { scope }), 403);
});

test('rule 8: a domain of another account looks like an unknown domain in every resource', async () => {
  const domain = await createDomain(service);
  const record = await createRecord(service, domain, {});
  const unknown = freshDomainName();
  const stranger = await createAccount(service);
  const requests: [string, string, object?][] = [
    ['GET', ''],
    ['PUT', '', { dns_sec: 'disabled' }],
    ['PATCH', '', { dns_sec: 'disabled' }],
    ['DELETE', ''],
    ['GET', '/soa'],
    ['PATCH', '/soa', { email: 'x@example.com' }],
    ['GET', '/dnssec'],
    ['GET', '/records'],
    ['POST', '/records', { type: 'A', name: 'x', data: '192.0.2.9', ttl: 60 }],
    ['GET', `/records/${record.id}`],
    ['PATCH', `/records/${record.id}`, { ttl: 60 }],
    ['DELETE', `/records/${record.id}`],
  ];
  const before = await listRecords(service, domain);
  for (const [method, path, body] of requests) {
    const foreign = await stranger.http.request(method, `/v2/domains/${domain}${path}`, body);
    const missing = await stranger.http.request(method, `/v2/domains/${unknown}${path}`, body);
    expectError(foreign, 404, /^Invalid domain/);
    expect(foreign.text.replaceAll(domain, '?')).toBe(missing.text.replaceAll(unknown, '?'));
    expect(Object.keys(foreign.headers)).toEqual(Object.keys(missing.headers));
  }
  expect(await listRecords(service, domain)).toEqual(before);
  const list = await stranger.http.get('/v2/domains');
  expect(list.json).toEqual({ domains: [], meta: { total: 0, links: { next: '', prev: '' } } });
});

test('rule 54: a new key is well-formed, works immediately, is never shown again and is refused after its revocation', async () => {
  const account = await createAccount(service);
  const created = await http.post('/v2/keys', { label: 'ci', account: account.id });
  expect(created.status, created.text).toBe(201);
  const { id, key } = created.json.key!;
  expect(key).toMatch(/^zw_[0-9A-Za-z]{38}$/);
  expect(key.slice(-6)).toBe(keyChecksum(key.slice(0, -6)));
  const domain = await createDomain(account);
  expect((await http.withKey(key).get(`/v2/domains/${domain}`)).status).toBe(200);

  const list = await http.get(`/v2/keys?account=${account.id}`);
  expect(list.json.keys!.map((entry) => entry.id)).toContain(id);
  expect(list.text).not.toContain(key);
  expect(list.text).not.toContain(key.slice(10));

  expect((await http.delete(`/v2/keys/${id}`)).status).toBe(204);
  expectError(await http.withKey(key).get('/v2/account'), 403);
  expectError(await http.delete(`/v2/keys/${id}`), 404);
});

test('rule 54: accounts and keys have the members of the contract, in its order', async () => {
  const opened = await http.post('/v2/accounts', { name: ' Members ', email: 'm@example.com' });
  expect(opened.text).toMatch(
    /^\{"account":\{"id":"[^"]+","name":"Members","email":"m@example\.com","date_created":"[^"]+","state":"active","suspension":null,"deletion":null,"progress":null\},"key":\{"id":"[^"]+","key":"[^"]+","scope":"full","label":"","date_created":"[^"]+","rights":null,"summary":"May [^"]+","networks":null,"date_expires":null,"date_used":null\}\}$/,
  );
  const account = opened.json.account!.id;
  const made = await http.post('/v2/keys', { scope: 'read', label: 'one', account });
  expect(made.text).toMatch(
    /^\{"key":\{"id":"[^"]+","key":"[^"]+","scope":"read","label":"one","date_created":"[^"]+","rights":null,"summary":"May [^"]+","networks":null,"date_expires":null,"date_used":null\}\}$/,
  );
  const { keys } = (await http.get(`/v2/keys?account=${account}`)).json;
  expect(keys!.map((key) => Object.keys(key))).toEqual(
    Array(2).fill([
      ...['id', 'scope', 'label', 'date_created', 'rights', 'summary', 'networks'],
      ...['date_expires', 'date_used'],
    ]),
  );
  expect(keys!.map(({ scope }) => scope)).toEqual(['full', 'read']);
});

test.each([
  ['an account without a name', '/v2/accounts', { name: ' ', email: 'x@example.com' }, 400],
  ['an account with a long name', '/v2/accounts', { name: 'x'.repeat(201), email: 'x@example.com' }, 400],
  ['an account without a mail address', '/v2/accounts', { name: 'x', email: 'example.com' }, 400],
  ['a key with a long label', '/v2/keys', { label: 'x'.repeat(201) }, 400],
  ['a key of an unknown scope', '/v2/keys', { scope: 'all' }, 400],
  ['a key of an account that there is not', '/v2/keys', { account: 'nobody' }, 404],
])('rule 54: refused: %s', async (_, path, body, status) => {
  const total = async () => (await http.get(path)).json.meta!.total;
  const before = await total();
  expectError(await http.post(path, body), status);
  expect(await total()).toBe(before);
});

test('rule 54: a key cannot revoke itself', async () => {
  const { id, key } = (await http.post('/v2/keys', { scope: 'admin' })).json.key!;
  expectError(await http.withKey(key).delete(`/v2/keys/${id}`), 400);
  expect((await http.withKey(key).get('/v2/account')).status).toBe(200);
});

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const nobody = '01930000-0000-7000-8000-000000000000';

test('rule 44: repeating the creation of an account or key gets the same answer, including the text of the key', async () => {
  const account = await createAccount(service);
  for (const [path, body] of [
    ['/v2/keys', { label: 'ci', account: account.id }],
    ['/v2/accounts', { name: 'Repeated', email: 'r@example.com' }],
  ] as const) {
    const id = `repeat-${path}-${account.id}`;
    const first = await http.post(path, body, keyed(id));
    expect(first.status, first.text).toBe(201);
    const { total } = (await http.get('/v2/accounts')).json.meta!;
    const [again, once] = await Promise.all([
      http.post(path, body, keyed(id)),
      http.post(path, body, keyed(id)),
    ]);
    for (const reply of [again, once]) expect([reply.status, reply.text]).toEqual([201, first.text]);
    expect((await http.withKey(first.json.key!.key).get('/v2/account')).status).toBe(200);
    expect((await http.get('/v2/accounts')).json.meta!.total).toBe(total);
    const other = await http.post(path, { ...body, extra: 1 }, keyed(id));
    expectError(other, 409);
    expect(other.json.code).toBe('idempotency_mismatch');
    const fresh = await http.post(path, body, keyed(`${id}-fresh`));
    expect(fresh.json.key!.key).not.toBe(first.json.key!.key);
  }
  expect((await http.get(`/v2/keys?account=${account.id}`)).json.meta!.total).toBe(3);
});

test('rule 44: an idempotency key belongs to the API key that it was sent with', async () => {
  const [one, two] = await Promise.all(
    ['one', 'two'].map(async (label) => {
      const made = await http.post('/v2/keys', { label, scope: 'admin' });
      return http.withKey(made.json.key!.key);
    }),
  );
  const mine = await one.post('/v2/keys', {}, keyed('shared'));
  const yours = await two.post('/v2/keys', {}, keyed('shared'));
  expect(yours.status, yours.text).toBe(201);
  expect(yours.json.key!.key).not.toBe(mine.json.key!.key);
  expect((await one.post('/v2/keys', {}, keyed('shared'))).text).toBe(mine.text);
});

test('rule 41: a dry run on accounts and keys shows what it would create or revoke, without secrets', async () => {
  const account = await createAccount(service);
  const lists = async () =>
    [await http.get('/v2/accounts'), await http.get(`/v2/keys?account=${account.id}`)].map(
      ({ text }) => text,
    );
  const before = await lists();
  const owner = { name: 'Planned', email: 'p@example.com' };
  const opened = await http.post('/v2/accounts?dry_run=true', owner, keyed('never-kept'));
  expect(opened.status, opened.text).toBe(200);
  expect(opened.json).toMatchObject({ dry_run: true, account: owner, key: { scope: 'full', label: '' } });
  const wanted = { label: 'plan', scope: 'read' };
  const made = await http.post(
    '/v2/keys?dry_run=true',
    { ...wanted, account: account.id },
    keyed('never-kept'),
  );
  expect(made.status, made.text).toBe(200);
  expect(made.json).toMatchObject({ dry_run: true, key: wanted });
  for (const reply of [opened, made]) expect(reply.text).not.toContain('zw_');
  const [entry] = (await http.get(`/v2/keys?account=${account.id}`)).json.keys!;
  const revoked = await http.delete(`/v2/keys/${entry.id}?dry_run=true`);
  expect([revoked.status, revoked.json]).toEqual([200, { dry_run: true, key: entry }]);
  expect((await account.http.get('/v2/account')).status).toBe(200);
  expect(await lists()).toEqual(before);
});

test('rule 41: a dry run on accounts and keys is refused if the write would be', async () => {
  const account = await createAccount(service);
  expectError(await http.post('/v2/accounts?dry_run=true', { name: '', email: 'x@example.com' }), 400);
  expectError(await http.post('/v2/keys?dry_run=true', { account: nobody }), 404);
  expectError(await http.post('/v2/keys?dry_run=1', {}), 400, /dry_run/);
  expectError(await http.delete(`/v2/keys/${nobody}?dry_run=true`), 404);
  expectError(await account.http.post('/v2/keys?dry_run=true', {}), 403);
});

test('keys: the log contains no secret', () => {
  expect(service.output()).not.toContain(service.key);
  expect(service.output()).not.toContain(service.key.slice(3, 35));
});
