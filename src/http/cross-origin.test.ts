import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { endpoints } from '../contract/endpoints.ts';
import { createTestApp, openTestService } from './http-service.test-support.ts';

// Requests of browsers for pages of other origins (contract rule 53).

const service = await openTestService();
const console1 = 'https://console.example.net';
const console2 = 'http://127.0.0.1:5173';
const named = createTestApp(service.context, 0, silentLog, [console1, console2]);
const any = createTestApp(service.context, 0, silentLog, ['*']);
const none = createTestApp(service.context);
const authorization = `Bearer ${service.key}`;

/** The preflight request of a browser before a request with a key. */
function preflight(app: typeof named, origin: string, url = '/v2/domains', method = 'DELETE') {
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,idempotency-key',
  };
  return app.inject({ method: 'OPTIONS', url, headers });
}

test('a preflight request of an allowed origin is answered without a key', async () => {
  for (const origin of [console1, console2]) {
    const reply = await preflight(named, origin);
    expect(reply.statusCode).toBe(204);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Change-Note',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  }
});

test('preflight answers list the methods of the interface', async () => {
  const { headers } = await preflight(named, console1);
  const told = String(headers['access-control-allow-methods']).split(', ');
  expect(new Set(told)).toEqual(new Set(['HEAD', ...endpoints.map(({ method }) => method)]));
});

test('preflight answers reveal nothing about the path, and are not counted', async () => {
  const replies = [];
  for (const path of ['domains', 'nope', 'domains/unknown.example', 'domains/%zz', 'openapi.json'])
    replies.push(await preflight(named, console1, `/v2/${path}`));
  const told = replies.map(({ statusCode, headers }) => [
    statusCode,
    headers['access-control-allow-methods'],
    headers['ratelimit'],
  ]);
  expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
});

test.each([
  ['another origin', named, 'https://evil.example'],
  ['a prefix of an allowed origin', named, 'https://console.example.ne'],
  ['another port', named, `${console1}:8443`],
  ['another scheme', named, 'http://console.example.net'],
  ['a page without an origin', named, 'null'],
  ['any origin where none is named', none, console1],
])('%s gets the same answer as without CORS', async (_, app, origin) => {
  const asked = await preflight(app, origin);
  const got = await app.inject({ url: '/v2/domains', headers: { origin, authorization } });
  expect([asked.statusCode, got.statusCode]).toEqual([403, 200]);
  for (const { headers } of [asked, got])
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.each([
  ['GET', '/v2/domains', 200, authorization],
  ['GET', '/v2/domains', 403, 'Bearer x'],
  ['GET', '/v2/nope', 404, authorization],
  ['GET', '/v2/domains/%zz', 400, authorization],
  ['PATCH', '/v2/domains', 405, authorization],
  ['POST', '/v2/domains', 400, authorization],
  ['GET', '/v2/openapi.json', 200, ''],
])('a page may read the answer to %s %s (%i) with its headers', async (method, url, status, key) => {
  const request = { method: method as 'GET', url };
  const reply = await named.inject({ ...request, headers: { origin: console1, authorization: key } });
  expect(reply.statusCode).toBe(status);
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': console1,
    'access-control-expose-headers':
      'ETag, Zone-Serial, Zone-Warnings, History-Start, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Allow, Content-Disposition',
    vary: 'Origin',
  });
});

test('with * every origin is allowed, and answers do not depend on the origin', async () => {
  expect((await preflight(any, 'https://anyone.example')).headers['access-control-allow-origin']).toBe('*');
  const { headers } = await any.inject({ url: '/v2/domains', headers: { authorization } });
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers).not.toHaveProperty('vary');
});

test('answers to other clients say that they depend on the origin', async () => {
  const { headers } = await named.inject({ url: '/v2/domains', headers: { authorization } });
  expect(headers.vary).toBe('Origin');
  expect(headers).not.toHaveProperty('access-control-allow-origin');
});

test('health, metrics and the reference page are not available to other origins', async () => {
  for (const url of ['/healthz', '/readyz', '/docs/static/index.html', '/v20']) {
    const { headers } = await named.inject({ url, headers: { origin: console1 } });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect((await preflight(named, console1, url)).statusCode).not.toBe(204);
  }
});

test('OPTIONS that is not a preflight request is a method like any other', async () => {
  const headers = { origin: console1, authorization };
  expect((await named.inject({ method: 'OPTIONS', url: '/v2/domains', headers })).statusCode).toBe(405);
});
