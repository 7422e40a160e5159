import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { authenticate } from '../operations/authenticate.ts';
import { SMALL_SHARE_OCTETS } from '../operations/work-memory.ts';
import type { Store } from '../store/store.ts';
import { createTestApp, openTestService, withStore } from './http-service.test-support.ts';
import { StoreBusy } from '../writes/store-errors.ts';

const service = await openTestService();
const headers = { authorization: `Bearer ${service.key}` };

test('the store is told when the client of a search goes away', async () => {
  const steps: string[] = [];
  let asked = (): void => undefined;
  const searchRecords: Store['searchRecords'] = (_account, _page, _filter, getSignal) =>
    new Promise((_resolve, reject) => {
      getSignal?.().addEventListener('abort', () => {
        steps.push('gone');
        reject(new StoreBusy('nobody wants it'));
      });
      steps.push('asked');
      asked();
    });
  const app = createTestApp(withStore(service, { searchRecords }));
  onTestFinished(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1', path: '/v2/records?search=x', headers });
  client.on('error', () => steps.push('left'));
  asked = () => client.destroy(new Error('enough'));
  client.end();
  await expect.poll(() => steps).toContain('gone');
  expect(steps[0]).toBe('asked');
});

test('a page of long records is sent in pieces, and more such pages at once than fit into memory are refused', async () => {
  const service = await openTestService();
  const app = createTestApp(service.context);
  onTestFinished(() => app.close());
  const headers = { authorization: `Bearer ${service.key}` };
  const domain = 'long.example';
  await app.inject({ method: 'POST', url: '/v2/domains', headers, payload: { domain } });
  const data = Buffer.alloc(60_000, 'zonewright').toString('base64');
  const create = Array.from({ length: 60 }, (_, i) => ({ type: 'OPENPGPKEY', name: `k${i}`, data, ttl: 60 }));
  const url = `/v2/domains/${domain}`;
  const filled = await app.inject({ method: 'POST', url: `${url}/batch`, headers, payload: { create } });
  expect(filled.statusCode).toBe(200);
  const read = () => app.inject({ url: `${url}/records?per_page=500`, headers });
  const page = await read();
  expect(page.headers).not.toHaveProperty('content-length');
  const { records } = page.json<{ records: { data: string }[] }>();
  expect(records.filter((record) => record.data === data)).toHaveLength(60);
  const { workMemory } = service.context;
  const accountId = (await authenticate(service.context, service.key))?.accountId ?? '';
  const shares = [1, 2, 3].map(() => workMemory.open(accountId));
  for (const share of shares) share.growTo(SMALL_SHARE_OCTETS);
  expect(await read()).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
  for (const share of shares) share.release();
  expect((await read()).statusCode).toBe(200);
});
