import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { createAdmission } from './admission.ts';
import { createHttpApp } from './http-app.ts';
import { createTestApp, openTestService } from './http-service.test-support.ts';
import { defaultHttpLimits } from './limits.ts';

const { context } = await openTestService();
const folder = mkdtempSync(join(tmpdir(), 'zonewright-console-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'assets'));
for (const [name, content] of [
  ['index.html', '<!doctype html><title>Console</title>'],
  ['theme.js', '// theme'],
  ['assets/index-abc.js', '// console'],
] as const) {
  writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content));
}
writeFileSync(join(folder, 'secret.txt'), 'secret');

const app = createHttpApp({
  context,
  admission: createAdmission(context, 0),
  readiness: () => ({ ready: true, detail: {} }),
  log: silentLog,
  limits: defaultHttpLimits,
  console: pathToFileURL(`${folder}/`),
});
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test.each([
  ['/', {}],
  ['/domains', html],
  ['/d/example.com/records?type=A', html],
  ['/invite', html],
])('%s is the page of the console', async (url, headers) => {
  const reply = await app.inject({ url, headers });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(reply.payload).toContain('<title>Console</title>');
});

test.each([
  ['GET', '/v2/nowhere', html, 403],
  ['GET', '/v2', html, 403],
  ['GET', '/%762/nowhere', html, 403],
  ['GET', '/metrics', html, 405],
  ['GET', '/nowhere', { accept: '*/*' }, 404],
  ['POST', '/', html, 404],
  ['GET', '/healthz', html, 200],
] as const)('%s %s is no page', async (method, url, headers, status) => {
  const reply = await app.inject({ method, url, headers });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, 'application/json']);
});

test('pages are sent with strict headers, and the page itself is always asked for again', async () => {
  const page = await app.inject({ url: '/' });
  const script = await app.inject({ url: '/assets/index-abc.js' });
  for (const { headers } of [page, script]) {
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
  }
  expect(page.headers['cache-control']).toBe('no-cache');
  expect(script.headers['cache-control']).toContain('immutable');
});

test('files are sent compressed as the build has left them, and not again if they are known', async () => {
  const url = '/assets/index-abc.js';
  const best = await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } });
  expect(best.headers['content-encoding']).toBe('br');
  const gzip = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br;q=0' } });
  expect(gzip.headers['content-encoding']).toBe('gzip');
  const plain = await app.inject({ url });
  expect([plain.headers['content-encoding'], plain.payload]).toEqual([undefined, '// console']);
  const known = await app.inject({ url, headers: { 'if-none-match': String(plain.headers.etag) } });
  expect([known.statusCode, known.payload]).toEqual([304, '']);
});

test.each([
  '/assets/../secret.txt',
  '/assets/%2e%2e%2fsecret.txt',
  '/secret.txt',
  '/assets/other.js',
  '/assets/.inputs',
])('names that lead out of the folder are unknown: %s', async (url) => {
  const reply = await app.inject({ url });
  expect([reply.statusCode, reply.payload.includes('secret"')]).toEqual([404, false]);
});

test('without the console, / is unknown', async () => {
  const reply = await createTestApp(context).inject({ url: '/', headers: html });
  expect(reply.statusCode).toBe(404);
});
