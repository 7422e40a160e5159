import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { silentLog, type Log } from '../base/log.ts';
import { endpoints } from '../contract/endpoints.ts';
import { MAX_TXT_LIMIT_BYTES } from '../model/txt-data.ts';
import { createOperationContext } from '../operations/operation-context.ts';
import { anonymousRequests } from './limits.ts';
import { createTestApp, openTestService, withStore } from './http-service.test-support.ts';
import { StoreBusy, StoreUnavailable } from '../writes/store-errors.ts';

const service = await openTestService();
const authorization = `Bearer ${service.key}`;
const app = createTestApp(service.context);
await ask('POST', '/v2/domains', { domain: 'example.com' });

function ask(method: string, url: string, body?: object | string, headers: object = { authorization }) {
  const request = { method, url, headers: { ...headers } } as InjectOptions;
  return app.inject(body === undefined ? request : { ...request, payload: body });
}

test.each<[string, string, string?]>([
  ['GET', '/v2'],
  ['GET', '/v2/nope'],
  ['GET', '/%762/domains'],
  ['GET', 'http://x/v2/domains'],
  ['GET', '/v2/domains/%zz'],
  ['PROPFIND', '/v2/domains'],
  ['POST', '/v2/openapi.json', '{}'],
  ['POST', '/v2/domains', '{'],
  ['POST', '/v2/domains', 'x'.repeat(2_000_000)],
  ...endpoints
    .filter(({ needs }) => needs !== 'anyone')
    .map(({ method, path }) => [method, path.replace('{domain}', 'example.com')] as [string, string]),
])('without a key %s %s is 403', async (method, url, body) => {
  for (const headers of [{}, { authorization: service.key }, { authorization: 'Bearer x' }]) {
    const reply = await ask(method, url, body, headers);
    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toMatchObject({ status: 403, code: 'invalid_key' });
    expect(reply.headers['ratelimit-policy']).toBe('"address";q=1000;w=10');
  }
});

test.each([
  ['GET', '/v2/domains/%zz', 400, 'invalid_request'],
  ['GET', '/v2/domains/%ff', 400, 'invalid_request'],
  ['GET', '/v2/nope', 404, 'unknown_route'],
  ['GET', '/', 404, 'unknown_route'],
  ['POST', '/nope', 404, 'unknown_route'],
  ['GET', `/v2/${'a'.repeat(5000)}`, 404, 'unknown_route'],
  ['GET', '/v2/domains/example.com//', 404, 'unknown_route'],
  ['GET', '/v2/domains/example.net', 404, 'unknown_domain'],
  ['GET', '/v2/domains/a%2Fb', 404, 'unknown_domain'],
  ['GET', '/v2/domains/a..b/records', 404, 'unknown_domain'],
  ['GET', `/v2/domains/${'a'.repeat(5000)}/records`, 404, 'unknown_domain'],
  ['DELETE', '/v2/domains/example.com/records/x', 404, 'unknown_record'],
  ['DELETE', '/v2/keys/x', 404, 'unknown_key'],
  ['GET', '/v2/keys?account=x', 404, 'unknown_account'],
  ['GET', '/v2/keys?account=x&account=y', 404, 'unknown_account'],
  ['PATCH', '/v2/domains', 405, 'method_not_allowed'],
  ['OPTIONS', '/v2/domains', 405, 'method_not_allowed'],
  ['QUERY', '/v2/domains', 405, 'method_not_allowed'],
  ['PROPFIND', '/v2/domains/example.com', 405, 'method_not_allowed'],
  ['DELETE', '/v2/domains/example.com/records/', 405, 'method_not_allowed'],
  ['POST', '/healthz', 405, 'method_not_allowed'],
  ['POST', '/v2/domains', 400, 'invalid_request'],
])('%s %s is %i %s', async (method, url, status, code) => {
  const reply = await ask(method, url);
  expect(reply.statusCode).toBe(status);
  expect(reply.json()).toMatchObject({ status, code });
  expect(reply.headers['content-type']).toBe('application/json');
  expect(reply.headers['x-request-id']).toMatch(/^[\w-]{8,}$/);
  expect(Buffer.byteLength(reply.payload)).toBeLessThan(512);
});

