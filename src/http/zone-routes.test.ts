import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { InjectOptions } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { MAX_OPEN_VIEWS } from '../operations/zone-views.ts';
import { createTestApp, openTestService, withStore } from './http-service.test-support.ts';

const service = await openTestService();
const authorization = `Bearer ${service.key}`;
const app = createTestApp(service.context);
afterAll(() => app.close());
const path = '/v2/domains/example.com/zonefile';
await ask('POST', '/v2/domains', { domain: 'example.com' });
const many = Array.from({ length: 5000 }, (_, at) => `host${at} 300 A 10.0.${at >> 8}.${at & 255}`);
await ask('PUT', path, many.join('\n'));

function ask(method: string, url: string, payload?: object | string, headers: object = {}) {
  return app.inject({ method, url, headers: { authorization, ...headers }, payload } as InjectOptions);
}

test('exports that are not read release their resources', async () => {
  const { etag } = (await ask('GET', path)).headers;
  for (let at = 0; at <= MAX_OPEN_VIEWS; at++) {
    expect((await ask('GET', path, undefined, { 'if-none-match': etag })).statusCode).toBe(304);
    const head = await ask('HEAD', path);
    expect([head.statusCode, head.body]).toEqual([200, '']);
  }
  const whole = await ask('GET', path);
  expect(whole.headers).not.toHaveProperty('content-length');
  expect(whole.body.split('\n').filter((line) => line.startsWith('host'))).toHaveLength(5000);
});

test('exports are released when the client goes away', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  for (let at = 0; at <= MAX_OPEN_VIEWS; at++) {
    await new Promise<void>((resolve, reject) => {
      const asked = request({ port, path, headers: { authorization } }, (reply) => {
        reply.once('data', () => reply.destroy());
        reply.once('close', resolve);
        reply.on('error', () => undefined);
      });
      asked.on('error', reject);
      asked.end();
    });
  }
  await expect.poll(async () => (await ask('GET', path)).statusCode).toBe(200);
});

test('an export that fails before its first piece is answered with an error', async () => {
  const broken = createTestApp(
    withStore(service, { openZoneView: () => Promise.reject(new Error('a bug')) }),
  );
  const reply = await broken.inject({ url: path, headers: { authorization } });
  expect(reply.statusCode).toBe(500);
});

test('large imports wait for each other, and each releases its share', async () => {
  // Eight times 40 MiB are more than half of what one account may use at once.
  const zone = `a 300 A 192.0.2.1\n${';'
    .repeat(1023)
    .concat('\n')
    .repeat(40 * 1024)}`;
  const replies = await Promise.all(Array.from({ length: 3 }, () => ask('POST', path, zone)));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect((await ask('POST', path, zone)).statusCode).toBe(200);
});

test('the number of small imports at a time is not limited', async () => {
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask('POST', path, `small-${i} 300 A 192.0.2.1`)),
  );
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});
