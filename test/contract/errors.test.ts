import { connect } from 'node:net';
import { expect, test } from 'vitest';
import {
  createAccount,
  createDomain,
  createRecord,
  expectError,
  expectUnchanged,
  freshDomainName,
  listDomains,
} from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const service = await startForFile();
const { http } = service;
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

test('rule 7: an error has one sentence and its status in less than 512 bytes, however long and odd the input is', async () => {
  const domain = await createDomain(service);
  const odd = [
    'x'.repeat(60_000),
    '🎉'.repeat(5_000),
    '"\\'.repeat(9_000),
    'a\nb\r\n\tc',
    '\u0000\u0007',
    '</script>',
  ];
  await expectUnchanged(service, domain, async () => {
    for (const text of odd) {
      const path = `/v2/domains/${domain}/records`;
      expectError(await http.post('/v2/domains', { domain: text }), 400);
      expectError(await http.post('/v2/domains', { domain: freshDomainName(), ip: text }), 400);
      expectError(await http.post('/v2/domains', { domain: freshDomainName(), dns_sec: text }), 400);
      expectError(await http.post(path, { type: text, name: 'x', data: 'x', ttl: 60 }), 400);
      expectError(await http.post(path, { type: 'A', name: 'x', data: text, ttl: 60 }), 400);
      expectError(await http.post(path, { type: 'MX', name: 'x', data: `${text}..`, ttl: 60 }), 400);
      expectError(await http.post(path, { type: 'A', name: `${text}..`, data: '192.0.2.1', ttl: 60 }), 400);
      expectError(await http.post(path, { type: 'A', name: 'x', data: '192.0.2.1', ttl: text }), 400);
      expectError(await http.patch(`/v2/domains/${domain}/soa`, { email: text, nsprimary: text }), 400);
    }
    const cursor = 'A'.repeat(3_000);
    expectError(await http.get(`/v2/domains/${domain}/records?cursor=${cursor}`), 400);
    expectError(await http.get(`/v2/domains/${'x'.repeat(3_000)}.example`), [400, 404]);
    expectError(await http.get(`/v2/domains/${domain}/records/${'x'.repeat(3_000)}`), 404);
    expectError(await http.get(`/v2/${'x'.repeat(3_000)}`), 404);
  });
});

test('rule 7: the longest domain name fits into the error that names it', async () => {
  const label = 'x'.repeat(60);
  const longest = `${label}.${label}.${label}.${'y'.repeat(62)}.example`;
  expect(longest).toHaveLength(253);
  expectError(await http.get(`/v2/domains/${longest}`), 404, /^Invalid domain/);
});

