import { get as getHttp, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { openTestService } from './http-service.test-support.ts';
import { exchange, openHttp2, startTlsServer } from './tls-server.test-support.ts';

const service = await openTestService();
const { server, port } = await startTlsServer(service.context, { trustedProxies: ['127.0.0.2'] }, afterAll);
const plain = server.address as { readonly host: string; readonly port: number };

/** @param path as it is sent, also if it is a whole URL */
async function getPlain(
  path: string,
  headers: Record<string, string> = {},
  localAddress = '127.0.0.1',
  target = plain,
) {
  const request = getHttp({
    ...target,
    path,
    headers: { host: 'dns.example.net:8080', ...headers },
    localAddress,
  });
  const [message] = (await once(request, 'response')) as [IncomingMessage];
  message.resume();
  return message;
}

test.each([
  ['/', '/'],
  ['/docs', '/docs'],
  ['/docs/?a=b', '/docs/?a=b'],
  ['/docs/static/index.css', '/docs/static/index.css'],
  ['/v2x', '/v2x'],
  ['http://other.example/docs?a=b', '/docs?a=b'],
])('plain HTTP leads to HTTPS: %s', async (path, target) => {
  const { statusCode, headers } = await getPlain(path);
  expect([statusCode, headers.location]).toEqual([308, `https://dns.example.net:${port}${target}`]);
  expect(headers['strict-transport-security']).toBeUndefined();
});

test.each([
  ['/v2', 403],
  ['/v2/domains', 403],
  ['/v2/', 403],
  ['/%762/domains', 403],
  ['/v2/none?a=b', 403],
  ['/v2/%', 403],
  ['http://dns.example.net/v2/domains', 403],
  ['/v2/openapi.json', 200],
  ['/healthz', 200],
  ['/healthz/', 200],
  ['/readyz?verbose', 200],
  ['/metrics', 403],
])('plain HTTP answers itself: %s', async (path, status) => {
  const { statusCode, headers } = await getPlain(path);
  expect([statusCode, headers.location]).toEqual([status, undefined]);
});

test.each([
  ['[2001:db8::1]:8080', '[2001:db8::1]'],
  ['192.0.2.1', '192.0.2.1'],
])('the redirect goes to the host that was asked: %s', async (host, target) => {
  const { headers } = await getPlain('/docs', { host });
  expect(headers.location).toBe(`https://${target}:${port}/docs`);
});

test.each(['[2001:db8::1', 'a b', 'user@example.net', 'example.net/x'])(
  'a host that is none is refused: "%s"',
  async (host) => {
    expect((await getPlain('/docs', { host })).statusCode).toBe(400);
  },
);

test('the redirect goes to the public URL if there is one, unless a proxy has led the client from there', async () => {
  const { context } = service;
  const settings = { ...context.settings, publicUrl: 'https://console.example.net' };
  const other = await startTlsServer({ ...context, settings }, { trustedProxies: ['127.0.0.2'] });
  const target = other.server.address as typeof plain;
  const toldHttp = { host: 'x', 'x-forwarded-proto': 'http' };
  for (const proxy of ['127.0.0.2', '127.0.0.3']) {
    const { headers } = await getPlain('/docs?a=b', toldHttp, proxy, target);
    expect(headers.location).toBe('https://console.example.net/docs?a=b');
    // It would lead to the same proxy again, and so on.
    expect((await getPlain('/docs?a=b', { host: 'x' }, proxy, target)).statusCode).toBe(200);
  }
});

test('a request that came to a trusted proxy over TLS is not redirected', async () => {
  const told = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' };
  expect((await getPlain('/docs', told, '127.0.0.2')).statusCode).toBe(200);
  expect((await getPlain('/docs', told)).statusCode).toBe(308);
  expect((await getPlain('/docs', { ...told, 'x-forwarded-proto': 'http' }, '127.0.0.2')).statusCode).toBe(
    308,
  );
});

test.each(['/docs', '/v2/domains', '/healthz', '/v2/%', '/none'])(
  'every answer over TLS has HSTS: %s',
  async (path) => {
    const { headers } = await exchange(openHttp2(port), { ':path': path });
    expect(headers['strict-transport-security']).toBe('max-age=15552000');
  },
);
