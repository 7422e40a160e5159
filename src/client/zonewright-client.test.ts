import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiError, UnreachableError } from './api-error.ts';
import { createClient, type ZonewrightClient } from './zonewright-client.ts';

/** The requests that the server received, and its next answers. */
let requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let answers: { status: number; body?: unknown; headers?: Record<string, string> }[];
let slept: number[];
let server: Server;
let client: ZonewrightClient;
let url: string;

beforeEach(async () => {
  requests = [];
  answers = [];
  slept = [];
  server = createServer(answerNext);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createClient({ url, key: 'zw_k', sleep: (ms) => Promise.resolve(void slept.push(ms)) });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function answerNext(request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    requests.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    const answer = answers.shift() ?? { status: 500, body: { error: 'No answer was prepared', status: 500 } };
    response.writeHead(answer.status, answer.headers);
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    response.end(answer.body === undefined ? undefined : text);
  });
}

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function page(member: string, rows: unknown[], next: string): { status: number; body: unknown } {
  return { status: 200, body: { [member]: rows, meta: { total: 3, links: { next, prev: '' } } } };
}

test('an export of records has its revision and serial, and all records', async () => {
  const headers = { etag: '"1f-691ed07a"', 'zone-serial': '1763650001' };
  answers.push({ status: 200, headers, body: '{"id":"1"}\n{"id":"2"}\n' });
  const { etag, serial, slices } = await client.records.export('example.com');
  expect([etag, serial]).toEqual(['"1f-691ed07a"', 1763650001]);
  expect((await collect(slices)).flat()).toEqual([{ id: '1' }, { id: '2' }]);
  expect(requests.map((request) => request.url)).toEqual(['/v2/domains/example.com/records/export']);
});

test('an export of records that the service refuses is an error', async () => {
  answers.push({
    status: 404,
    body: { error: 'There is no such domain', status: 404, code: 'unknown_domain' },
  });
  await expect(client.records.export('example.com')).rejects.toMatchObject({ code: 'unknown_domain' });
});

test('a list follows the cursors to the end', async () => {
  answers.push(page('records', [{ id: '1' }, { id: '2' }], 'abc_-'), page('records', [{ id: '3' }], ''));
  expect(await collect(client.records.list('example.com'))).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
  expect(requests.map((request) => request.url)).toEqual([
    '/v2/domains/example.com/records?per_page=500',
    '/v2/domains/example.com/records?per_page=500&cursor=abc_-',
  ]);
});

test('the history can be read page by page', async () => {
  answers.push(page('changes', [{ serial: 2 }], 'abc_-'), page('changes', [{ serial: 1 }], ''));
  const first = await client.domains.changePage('example.com');
  expect(first).toEqual({ rows: [{ serial: 2 }], next: 'abc_-', total: 3 });
  const filter = { actor: 'u1', from: '2026-11-20T00:00:00Z' };
  expect(await client.domains.changePage('example.com', { ...filter, cursor: first.next })).toEqual({
    rows: [{ serial: 1 }],
    next: undefined,
    total: 3,
  });
  expect(requests.map((request) => request.url)).toEqual([
    '/v2/domains/example.com/changes?per_page=500',
    '/v2/domains/example.com/changes?actor=u1&from=2026-11-20T00%3A00%3A00Z&per_page=500&cursor=abc_-',
  ]);
});

test('a list requests the next page only when it is needed', async () => {
  answers.push(page('domains', [{ domain: 'a.test' }], 'more'));
  for await (const row of client.domains.list()) {
    expect(row.domain).toBe('a.test');
    break;
  }
  expect(requests).toHaveLength(1);
});

test('calls send the key, the path and a JSON body', async () => {
  const record = { type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 };
  answers.push({ status: 201, body: { record: { ...record, id: 'x', priority: -1 } } });
  answers.push({ status: 200, body: { domain: { domain: 'a.test' } } });
  answers.push({ status: 204 });
  answers.push(page('keys', [], ''));
  expect(await client.records.create('a/b', record)).toMatchObject({ created: true, value: { id: 'x' } });
  expect(await client.domains.create({ domain: 'a.test' })).toMatchObject({ created: false });
  await client.keys.revoke('k1');
  await collect(client.keys.list({ account: 'acc' }));
  expect(requests.map(({ method, url: path, body }) => [method, path, body])).toEqual([
    ['POST', '/v2/domains/a%2Fb/records', JSON.stringify(record)],
    ['POST', '/v2/domains', '{"domain":"a.test"}'],
    ['DELETE', '/v2/keys/k1', ''],
    ['GET', '/v2/keys?account=acc&per_page=500', ''],
  ]);
  expect(requests[0].headers).toMatchObject({
    authorization: 'Bearer zw_k',
    'content-type': 'application/json',
  });
  expect(requests[2].headers['content-type']).toBeUndefined();
});