test.each([
  ['/v2/domains/example.net', 'GET', 'PUT', 'DELETE'],
  ['/v2/domains/example.net/soa', 'GET', 'PATCH'],
  ['/v2/domains/example.net/records', 'GET', 'POST'],
  ['/v2/domains/example.net/records/x', 'GET', 'PATCH', 'DELETE'],
  ['/v2/domains/example.com/records/x', 'GET', 'PATCH', 'DELETE'],
])('every method refuses an unknown resource at %s with the same message', async (url, ...methods) => {
  const body = { type: 'A', name: 'x', data: '192.0.2.1', ttl: 300, email: 'a@example.com' };
  const replies = await Promise.all(methods.map((method) => ask(method, url, body)));
  expect(new Set(replies.map(({ payload }) => payload)).size).toBe(1);
  expect(replies[0].statusCode).toBe(404);
});

test('405 lists the allowed methods', async () => {
  const reply = await ask('POST', '/v2/domains/example.com?x=1');
  expect(reply.headers.allow).toBe('GET, HEAD, PUT, PATCH, DELETE');
  expect((await ask('PUT', 'http://x/v2/domains/')).headers.allow).toBe('GET, HEAD, POST');
});

test('U-labels, percent-encoding, upper case and trailing dots in a path name the same domain', async () => {
  await ask('POST', '/v2/domains', { domain: 'bücher.example' });
  for (const name of [
    'b%C3%BCcher.example',
    'B%C3%9Ccher.example.',
    'xn--bcher-kva.example/',
    '%78n--bcher-kva.example',
  ]) {
    expect((await ask('GET', `/v2/domains/${name}`)).json(), name).toMatchObject({
      domain: { domain: 'xn--bcher-kva.example' },
    });
  }
});

test('HEAD answers with the headers of GET', async () => {
  const got = await ask('GET', '/v2/domains');
  const head = await ask('HEAD', '/v2/domains');
  expect(head.statusCode).toBe(200);
  expect(head.headers['content-length']).toBe(got.headers['content-length']);
});

test.each(['', ';;;', 'foo', 'multipart/form-data', 'application/json; charset=latin1'])(
  'a body of Content-Type %j is JSON',
  async (type) => {
    const headers = { authorization, 'content-type': type };
    const body = JSON.stringify({ domain: 'example.com' });
    expect((await ask('POST', '/v2/domains', body, headers)).statusCode).toBe(200);
    expect((await ask('DELETE', '/v2/domains/example.net', 'junk', headers)).statusCode).toBe(404);
  },
);

test('the limit is 64 KiB for a record, more if the TXT limit requires it, and 1 MiB for other bodies', async () => {
  const padded = (body: object, size: number) => JSON.stringify(body).padEnd(size, ' ');
  const record = { type: 'TXT', name: `${`${'n'.repeat(60)}.`.repeat(3)}size`, data: 'x', ttl: 60 };
  const records = '/v2/domains/example.com/records';
  expect((await ask('POST', records, padded(record, 65_536))).statusCode).toBe(201);
  expect((await ask('POST', records, padded(record, 65_537))).json()).toMatchObject({
    status: 413,
    error: 'The request body is larger than 65536 bytes',
  });
  expect((await ask('POST', '/v2/domains', padded({ domain: 'example.com' }, 1_048_576))).statusCode).toBe(
    200,
  );
  expect((await ask('POST', '/v2/domains', padded({ domain: 'example.com' }, 1_048_577))).statusCode).toBe(
    413,
  );

  const { context } = service;
  const recordRules = { ...context.settings.recordRules, txtLimitBytes: MAX_TXT_LIMIT_BYTES };
  const roomy = createTestApp({ ...context, settings: { ...context.settings, recordRules } });
  const escaped = JSON.stringify({ ...record, data: 'x' }).replace(
    '"x"',
    `"${'\\u0041'.repeat(MAX_TXT_LIMIT_BYTES)}"`,
  );
  const request = { method: 'POST', url: records, headers: { authorization }, payload: escaped } as const;
  expect((await roomy.inject(request)).statusCode).toBe(201);
});

