import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
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