test('a write returns the serial of its domain if the service sends it', async () => {
  const headers = { 'zone-serial': '4294967295' };
  answers.push(
    { status: 201, body: { record: { id: 'x' } }, headers },
    { status: 204, headers },
    { status: 204 },
  );
  const record = { type: 'A', name: 'www', data: '192.0.2.1' };
  expect(await client.records.create('a.test', record)).toMatchObject({ serial: 4_294_967_295 });
  expect(await client.records.delete('a.test', 'x')).toEqual({ serial: 4_294_967_295 });
  expect(await client.records.delete('a.test', 'x')).toEqual({ serial: undefined });
});

const mx = { type: 'MX', name: '', data: '10 mail.a.test' };

function propagation(serial: number, current: boolean): (typeof answers)[number] {
  return { status: 200, body: { propagation: { domain: 'a.test', serial, current, nameservers: [] } } };
}

test('propagation is requested with and without a serial and a wait', async () => {
  answers.push(propagation(7, true), propagation(7, false));
  expect(await client.domains.propagation('a.test')).toMatchObject({ serial: 7, current: true });
  expect(await client.domains.propagation('a.test', { serial: 0, waitSeconds: 10 })).toMatchObject({
    current: false,
  });
  expect(requests.map((request) => request.url)).toEqual([
    '/v2/domains/a.test/propagation',
    '/v2/domains/a.test/propagation?serial=0&wait=10',
  ]);
});

test('waiting requests the serial of the first answer until it is served', async () => {
  answers.push(propagation(7, false), propagation(7, false), propagation(7, true));
  const behind: number[] = [];
  const onBehind = ({ serial }: { serial: number }) => behind.push(serial);
  const served = await client.domains.waitForPropagation('a.test', { timeoutSeconds: 12, onBehind });
  expect(served.current).toBe(true);
  expect(behind).toEqual([7, 7]);
  expect(requests.map(({ url: path }) => path.replace('/v2/domains/a.test/propagation', ''))).toEqual([
    '',
    '?serial=7&wait=5',
    '?serial=7&wait=5',
  ]);
});

test('waiting ends when the time is up', async () => {
  answers.push(...[1, 2, 3, 4].map(() => propagation(7, false)));
  const seen = await client.domains.waitForPropagation('a.test', { serial: 7, timeoutSeconds: 12 });
  expect(seen.current).toBe(false);
  expect(requests.map(({ url: path }) => new URL(path, url).searchParams.get('wait'))).toEqual([
    null,
    '5',
    '5',
    '2',
  ]);
});

test('waiting survives a short outage of the service, except at the start, and not past its time', async () => {
  const broken = { status: 503, body: { error: 'away', status: 503 } };
  answers.push(propagation(7, false), broken, propagation(7, true));
  const wait = { timeoutSeconds: 12 };
  expect(await client.domains.waitForPropagation('a.test', wait)).toMatchObject({ current: true });
  expect(slept).toEqual([5000]);

  answers.push(broken);
  await expect(client.domains.waitForPropagation('a.test', wait)).rejects.toMatchObject({ status: 503 });
  answers.push(propagation(7, false), broken, broken, broken);
  await expect(client.domains.waitForPropagation('a.test', wait)).rejects.toMatchObject({ status: 503 });
  answers.push(propagation(7, false), { status: 404, body: { error: 'deleted', status: 404 } });
  await expect(client.domains.waitForPropagation('a.test', wait)).rejects.toMatchObject({ status: 404 });
  expect(answers).toEqual([]);
});

test('an error has status, code, field and message', async () => {
  answers.push({
    status: 400,
    body: { error: 'ttl is missing', status: 400, code: 'invalid_request', field: 'ttl' },
  });
  const error = await client.domains.get('a.test').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 400,
    code: 'invalid_request',
    field: 'ttl',
    message: 'ttl is missing',
  });
});

test('a malformed answer is an error, even with status 200', async () => {
  for (const status of [200, 404]) {
    answers.push({ status, body: '<html>' });
    await expect(client.domains.get('a.test')).rejects.toThrow(
      `${url} answered ${status}, but not as Zonewright does`,
    );
  }
});

test.each<[string, object, (client: ZonewrightClient) => Promise<unknown>]>([
  ['a value', { dns: {} }, ({ domains }) => domains.get('a.test')],
  ['a created value', { result: 1 }, ({ records }) => records.create('a.test', mx)],
  ['a list', [], ({ domains }) => collect(domains.list())],
  ['a list without its next page', { domains: [] }, ({ domains }) => collect(domains.list())],
  ['changes', {}, ({ records }) => records.change('a.test', {})],
  ['an import', {}, ({ zoneFiles }) => zoneFiles.merge('a.test', '')],
  ['a new account', { account: {} }, ({ accounts }) => accounts.create({ name: 'a', email: 'a@a.test' })],
  ['propagation', { propagation: null }, ({ domains }) => domains.propagation('a.test')],
])('%s that is missing in the answer is an error: something else answers there', async (_, body, call) => {
  answers.push({ status: 200, body });
  await expect(call(client)).rejects.toThrow(
    new ApiError(200, `${url} answered 200, but not as Zonewright does`),
  );
});

test('a list that never ends is an error', async () => {
  answers.push(page('domains', [{ domain: 'a.test' }], 'again'), page('domains', [], 'again'));
  await expect(collect(client.domains.list())).rejects.toThrow(ApiError);
  expect(requests).toHaveLength(2);
});

