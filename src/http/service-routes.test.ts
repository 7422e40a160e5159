import { expect, test } from 'vitest';
import { monotonicClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { createAdmission, createAnonymousCount, createPeerCount } from './admission.ts';
import { createClientAddresses } from './client-address.ts';
import { createHttpApp } from './http-app.ts';
import type { Readiness } from './http-app-options.ts';
import { openTestService } from './http-service.test-support.ts';
import { defaultHttpLimits } from './limits.ts';
import { createServiceApp } from './service-app.ts';

const { context, key } = await openTestService();
const base = { log: silentLog, limits: defaultHttpLimits };
let readiness: Readiness = { ready: true, detail: {} };
const admission = createAdmission(context, 0);
const app = createHttpApp({ ...base, context, admission, readiness: () => readiness });

test('health needs no key, and readiness shows the state of the service', async () => {
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await app.inject('/readyz')).payload).toBe('{"status":"ready"}');
  const detail = { role: 'both', feed: { phase: 'following', seq: 120 } };
  readiness = { ready: true, detail };
  expect((await app.inject('/readyz')).payload).toBe(
    '{"status":"ready","role":"both","feed":{"phase":"following","seq":120}}',
  );
  for (const told of [detail, {}]) {
    readiness = { ready: false, detail: told };
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    const reply = await app.inject('/readyz');
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1']);
    expect(reply.json()).toEqual({
      error: 'The service is starting or stopping',
      status: 503,
      code: 'not_ready',
      ...told,
    });
  }
});

test('the answer says why the service is not ready', async () => {
  readiness = { ready: false, reason: 'The database is away', detail: { database: 'away' } };
  expect((await app.inject('/readyz')).json()).toEqual({
    error: 'The database is away',
    status: 503,
    code: 'not_ready',
    database: 'away',
  });
});

test('a process without the interface only answers requests for health, readiness and metrics', async () => {
  const countPeer = createPeerCount(createClientAddresses([]), createAnonymousCount(monotonicClock));
  const only = createServiceApp({
    ...base,
    countPeer,
    readiness: () => ({ ready: true, detail: { role: 'nameserver' } }),
  });
  expect((await only.inject('/healthz')).payload).toBe('{"status":"ok"}');
  expect((await only.inject('/readyz')).payload).toBe('{"status":"ready","role":"nameserver"}');
  for (const [method, url] of [
    ['GET', '/v2/domains'],
    ['POST', '/v2/domains'],
    ['GET', '/v2/openapi.json'],
    ['GET', '/docs'],
    ['GET', '/'],
    ['POST', '/healthz'],
  ] as const) {
    const reply = await only.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}` },
      payload: 'x',
    });
    expect([reply.statusCode, reply.json()]).toEqual([
      404,
      { error: `No route ${method} ${url}`, status: 404, code: 'unknown_route' },
    ]);
  }
});
