import { expect, test } from 'vitest';
import { createTestApp, openTestService } from './http-service.test-support.ts';

const { context } = await openTestService();
const app = createTestApp(context);

test('a file of the reference page is sent again only if it has changed', async () => {
  const url = '/docs/static/index.css';
  const first = await app.inject({ url });
  expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  const etag = String(first.headers.etag);
  const second = await app.inject({ url, headers: { 'if-none-match': `"other", W/${etag}` } });
  expect([second.statusCode, second.payload, second.headers.etag]).toEqual([304, '', etag]);
  const third = await app.inject({ url, headers: { 'if-none-match': '"other"' } });
  expect([third.statusCode, third.payload]).toEqual([200, first.payload]);
});

test('browsers never combine a kept part of the reference page with newer parts', async () => {
  for (const path of ['', '/json', '/static/initializer.js', '/static/swagger-ui.css']) {
    const url = `/docs${path}`;
    expect((await app.inject({ url })).headers['cache-control'], url).toBe('no-cache');
  }
  const headers = { 'if-none-match': '*' };
  const known = await app.inject({ url: '/docs/static/swagger-ui.css', headers });
  expect([known.statusCode, known.headers['cache-control']]).toEqual([304, 'no-cache']);
});

test('the reference page loads the OpenAPI document of the interface', async () => {
  const document = await app.inject({ url: '/v2/openapi.json' });
  const loaded = await app.inject({ url: '/docs/json' });
  expect(loaded.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(loaded.payload).toBe(document.payload);
});