test('requests beyond the rate limit of a key are 429, and other keys are not affected', async () => {
  const other = (await ask('POST', '/v2/keys', { label: 'other' })).json<{ key: { key: string } }>().key.key;
  const limited = createTestApp(service.context, 3);
  const get = (key: string) =>
    limited.inject({ url: '/v2/nope', headers: { authorization: `bearer ${key}` } });
  const replies = await Promise.all([1, 2, 3, 4].map(() => get(service.key)));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 429]);
  expect(replies.map(({ headers }) => headers.ratelimit)).toEqual([
    '"default";r=2;t=1',
    '"default";r=1;t=1',
    '"default";r=0;t=1',
    '"default";r=0;t=1',
  ]);
  expect(replies[3].headers).toMatchObject({ 'retry-after': '1', 'ratelimit-policy': '"default";q=3;w=1' });
  expect((await get(other)).statusCode).toBe(404);
  expect((await limited.inject({ url: '/healthz' })).statusCode).toBe(200);
});

test('a client that guesses keys is limited, callers with a key from the same address are not', async () => {
  const withinOneSecond = { ...service.context, monotonic: { elapsedMs: () => 0 } };
  const guessed = createTestApp(withinOneSecond);
  const statuses: number[] = [];
  for (let guess = 0; guess < anonymousRequests.quota + 3; guess++) {
    const reply = await guessed.inject({ url: '/v2/domains' });
    statuses.push(reply.statusCode);
    expect(reply.headers['retry-after']).toBe(reply.statusCode === 429 ? '1' : undefined);
  }
  expect(new Set(statuses.slice(0, anonymousRequests.quota))).toEqual(new Set([403]));
  expect(statuses.slice(anonymousRequests.quota)).toEqual([429, 429, 429]);
  expect((await guessed.inject({ url: '/v2/domains', headers: { authorization } })).statusCode).toBe(200);
});

test('a clock that is set back an hour does not lock out keys', async () => {
  let [nowMs, elapsedMs] = [Date.now(), 0];
  const clock = { nowMs: () => nowMs };
  const context = { ...service.context, clock, monotonic: { elapsedMs: () => elapsedMs } };
  const limited = createTestApp(context, 2);
  const get = async () =>
    (await limited.inject({ url: '/v2/account', headers: { authorization } })).statusCode;
  expect([await get(), await get(), await get()]).toEqual([200, 200, 429]);
  [nowMs, elapsedMs] = [nowMs - 3_600_000, 1_000];
  expect([await get(), await get(), await get()]).toEqual([200, 200, 429]);
});

test('an unavailable store is 503 with Retry-After', async () => {
  const away = () => Promise.reject(new StoreUnavailable('the queue is full'));
  const payload = { type: 'A', name: 'x', data: '192.0.2.1', ttl: 60 };
  const headers = { authorization };
  const writing = createTestApp(withStore(service, { write: away }));
  const url = '/v2/domains/example.com/records';
  const finding = createTestApp(withStore(service, { findKeyByHash: away }));
  for (const reply of [
    await writing.inject({ method: 'POST', url, headers, payload }),
    await finding.inject({ url, headers }),
    await finding.inject({ url: '/v2/%zz', headers }),
  ]) {
    expect(reply.statusCode).toBe(503);
    expect(reply.json()).toMatchObject({ code: 'busy' });
    expect(reply.headers['retry-after']).toBe('1');
  }
});