test('after Retry-After the request is sent again', async () => {
  const later = { status: 429, body: { error: 'slow down', status: 429 }, headers: { 'retry-after': '2' } };
  answers.push(later, { ...later, status: 503 }, { status: 204 });
  await client.domains.delete('a.test');
  expect(slept).toEqual([2000, 2000]);
});

test('retries end after five attempts, or immediately with a long or missing Retry-After', async () => {
  const later = (seconds: string): (typeof answers)[number] => ({
    status: 429,
    body: { error: 'slow down', status: 429 },
    headers: seconds === '' ? {} : { 'retry-after': seconds },
  });
  for (const [seconds, attempts] of [
    ['1', 5],
    ['3600', 1],
    ['', 1],
  ] as const) {
    requests.length = 0;
    answers = Array.from({ length: 9 }, () => later(seconds));
    await expect(client.domains.get('a.test')).rejects.toMatchObject({ status: 429 });
    expect(requests).toHaveLength(attempts);
  }
});

test('a missing answer is an UnreachableError that names the address', async () => {
  server.close();
  server.closeAllConnections();
  const error = await client.domains.get('a.test').catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(UnreachableError);
  expect((error as UnreachableError).message).toBe(`${url} cannot be reached: nothing listens there`);
});

test('the address may end in /v2, but must be an HTTP URL', async () => {
  answers.push({ status: 204 });
  await createClient({ url: `${url}/v2/`, key: 'k' }).domains.delete('a.test');
  expect(requests[0].url).toBe('/v2/domains/a.test');
  expect(() => createClient({ url: 'ftp://x', key: 'k' })).toThrow(TypeError);
});

test('the provider of a user who has signed in is asked again who it is', async () => {
  const identity = {
    issuer: 'https://login.example.net',
    subject: 's1',
    date_created: '2026-11-20T09:03:31+00:00',
  };
  const address = 'https://login.example.net/authorize?prompt=login';
  answers.push(
    { status: 200, body: { identities: [identity] } },
    { status: 200, body: { url: address } },
    { status: 200, body: { url: address } },
  );
  expect(await client.session.identities()).toEqual([identity]);
  expect(await client.session.confirmWithProvider('/proven')).toBe(address);
  expect(await client.session.startWithProvider()).toBe(address);
  expect(requests.map((request) => [request.method, request.url, request.body])).toEqual([
    ['GET', '/v2/user/oidc', ''],
    ['POST', '/v2/session/oidc/confirm', '{"next":"/proven"}'],
    ['POST', '/v2/session/oidc/start', '{}'],
  ]);
});

test('without a key, the browser sends its session, and what has a password or a code is sent once', async () => {
  const inBrowser = createClient({ url, sleep: (ms) => Promise.resolve(void slept.push(ms)) });
  const refusal = { error: 'Too many failed log-ins', status: 429, code: 'login_delayed' };
  answers.push({ status: 429, body: refusal, headers: { 'retry-after': '1' } });
  const proof = { email: 'a@example.net', password: 'p', code: '123456' };
  await expect(inBrowser.session.signIn(proof)).rejects.toMatchObject({ code: 'login_delayed' });
  answers.push({ status: 200, body: { recovery_codes: ['a'] } });
  expect(await inBrowser.factors.confirmOneTimeCodes('654321')).toEqual(['a']);
  expect(requests.map((request) => [request.method, request.url, request.body])).toEqual([
    ['POST', '/v2/session', JSON.stringify(proof)],
    ['POST', '/v2/user/one_time_code/confirm', '{"code":"654321"}'],
  ]);
  expect(requests[0].headers).not.toHaveProperty('authorization');
  expect(slept).toEqual([]);
});

test('an answer of another server is no session', async () => {
  answers.push({ status: 200, body: { hello: 'world' } });
  await expect(client.session.get()).rejects.toBeInstanceOf(ApiError);
});

test('accesses: operators look into an account after saying why, and the request is sent once', async () => {
  const access = { id: 'x1', account: 'a1', reason: 'Ticket 4711' };
  answers.push(
    { status: 201, body: { access } },
    { status: 200, body: { accesses: [access] } },
    { status: 200, body: { accesses: [access] } },
    { status: 204 },
    { status: 503, body: { error: 'Busy', status: 503 } },
  );
  expect(await client.accesses.start('a1', 'Ticket 4711')).toEqual(access);
  expect(await client.accesses.list('a1')).toEqual([access]);
  expect(await client.accesses.listOwn()).toEqual([access]);
  expect(await client.accesses.end('a1')).toBeUndefined();
  await expect(client.accesses.start('a1', 'Ticket 4712')).rejects.toThrow('Busy');
  expect(requests.map(({ method, url: path, body }) => [method, path, body])).toEqual([
    ['POST', '/v2/accounts/a1/access', '{"reason":"Ticket 4711"}'],
    ['GET', '/v2/account/accesses?account=a1', ''],
    ['GET', '/v2/accesses', ''],
    ['DELETE', '/v2/accounts/a1/access', ''],
    ['POST', '/v2/accounts/a1/access', '{"reason":"Ticket 4712"}'],
  ]);
});
