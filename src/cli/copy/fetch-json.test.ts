import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { cloudflareSource } from './cloudflare.ts';
import type { CopySource } from './copy-source.ts';
import { digitaloceanSource } from './digitalocean.ts';

let server: Server;
let asked: string[] = [];
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A provider's API that answers each path with its prepared answers in order. */
async function serve(answers: Partial<Record<string, (object | number)[]>>): Promise<string> {
  asked = [];
  server = createServer(({ url = '', headers }, response) => {
    asked.push(url);
    const answer = headers.authorization === 'Bearer token' ? ((answers[url] ?? []).shift() ?? 404) : 403;
    if (typeof answer === 'number') response.writeHead(answer, { 'Retry-After': '0' });
    response.end(typeof answer === 'number' ? '{"message":"no such thing"}' : JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function loadAll(source: CopySource): Promise<string[]> {
  const zones = await source.list(() => undefined);
  const texts = await Promise.all(zones.map(async (zone) => `${zone.domain}: ${(await zone.load()).text}`));
  return texts.map((text) => text.replace(/ +/g, ' ').replace(/\n/g, '|'));
}

const a = (name: string) => ({ type: 'A', name, content: '192.0.2.1', data: '192.0.2.1', ttl: 60 });

test('all pages of Cloudflare are requested, again if it is too busy', async () => {
  const url = await serve({
    '/zones?page=1&per_page=50': [
      { result: [{ id: 'z1', name: 'Example.com' }], result_info: { page: 1, total_pages: 2 } },
    ],
    '/zones?page=2&per_page=50': [
      { result: [{ id: 'z2', name: 'example.org' }], result_info: { page: 2, total_pages: 2 } },
    ],
    '/zones/z1/dns_records?page=1&per_page=1000': [
      429,
      { result: [a('a.example.com')], result_info: { total_pages: 2 } },
    ],
    '/zones/z1/dns_records?page=2&per_page=1000': [
      { result: [a('b.example.com')], result_info: { total_pages: 2 } },
    ],
    '/zones/z2/dns_records?page=1&per_page=1000': [{ result: [], result_info: { total_pages: 0 } }],
  });
  expect(await loadAll(cloudflareSource({ url, key: 'token' }, undefined))).toEqual([
    'example.com: $ORIGIN example.com.|a 60 IN A 192.0.2.1|b 60 IN A 192.0.2.1|',
    'example.org: $ORIGIN example.org.|',
  ]);
});

test('pages of DigitalOcean are requested as long as there is a link to the next', async () => {
  const url = await serve({
    '/domains?page=1&per_page=200': [{ domains: [{ name: 'example.com' }], links: {} }],
    '/domains/example.com/records?page=1&per_page=200': [
      503,
      { domain_records: [a('a')], links: { pages: { next: 'https://elsewhere.example/steal' } } },
    ],
    '/domains/example.com/records?page=2&per_page=200': [{ domain_records: [a('b')], links: { pages: {} } }],
  });
  expect(await loadAll(digitaloceanSource({ url, key: 'token' }, undefined))).toEqual([
    'example.com: $ORIGIN example.com.|a 60 IN A 192.0.2.1|b 60 IN A 192.0.2.1|',
  ]);
});

test('pages of Cloudflare without a count are requested until one is empty', async () => {
  const url = await serve({
    '/zones?page=1&per_page=50': [{ result: [{ id: 'z1', name: 'example.com' }], result_info: {} }],
    '/zones?page=2&per_page=50': [{ result: [], result_info: {} }],
    '/zones/z1/dns_records?page=1&per_page=1000': [{ result: [a('a.example.com')] }],
    '/zones/z1/dns_records?page=2&per_page=1000': [{ result: [a('b.example.com')] }],
    '/zones/z1/dns_records?page=3&per_page=1000': [{ result: [] }],
  });
  expect(await loadAll(cloudflareSource({ url, key: 'token' }, undefined))).toEqual([
    'example.com: $ORIGIN example.com.|a 60 IN A 192.0.2.1|b 60 IN A 192.0.2.1|',
  ]);
});

test('internal zones of Cloudflare are skipped and reported', async () => {
  const zones = [
    { id: 'z1', name: 'example.com', type: 'full' },
    { id: 'z2', name: 'example.com', type: 'internal' },
  ];
  const url = await serve({
    '/zones?page=1&per_page=50': [{ result: zones, result_info: { total_pages: 1 } }],
  });
  const said: string[] = [];
  const list = await cloudflareSource({ url, key: 'token' }, undefined).list((text) => said.push(text));
  expect(list.map(({ domain }) => domain)).toEqual(['example.com']);
  expect(said).toEqual(['skipped internal zones of Cloudflare: example.com']);
});

test('an answer without the list is a failure, not an empty zone', async () => {
  const url = await serve({
    '/zones?page=1&per_page=50': [
      { result: null, success: false },
      { result: [{ id: 'z1', name: 'a.example' }] },
    ],
    '/zones?page=2&per_page=50': [{ result: [] }],
    '/zones/z1/dns_records?page=1&per_page=1000': [{ success: true }],
    '/domains?page=1&per_page=200': [{ message: 'moved' }],
    '/domains/a.example/records?page=1&per_page=200': [{}],
  });
  const access = { url, key: 'token' };
  await expect(loadAll(cloudflareSource(access, undefined))).rejects.toThrow('answered without result');
  await expect(loadAll(cloudflareSource(access, undefined))).rejects.toThrow('answered without result');
  await expect(loadAll(digitaloceanSource(access, undefined))).rejects.toThrow('answered without domains');
  await expect(loadAll(digitaloceanSource(access, ['a.example']))).rejects.toThrow('without domain_records');
});

test('a provider’s refusal is reported with its status and message', async () => {
  const url = await serve({});
  await expect(loadAll(digitaloceanSource({ url, key: 'token' }, ['gone.example']))).rejects.toThrow(
    /answered 404: no such thing$/,
  );
  await expect(loadAll(cloudflareSource({ url, key: 'wrong' }, undefined))).rejects.toThrow(/answered 403/);
  expect(asked).toHaveLength(2);
});
