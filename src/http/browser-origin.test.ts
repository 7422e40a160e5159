import { expect, test } from 'vitest';
import { createAdmission } from './admission.ts';
import { createClientAddresses } from './client-address.ts';
import { createHttpApp } from './http-app.ts';
import { openTestService } from './http-service.test-support.ts';
import { defaultHttpLimits } from './limits.ts';
import { silentLog } from '../base/log.ts';

const service = await openTestService();
const settings = { ...service.context.settings, publicUrl: 'https://dns.example.net' };
const context = { ...service.context, settings };
const app = createHttpApp({
  context,
  admission: createAdmission(context, 0, { addresses: createClientAddresses(['10.0.0.1']) }),
  readiness: () => ({ ready: true, detail: {} }),
  log: silentLog,
  corsOrigins: [],
  limits: defaultHttpLimits,
});

/** The code of the answer to somebody who signs in over plain HTTP. */
async function signIn(remoteAddress: string, headers: Record<string, string> = {}): Promise<unknown> {
  const reply = await app.inject({
    method: 'POST',
    url: '/v2/session',
    remoteAddress,
    headers: { host: 'dns.example.net', 'sec-fetch-site': 'same-origin', ...headers },
    payload: { email: 'anna@example.net', password: 'a password that is wrong' },
  });
  return reply.json<{ readonly code: string }>().code;
}

test.each([
  ['the trusted proxy', '10.0.0.1', {}, 'invalid_login'],
  [
    'the trusted proxy, of a client without TLS',
    '10.0.0.1',
    { 'x-forwarded-proto': 'http' },
    'insecure_login',
  ],
  ['a proxy on this machine', '127.0.0.1', {}, 'invalid_login'],
  ['a client that passes the proxy by', '198.51.100.7', {}, 'insecure_login'],
  ['the same, which claims TLS', '198.51.100.7', { 'x-forwarded-proto': 'https' }, 'insecure_login'],
])('plain HTTP is for proxies, although the public URL is https: %s', async (_, address, headers, code) => {
  expect(await signIn(address, headers)).toBe(code);
});

test.each([
  ['it says that the client used plain HTTP', '10.0.0.1', { 'x-forwarded-proto': 'http' }, 'insecure_login'],
  ['it is not listed', '127.0.0.1', { 'x-forwarded-proto': 'http' }, 'insecure_login'],
  ['it names the client', '192.0.2.9', { 'x-forwarded-for': '198.51.100.7' }, 'insecure_login'],
  ['it sends Forwarded', '192.0.2.9', { forwarded: 'for=198.51.100.7' }, 'insecure_login'],
  ['there is none', '192.0.2.9', {}, 'invalid_login'],
])(
  'a proxy cannot make plain HTTP local by the name that it asks for: %s',
  async (_, address, headers, code) => {
    expect(await signIn(address, { host: '127.0.0.1:8080', ...headers })).toBe(code);
  },
);
