import { expect, test } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { startForFile } from '../harness/service.ts';

const origin = 'https://console.example.net';
const service = await startForFile({ ZONEWRIGHT_CORS_ORIGINS: `${origin}, http://127.0.0.1:5173` });
const { http } = service;

test('rule 53: a page of an allowed origin gets an answer to its preflight request without a key', async () => {
  const headers = { origin, 'access-control-request-method': 'POST' };
  const reply = await http.request('OPTIONS', '/v2/domains', undefined, { key: null, headers });
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect(reply.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': expect.stringContaining('POST') as string,
    'access-control-allow-headers': expect.stringContaining('Authorization') as string,
  });
  const other = { ...headers, origin: 'https://evil.example' };
  const refused = await http.request('OPTIONS', '/v2/domains', undefined, { key: null, headers: other });
  expect(refused.status).toBe(403);
  expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
});

test('rule 53: a page of an allowed origin can read answers, errors and their headers', async () => {
  const domain = await createDomain(service);
  for (const [path, status] of [
    [`/v2/domains/${domain}`, 200],
    [`/v2/domains/${domain}/zonefile`, 200],
    ['/v2/domains/unknown.example', 404],
  ] as const) {
    const reply = await http.get(path, { headers: { origin } });
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringMatching(/ETag.*Zone-Serial.*Retry-After/) as string,
      vary: 'Origin',
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  }
});
