import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createClient } from './zonewright-client.ts';

/** The fate of each request in turn: the connection breaks before an answer, or it gets a prepared answer. */
type Fate = 'lost' | { status: number; body?: unknown; headers?: Record<string, string> };

let fates: Fate[] = [];
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let slept: number[] = [];

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    const fate = fates.shift()!;
    if (fate === 'lost') return void request.socket.destroy();
    response.writeHead(fate.status, fate.headers);
    response.end(
      fate.body === undefined || typeof fate.body === 'string' ? fate.body : JSON.stringify(fate.body),
    );
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = createClient({ url, key: 'zw_k', sleep: (ms) => Promise.resolve(void slept.push(ms)) });
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  fates = [];
  seen = [];
  slept = [];
});

const noChanges = { created: [], updated: [], deleted: [], unchanged: 0 };
const record = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };

test('a POST is retried with the same Idempotency-Key after a broken connection, and each POST has its own', async () => {
  const made = { status: 201, body: { record: { ...record, id: 'x' } } };
  fates = ['lost', 'lost', made, made];
  expect(await client.records.create('a.test', record)).toMatchObject({ created: true });
  await client.records.create('a.test', record);
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]]);
  expect(keys[3]).not.toBe(keys[0]);
  expect(slept).toEqual([100, 1000]);
});

test('creating accounts and keys is retried like any other creation', async () => {
  const key = { id: 'k', key: 'zw_new', scope: 'full', label: '' };
  fates = [
    'lost',
    { status: 201, body: { key } },
    'lost',
    { status: 201, body: { account: { id: 'a' }, key } },
  ];
  expect(await client.keys.create({ label: '' })).toEqual(key);
  expect(await client.accounts.create({ name: 'x', email: 'x@y' })).toEqual({ account: { id: 'a' }, key });
  const sent = seen.map(
    ({ method, url: path, headers }) => `${method} ${path} ${String(headers['idempotency-key'])}`,
  );
  expect([sent[0], sent[2]]).toEqual([sent[1], sent[3]]);
  expect(sent[0]).toMatch(/^POST \/v2\/keys [0-9a-f]{32}$/);
});

test.each([
  ['a read', () => client.domains.get('a.test'), { status: 200, body: { domain: {} } }],
  ['a patch', () => client.records.update('a.test', 'x', { ttl: 60 }), { status: 204 }],
  [
    'a replacement',
    () => client.zoneFiles.replace('a.test', ''),
    { status: 200, body: { changes: noChanges } },
  ],
  ['a deletion', () => client.records.delete('a.test', 'x'), { status: 204 }],
  [
    'a removal that had been done',
    () => client.domains.delete('a.test'),
    { status: 404, body: { error: 'gone' } },
  ],
])('%s whose connection broke is sent again', async (_name, send, answer) => {
  fates = ['lost', answer];
  await send();
  expect(seen).toHaveLength(2);
});

test('a write with a precondition is not retried, because it would be refused if it was carried out', async () => {
  fates = ['lost'];
  await expect(client.domains.delete('a.test', { ifMatch: '"1"' })).rejects.toMatchObject({
    name: 'UnreachableError',
    isLost: true,
  });
  expect(seen).toHaveLength(1);
  expect(seen[0].headers['if-match']).toBe('"1"');
});

test('retries after broken connections end after four attempts', async () => {
  fates = ['lost', 'lost', 'lost', 'lost', { status: 204 }];
  await expect(client.records.delete('a.test', 'x')).rejects.toMatchObject({ name: 'UnreachableError' });
  expect(seen).toHaveLength(4);
});

test('a deletion that finds nothing at the first attempt is an error', async () => {
  fates = [{ status: 404, body: { error: 'unknown', status: 404 } }];
  await expect(client.records.delete('a.test', 'x')).rejects.toMatchObject({ status: 404 });
});

test('a dry run has dry_run in its query and resolves with the difference', async () => {
  const plan = { dry_run: true, changes: noChanges, warnings: [] };
  fates = [{ status: 200, body: plan }];
  const result = await client.records.update('a.test', 'x', { ttl: 60 }, { dryRun: true });
  expect(result.changes.unchanged).toBe(0);
  expect(seen[0].url).toBe('/v2/domains/a.test/records/x?dry_run=true');
});

test('dry runs on accounts and keys resolve with the objects', async () => {
  const key = { id: 'k', scope: 'full', label: '' };
  const keyPlan = { dry_run: true, key };
  fates = [
    { status: 200, body: { ...keyPlan, account: { id: 'a' } } },
    { status: 200, body: keyPlan },
    { status: 200, body: keyPlan },
  ];
  const dryRun = { dryRun: true } as const;
  expect((await client.accounts.create({ name: 'x', email: 'x@y' }, dryRun)).account.id).toBe('a');
  expect((await client.keys.create({}, dryRun)).key).toEqual(key);
  expect((await client.keys.revoke('k', dryRun)).key).toEqual(key);
  expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
    'POST /v2/accounts?dry_run=true',
    'POST /v2/keys?dry_run=true',
    'DELETE /v2/keys/k?dry_run=true',
  ]);
});

