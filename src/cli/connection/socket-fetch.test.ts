import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { createClient } from '../../client/zonewright-client.ts';
import { reachService } from './socket-fetch.ts';

const folder = mkdtempSync(join(tmpdir(), 'zonewright-'));
const path = join(folder, 'http.sock');
const seen: string[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    seen.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''} ${body}`);
    if (request.method === 'DELETE') response.writeHead(204).end();
    else
      response
        .writeHead(201, { 'content-type': 'application/json' })
        .end('{"domain":{"domain":"é.example"}}');
  });
}).listen(path);
await once(server, 'listening');
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test('a client reaches a service on a Unix socket', async () => {
  const client = createClient(reachService({ url: `unix:${path}`, key: 'zw_k' }));
  await client.domains.create({ domain: 'é.example' });
  await client.domains.delete('a.example');
  expect(seen).toEqual([
    'POST /v2/domains Bearer zw_k {"domain":"é.example"}',
    'DELETE /v2/domains/a.example Bearer zw_k ',
  ]);
});

test('a socket on which nobody listens is reported like an unused port', async () => {
  const client = createClient({
    ...reachService({ url: `unix:${join(folder, 'absent.sock')}`, key: 'zw_k' }),
    sleep: () => Promise.resolve(),
  });
  await expect(client.domains.get('a.example')).rejects.toThrow('ENOENT');
});

test('an answer that takes too long ends with the reason of the signal', async () => {
  const silent = createServer(() => undefined).listen(join(folder, 'silent.sock'));
  await once(silent, 'listening');
  const { fetch: send } = reachService({ url: `unix:${join(folder, 'silent.sock')}`, key: 'zw_k' });
  await expect(send?.('http://localhost/', { signal: AbortSignal.timeout(1) })).rejects.toThrow(
    expect.objectContaining({ name: 'TimeoutError' }),
  );
  silent.closeAllConnections();
  silent.close();
});
