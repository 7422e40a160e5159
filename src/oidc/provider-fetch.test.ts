import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createProviderFetch, MAX_ANSWER_BYTES } from './provider-fetch.ts';

const servers: (() => void)[] = [];
afterAll(() => servers.forEach((close) => close()));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const ask = createProviderFetch(true);

test('an answer arrives with its status and headers', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"invalid_grant"}');
  });
  const answer = await ask(url, { method: 'POST', body: 'a=b' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json']);
  expect(await answer.json()).toEqual({ error: 'invalid_grant' });
});

test('an answer that leads elsewhere is not followed', async () => {
  let asked = 0;
  const inner = await serve((_request, response) => {
    asked++;
    response.end();
  });
  const url = await serve((_request, response) => response.writeHead(302, { Location: inner }).end());
  expect((await ask(url, {})).status).toBe(302);
  expect(asked).toBe(0);
});

test('an answer that is too long is refused while it arrives', async () => {
  const url = await serve((_request, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      response.once('drain', write);
    };
    write();
  });
  await expect(ask(url, {})).rejects.toThrow(`more than ${MAX_ANSWER_BYTES} bytes`);
});

test('addresses without TLS are not asked', async () => {
  await expect(ask('http://192.0.2.1/', {})).rejects.toThrow('not an https address');
  await expect(createProviderFetch(false)('http://127.0.0.1/', {})).rejects.toThrow('not an https address');
});
