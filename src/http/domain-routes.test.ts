import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { createTestApp, openTestService, withStore } from './http-service.test-support.ts';

const service = await openTestService();
const authorization = `Bearer ${service.key}`;
const app = createTestApp(service.context);
await ask('POST', '/v2/domains', { domain: 'example.com' });

function ask(method: string, url: string, payload?: object) {
  return app.inject({ method, url, headers: { authorization }, payload } as InjectOptions);
}

test('writes to a domain that still exists, and reads of it, answer with its serial', async () => {
  const domain = '/v2/domains/serial.example';
  const record = { type: 'A', name: 'x', data: '192.0.2.1', ttl: 60 };
  const seen: unknown[] = [];
  const step = async (method: string, url: string, body?: object) => {
    const reply = await ask(method, url, body);
    seen.push([reply.statusCode, reply.headers['zone-serial']]);
    return reply;
  };
  const first = Number(
    (await step('POST', '/v2/domains', { domain: 'serial.example' })).headers['zone-serial'],
  );
  await step('POST', '/v2/domains', { domain: 'serial.example' });
  const { id } = (await step('POST', `${domain}/records`, record)).json<{ record: { id: string } }>().record;
  await step('POST', `${domain}/records`, record);
  await step('PATCH', `${domain}/records/${id}`, { ttl: 61 });
  await step('PATCH', `${domain}/soa`, { email: 'a@example.com' });
  await step('PUT', domain, { dns_sec: 'disabled' });
  await step('GET', domain);
  await step('GET', `${domain}/soa`);
  await step('DELETE', `${domain}/records/${id}`);
  for (const [method, url] of [
    ['DELETE', `${domain}/records/${id}`],
    ['GET', `${domain}/records`],
    ['GET', `${domain}/propagation`],
    ['DELETE', domain],
    ['GET', domain],
  ] as const) {
    expect((await ask(method, url)).headers, url).not.toHaveProperty('zone-serial');
  }
  const at = (serial: number) => String(first + serial);
  expect(seen).toEqual([
    [201, at(0)],
    [200, at(0)],
    [201, at(1)],
    [200, at(1)],
    [204, at(2)],
    [204, at(3)],
    [204, at(3)],
    [200, at(3)],
    [200, at(3)],
    [204, at(4)],
  ]);
});

test.each([
  ['serial=x', 'serial', 'serial must be a whole number from 0 to 4294967295, not "x"'],
  ['serial=', 'serial', 'serial must be a whole number from 0 to 4294967295, not ""'],
  ['serial=-1', 'serial', 'serial must be a whole number from 0 to 4294967295, not "-1"'],
  ['serial=4294967296', 'serial', 'serial must be a whole number from 0 to 4294967295, not "4294967296"'],
  ['wait=61', 'wait', 'wait must be a whole number from 0 to 60, not "61"'],
  ['serial=1&wait=1.5', 'wait', 'wait must be a whole number from 0 to 60, not "1.5"'],
])('propagation?%s is 400 and names %s', async (query, field, error) => {
  const reply = await ask('GET', `/v2/domains/example.com/propagation?${query}`);
  expect(reply.json()).toEqual({ error, status: 400, code: 'invalid_request', field });
});

test('propagation shows what each nameserver serves', async () => {
  const seenAtMs = Date.UTC(2026, 10, 20, 14, 0, 9, 999);
  const base = { seenAtMs, isLive: true };
  const servedSerials = () =>
    Promise.resolve([
      { ...base, id: 'b', nameserver: 'ns2', serial: null, takenAtMs: null, isLive: false },
      { ...base, id: 'a', nameserver: 'ns "1"', serial: 7, takenAtMs: seenAtMs - 9000 },
    ]);
  const shown = createTestApp(withStore(service, { servedSerials }));
  const url = '/v2/domains/example.com/propagation?serial=7&wait=60';
  const reply = await shown.inject({ url, headers: { authorization } });
  expect(reply.payload).toBe(
    '{"propagation":{"domain":"example.com","serial":7,"current":true,"nameservers":[' +
      '{"id":"a","name":"ns \\"1\\"","serial":7,"date_taken":"2026-11-20T14:00:00+00:00",' +
      '"date_seen":"2026-11-20T14:00:09+00:00","live":true,"current":true},' +
      '{"id":"b","name":"ns2","serial":null,"date_taken":null,' +
      '"date_seen":"2026-11-20T14:00:09+00:00","live":false,"current":false}]}}',
  );
});

test('a domain cannot be signed without a secret, and the answer does not tell clients to wait', async () => {
  for (const [method, url, body] of [
    ['POST', '/v2/domains', { domain: 'unsigned.example', dns_sec: 'enabled' }],
    ['PUT', '/v2/domains/example.com', { dns_sec: 'enabled' }],
  ] as const) {
    const reply = await ask(method, url, body);
    expect(reply.json()).toMatchObject({ status: 503, code: 'dnssec_unavailable', field: 'dns_sec' });
    expect(reply.headers).not.toHaveProperty('retry-after');
  }
  expect((await ask('GET', '/v2/domains/unsigned.example')).statusCode).toBe(404);
});