test('a 404 to the dry run of a deletion is an error, even after a broken connection', async () => {
  fates = ['lost', { status: 404, body: { error: 'Invalid key', status: 404 } }];
  await expect(client.keys.revoke('k', { dryRun: true })).rejects.toMatchObject({ status: 404 });
});

test('an answer that is not a dry run is an error', async () => {
  fates = [{ status: 204 }];
  await expect(client.records.delete('a.test', 'x', { dryRun: true })).rejects.toMatchObject({
    name: 'ApiError',
    message: expect.stringContaining('does not support dry runs') as string,
  });
});

test('a note is sent as one line of UTF-8, and the revision is returned', async () => {
  fates = [{ status: 204, headers: { etag: '"1-2"', 'zone-serial': '7' } }];
  const written = await client.records.delete('a.test', 'x', { note: 'für\r\nMüller ' });
  expect(written).toEqual({ serial: 7, etag: '"1-2"' });
  expect(Buffer.from(String(seen[0].headers['x-change-note']), 'latin1').toString()).toBe('für Müller');
});

test('a zone file is text in both directions, and is not sent again if it is known', async () => {
  fates = [
    { status: 200, body: '@ 300 IN A 192.0.2.1\n', headers: { etag: '"1"' } },
    { status: 304 },
    { status: 200, body: '; signed\n' },
    { status: 200, body: { changes: noChanges, set_aside: [], warnings: [] } },
  ];
  expect(await client.zoneFiles.get('a.test', { at: 7 })).toEqual({
    text: '@ 300 IN A 192.0.2.1\n',
    etag: '"1"',
  });
  expect(await client.zoneFiles.get('a.test', { ifNoneMatch: '"1"' })).toBeUndefined();
  expect(await client.zoneFiles.get('a.test', { dnssec: true })).toMatchObject({ text: '; signed\n' });
  await client.zoneFiles.merge('a.test', '@ 300 A 192.0.2.1');
  expect(seen.map(({ method, url: path, body }) => [method, path, body])).toEqual([
    ['GET', '/v2/domains/a.test/zonefile?at=7', ''],
    ['GET', '/v2/domains/a.test/zonefile', ''],
    ['GET', '/v2/domains/a.test/zonefile?dnssec=true', ''],
    ['POST', '/v2/domains/a.test/zonefile', '@ 300 A 192.0.2.1'],
  ]);
  expect(seen[3].headers['content-type']).toBe('text/dns');
});

test('many changes are sent in batches of 10,000, in order', async () => {
  const answer = { status: 200, body: { changes: noChanges } };
  fates = [answer, answer, answer];
  const create = Array.from({ length: 19_999 }, (_, index) => ({ ...record, name: `h${index}` }));
  const pieces: unknown[] = [];
  for await (const piece of client.records.changeMany('a.test', { delete: ['1', '2'], create }))
    pieces.push(piece);
  expect(pieces).toHaveLength(3);
  const sizes = seen.map(({ body }) => {
    const lists = JSON.parse(body) as Record<'delete' | 'update' | 'create', unknown[]>;
    return [lists.delete.length, lists.update.length, lists.create.length];
  });
  expect(sizes).toEqual([
    [2, 0, 9998],
    [0, 0, 10_000],
    [0, 0, 1],
  ]);
});

test('a filter is part of the query of every page', async () => {
  const page = (next: string) => ({ status: 200, body: { records: [{}], meta: { links: { next } } } });
  fates = [page('c'), page('')];
  const rows = [];
  for await (const row of client.records.list('a.test', { type: 'TXT', search: undefined })) rows.push(row);
  expect(rows).toHaveLength(2);
  expect(seen.map((request) => request.url)).toEqual([
    '/v2/domains/a.test/records?type=TXT&per_page=500',
    '/v2/domains/a.test/records?type=TXT&per_page=500&cursor=c',
  ]);
});

test('a page of found records has a size, and says how many there are', async () => {
  const meta = { total: 7, links: { next: 'c', prev: '' } };
  fates = [{ status: 200, body: { records: [record], meta } }];
  const page = await client.records.searchPage('www', { per_page: 1 });
  expect(page).toEqual({ rows: [record], total: 7, next: 'c' });
  expect(seen.map(({ url: path }) => path)).toEqual(['/v2/records?search=www&per_page=1']);
});

test('a search that is given up while it waits is not sent again, and its wait ends', async () => {
  const giving = new AbortController();
  const waiting = createClient({ url, key: 'zw_k' });
  fates = [{ status: 429, body: { error: 'Wait' }, headers: { 'retry-after': '60' } }];
  const found = waiting.records.searchPage('www', { signal: giving.signal });
  await expect.poll(() => seen.length).toBe(1);
  giving.abort();
  await expect(found).rejects.toMatchObject({ name: 'AbortError' });
  expect(seen).toHaveLength(1);
});

test('a search that is given up before its answer rejects with the reason of the signal', async () => {
  const giving = new AbortController();
  const reason = new Error('somebody types on');
  const impatient = createClient({
    url,
    fetch: (...request) => {
      const answer = fetch(...request);
      giving.abort(reason);
      return answer;
    },
  });
  fates = [{ status: 200, body: { records: [], meta: {} } }];
  await expect(impatient.records.searchPage('www', { signal: giving.signal })).rejects.toBe(reason);
});