test('rule 7: bytes that are not HTTP get an error of the same shape', async () => {
  for (const bytes of ['nonsense\r\n\r\n', 'GET /v2/domains HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n']) {
    const text = await exchange(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    expect(Object.keys(JSON.parse(body) as object).slice(0, 2), body).toEqual(['error', 'status']);
    expect(text.toLowerCase()).toContain('\r\ncontent-type: application/json\r\n');
  }
});

test('rule 8: an unknown domain is 404 in every resource, with a message that begins with "Invalid domain"', async () => {
  const path = `/v2/domains/${freshDomainName()}`;
  const record = { type: 'A', name: 'x', data: '192.0.2.1', ttl: 60 };
  expectError(await http.get(path), 404, /^Invalid domain/);
  expectError(await http.put(path, { dns_sec: 'disabled' }), 404, /^Invalid domain/);
  expectError(await http.delete(path), 404, /^Invalid domain/);
  expectError(await http.get(`${path}/soa`), 404, /^Invalid domain/);
  expectError(await http.patch(`${path}/soa`, { email: 'a@example.com' }), 404, /^Invalid domain/);
  expectError(await http.get(`${path}/dnssec`), 404, /^Invalid domain/);
  expectError(await http.get(`${path}/records`), 404, /^Invalid domain/);
  expectError(await http.post(`${path}/records`, record), 404, /^Invalid domain/);
  expectError(await http.get(`${path}/records/${UNKNOWN_ID}`), 404, /^Invalid domain/);
  expectError(await http.patch(`${path}/records/${UNKNOWN_ID}`, { ttl: 60 }), 404, /^Invalid domain/);
  expectError(await http.delete(`${path}/records/${UNKNOWN_ID}`), 404, /^Invalid domain/);
});

test('rule 8: an unknown record is 404 with a message that begins with "Invalid record", whatever its id', async () => {
  const domain = await createDomain(service);
  const other = await createDomain(service);
  const elsewhere = await createRecord(service, other, {});
  for (const id of [
    UNKNOWN_ID,
    UNKNOWN_ID.toUpperCase(),
    elsewhere.id,
    '1',
    '-',
    'x'.repeat(200),
    '%00',
    '%27%20or%201',
    '%F0%9F%8E%89',
  ]) {
    const path = `/v2/domains/${domain}/records/${id}`;
    expectError(await http.get(path), 404, /^Invalid record/);
    expectError(await http.patch(path, { ttl: 60 }), 404, /^Invalid record/);
    expectError(await http.delete(path), 404, /^Invalid record/);
  }
});

test('rule 8: an unknown route is 404', async () => {
  const domain = await createDomain(service);
  const paths = [
    '/v2',
    '/v2/',
    '/v2/nowhere',
    '/v2/domains/a/b/c/d',
    `/v2/domains/${domain}/nowhere`,
    '/v3/domains',
    '/v2/domains//',
  ];
  for (const path of paths) expectError(await http.get(path), 404);
  expectError(await http.post(`/v2/domains/${domain}/nowhere`, {}), 404);
});

test('rule 8: a path that cannot be decoded is 400', async () => {
  for (const path of [
    '/v2/domains/%zz',
    '/v2/domains/%',
    '/v2/domains/%ff%fe/records',
    '/v2/domains/a%2Fb',
  ]) {
    expectError(await http.get(path), [400, 404]);
  }
});

test('rule 8: a method that a resource does not have is 405 and lists the allowed ones', async () => {
  const domain = await createDomain(service);
  const { id } = await createRecord(service, domain, {});
  const rows: [string, string, string[]][] = [
    ['PUT', '/v2/domains', ['GET', 'POST']],
    ['PATCH', '/v2/domains', ['GET', 'POST']],
    ['DELETE', '/v2/domains', ['GET', 'POST']],
    ['POST', `/v2/domains/${domain}`, ['GET', 'PUT', 'PATCH', 'DELETE']],
    ['DELETE', `/v2/domains/${domain}/records`, ['GET', 'POST']],
    ['POST', `/v2/domains/${domain}/records/${id}`, ['GET', 'PATCH', 'DELETE']],
    ['POST', `/v2/domains/${domain}/soa`, ['GET', 'PATCH']],
    ['DELETE', `/v2/domains/${domain}/soa`, ['GET', 'PATCH']],
    ['POST', `/v2/domains/${domain}/dnssec`, ['GET']],
    ['POST', '/v2/account', ['GET']],
  ];
  await expectUnchanged(service, domain, async () => {
    for (const [method, path, allowed] of rows) {
      const reply = await http.request(method, path, method === 'DELETE' ? undefined : {});
      expectError(reply, 405);
      const allow = (reply.headers.allow ?? '').split(/,\s*/);
      expect(allow, `${method} ${path}`).toEqual(expect.arrayContaining(allowed));
      expect(allow).not.toContain(method);
    }
  });
});

test.each([
  [
    'a record',
    64 * 1024,
    (domain: string) => `/v2/domains/${domain}/records`,
    '{"type":"A","name":"a","data":"192.0.2.1","ttl":60',
  ],
  ['a domain', 1024 * 1024, () => '/v2/domains', '{"domain":"size-limit.example"'],
])('rule 8: one byte more than the limit for %s is 413', async (_, limit, path, start) => {
  const domain = await createDomain(service);
  const fits = start + ' '.repeat(limit - start.length - 1) + '}';
  await expectUnchanged(service, domain, async () => {
    expectError(await http.post(path(domain), `${fits} `), 413);
    const unknownLength = { 'transfer-encoding': 'chunked' };
    const body = `${fits} `;
    expectError(await http.request('POST', path(domain), body, { headers: unknownLength }), 413);
  });
  const accepted = await http.post(path(domain), fits);
  expect(accepted.status, accepted.text).toBe(201);
});

test('rule 8: invalid input does not change the list of domains', async () => {
  const owner = await createAccount(service);
  await createDomain(owner);
  const before = await listDomains(owner);
  for (const body of [
    {},
    { domain: '' },
    { domain: 'x..example' },
    { domain: 'new.example', ip: 'x' },
    '{',
    '[]',
  ]) {
    expectError(await owner.http.post('/v2/domains', body), 400);
  }
  expect(await listDomains(owner)).toEqual(before);
});

test('rule 10: every response has a unique X-Request-Id', async () => {
  const domain = await createDomain(service);
  const replies = [
    await http.get('/v2/domains'),
    await http.get('/v2/domains', { key: null }),
    await http.get('/v2/nowhere'),
    await http.get(`/v2/domains/${freshDomainName()}`),
    await http.post('/v2/domains', '{'),
    await http.put('/v2/domains', {}),
    await http.post('/v2/domains', ' '.repeat(2_000_000)),
    await http.patch(`/v2/domains/${domain}/soa`, {}),
    await http.delete(`/v2/domains/${domain}`),
  ];
  const ids = replies.map((reply) => reply.headers['x-request-id']);
  for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Sends bytes on a new connection and reads until the server closes it. */
function exchange(bytes: string): Promise<string> {
  const [host, port] = service.httpAddress.split(':');
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), host);
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}