test('an overloaded store is 503 with its own message', async () => {
  const searchRecords = () => Promise.reject(new StoreBusy('Too many searches are under way, try again'));
  const busy = createTestApp(withStore(service, { searchRecords }));
  const reply = await busy.inject({ url: '/v2/records?search=x', headers: { authorization } });
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
  expect(reply.json()).toMatchObject({ code: 'busy', error: 'Too many searches are under way, try again' });
});

test('while the store is unavailable, every request is 503 immediately, never 403 or 500', async () => {
  const store = new Proxy(service.context.store, {
    get: () => () => Promise.reject(new StoreUnavailable('starting')),
  });
  const starting = createTestApp(createOperationContext({ ...service.context, store }));
  for (const { method, path } of endpoints) {
    const url = path.replace('{domain}', 'example.com').replace('{id}', 'x');
    const payload = { domain: 'a.example', type: 'A', name: 'x', data: '192.0.2.1', ttl: 60, email: 'a@b' };
    const reply = await starting.inject({ method, url, headers: { authorization }, payload });
    expect([reply.statusCode, reply.headers['retry-after']], `${method} ${url}`).toEqual([503, '1']);
    expect(reply.json()).toMatchObject({ code: 'busy' });
  }
  expect((await starting.inject('/v2/domains')).statusCode).toBe(403);
  expect((await starting.inject('/healthz')).statusCode).toBe(200);
});

test('a bug is logged and answered with 500 and the request id, without internals', async () => {
  const lines: object[] = [];
  const log: Log = { ...silentLog, error: (fields) => lines.push(fields) };
  const listDomains = () => Promise.reject(new Error('secret table is corrupt'));
  const broken = createTestApp(withStore(service, { listDomains }), 0, log);
  const reply = await broken.inject({
    url: '/v2/domains',
    headers: { authorization, 'x-request-id': 'a.b-1' },
  });
  expect(reply.statusCode).toBe(500);
  expect(reply.json()).toEqual({
    error: 'The service failed and nothing was changed (request a.b-1)',
    status: 500,
    code: 'internal_error',
  });
  expect(lines).toEqual([expect.objectContaining({ requestId: 'a.b-1' })]);
});

test('no log line contains the key', async () => {
  const lines: unknown[] = [];
  const keep = (fields: object, message: string) => void lines.push({ fields, message });
  const logged = createTestApp(service.context, 0, { debug: keep, info: keep, warn: keep, error: keep });
  await logged.inject({ url: '/v2/domains', headers: { authorization } });
  await logged.inject({ url: '/v2/domains', headers: { authorization: `Bearer ${service.key}x` } });
  expect(lines.length).toBe(2);
  expect(JSON.stringify(lines)).not.toContain(service.key.slice(3, 20));
});

test('a malformed request id is replaced', async () => {
  for (const id of ['', 'a b', 'a"b', 'x'.repeat(65), 'ü']) {
    const reply = await ask('GET', '/v2/account', undefined, { authorization, 'x-request-id': id });
    expect(reply.headers['x-request-id']).not.toBe(id);
  }
});

test('the description and its page need no key, and load nothing from other servers', async () => {
  expect((await ask('GET', '/v2/openapi.json', undefined, {})).json()).toMatchObject({ openapi: '3.1.0' });
  for (const url of ['/docs', '/docs/']) {
    const page = await ask('GET', url, undefined, {});
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['content-security-policy']).not.toMatch(/https?:/);
    expect(page.headers['x-request-id']).toBeDefined();
    const links = [...page.payload.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      const { pathname } = new URL(link, 'http://x/docs/');
      expect((await ask('GET', pathname, undefined, {})).statusCode, link).toBe(200);
    }
  }
  expect((await ask('GET', '/docs/json', undefined, {})).json()).toMatchObject({ openapi: '3.1.0' });
});
