import { once } from 'node:events';
import { constants } from 'node:http2';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { CommitInDoubt } from '../writes/store-errors.ts';
import { openTestService, withStore } from './http-service.test-support.ts';
import { encodeData, encodeHeaders, encodeReset, openRawHttp2 } from './raw-http2.test-support.ts';
import { exchange, openHttp2, startTlsServer, testCertificate } from './tls-server.test-support.ts';

const service = await openTestService();
const authorization = `Bearer ${service.key}`;
const { certificate: ca } = testCertificate;
const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;

const get = (path: string) => ({ ':path': path, authorization });
const send = (method: string, path: string) => ({ ':method': method, ':path': path, authorization });
const large = Array.from({ length: 5000 }, (_, at) => `host${at} 300 A 10.0.${at >> 8}.${at & 255}`).join(
  '\n',
);

test('the interface answers as over HTTP/1.1', async () => {
  const { port } = await startTlsServer(service.context);
  const session = openHttp2(port);
  const domain = '/v2/domains/same.example';
  const created = await exchange(session, send('POST', '/v2/domains'), '{"domain":"same.example"}');
  expect([created.status, created.headers['content-type'], created.headers['content-length']]).toEqual([
    201,
    'application/json',
    String(created.text.length),
  ]);
  // A body with its length, and white space after it.
  const lengthy = { ...send('POST', `${domain}/records`), 'content-length': '60' };
  const record = '{"type":"A","name":"www","data":"192.0.2.1","ttl":300}'.padEnd(60);
  const { text } = await exchange(session, lengthy, record);
  const { id } = (JSON.parse(text) as { record: { id: string } }).record;
  const patched = await exchange(session, send('PATCH', `${domain}/records/${id}`), '{"ttl":60}');
  expect([patched.status, patched.text, patched.headers['content-type']]).toEqual([
    204,
    '',
    'text/html; charset=UTF-8',
  ]);
  expect(await exchange(session, send('DELETE', `${domain}/records/${id}`))).toMatchObject({ status: 204 });
  expect(await exchange(session, get(`${domain}/records/${id}`))).toMatchObject({ status: 404 });
  expect(await exchange(session, send('PUT', `${domain}/records`), '{}')).toMatchObject({ status: 405 });
  expect(await exchange(session, send('POST', '/v2/domains'), '{')).toMatchObject({ status: 400 });
  expect(await exchange(session, send('POST', '/v2/domains'), '')).toMatchObject({ status: 400 });
  expect(await exchange(session, get('/v2/%'))).toMatchObject({ status: 400 });
  expect(await exchange(session, { ':path': '/v2/domains' })).toMatchObject({ status: 403 });
  expect(await exchange(session, get('/docs'))).toMatchObject({ status: 200 });
});

test('long bodies go both ways, and HEAD gets the headers alone', async () => {
  const { port } = await startTlsServer(service.context);
  const session = openHttp2(port);
  const path = '/v2/domains/long.example/zonefile';
  expect(await exchange(session, send('PUT', `${path}?create=true`), large)).toMatchObject({ status: 200 });
  const { text } = await exchange(session, get(path));
  expect(text.split('\n').filter((line) => line.startsWith('host'))).toHaveLength(5000);
  const head = await exchange(session, send('HEAD', path));
  expect([head.status, head.text]).toEqual([200, '']);
  const list = await exchange(session, get('/v2/domains/long.example/records?per_page=500'));
  expect((JSON.parse(list.text) as { records: object[] }).records).toHaveLength(500);
  const script = await exchange(session, get('/docs/static/swagger-ui-bundle.js'));
  expect(script.text.length).toBeGreaterThan(1_000_000);
});

test('a refused body is answered while it is sent', async () => {
  const { port } = await startTlsServer(service.context);
  const session = openHttp2(port);
  const tooLong = Buffer.alloc(1_500_000, ' ');
  const post = send('POST', '/v2/domains');
  expect(await exchange(session, post, tooLong)).toMatchObject({ status: 413 });
  const withLength = { ...post, 'content-length': String(tooLong.length) };
  expect(await exchange(session, withLength, tooLong)).toMatchObject({ status: 413 });
  expect(await exchange(session, { ...post, authorization: '' }, tooLong)).toMatchObject({ status: 403 });
  expect(await exchange(session, get('/v2/account'))).toMatchObject({ status: 200 });
});

const headersOf = (path: string, method: string) => ({
  ':method': method,
  ':scheme': 'https',
  ':path': path,
  ':authority': 'localhost',
  authorization,
});

test.each([
  ['with CANCEL', NGHTTP2_CANCEL],
  ['as if nothing were wrong', NGHTTP2_NO_ERROR],
  ['with the connection', undefined],
])('a body that ends too early is not taken for a whole one: %s', async (_, code) => {
  const { port, ended } = await startTlsServer(service.context);
  const domain = `cut-${String(code)}.example`;
  const path = `/v2/domains/${domain}/zonefile`;
  const session = openHttp2(port);
  await exchange(session, send('PUT', `${path}?create=true`), 'one 300 A 192.0.2.1\ntwo 300 A 192.0.2.2\n');
  const before = await exchange(session, get(path));
  const client = await openRawHttp2(port, { ca });
  client.send(encodeHeaders(1, headersOf(path, 'PUT'), false), encodeData(1, 'one 300 A 192.0.2.1\n', false));
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (code === undefined) client.socket.destroy();
  else client.send(encodeReset(1, code));
  await expect.poll(() => ended).toEqual([200, 200, null]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await exchange(session, get(path))).toMatchObject({ status: 200, text: before.text });
});

test('the stream is reset without an answer if the result of a write is unknown, and the others go on', async () => {
  const write = () => Promise.reject(new CommitInDoubt('the connection broke during COMMIT'));
  const { port, ended } = await startTlsServer(withStore(service, { write }), { log: silentLog });
  const session = openHttp2(port);
  const body = JSON.stringify({ domain: 'unknown.example' });
  await expect(exchange(session, send('POST', '/v2/domains'), body)).rejects.toThrow(
    'NGHTTP2_INTERNAL_ERROR',
  );
  expect(NGHTTP2_INTERNAL_ERROR).toBe(2);
  expect(await exchange(session, get('/v2/account'))).toMatchObject({ status: 200 });
  expect(ended).toEqual([null, 200]);
});

test('a client whose body does not arrive in time gets 408', async () => {
  const { port } = await startTlsServer(service.context, {
    limits: { requestTimeoutMs: 200, connectionsCheckMs: 20 },
  });
  const session = openHttp2(port);
  const late = session.request(send('POST', '/v2/domains'), { endStream: false });
  late.write('{');
  let text = '';
  late.on('data', (piece: Buffer) => (text += piece.toString()));
  const [headers] = (await once(late, 'response')) as [Record<string, unknown>];
  expect(headers[':status']).toBe(408);
  await once(late, 'end');
  expect(JSON.parse(text)).toMatchObject({ code: 'request_timeout' });
  expect(await exchange(session, get('/v2/account'))).toMatchObject({ status: 200 });
});

test('headers that are too large get 431, and CONNECT gets 400', async () => {
  const { port } = await startTlsServer(service.context);
  const session = openHttp2(port);
  const tooLarge = await exchange(session, { ...get('/v2/account'), 'x-long': 'x'.repeat(41_000) });
  expect(tooLarge).toMatchObject({ status: 431 });
  expect(JSON.parse(tooLarge.text)).toMatchObject({ code: 'headers_too_large' });
  expect(tooLarge.headers.ratelimit).toContain('"address"');
  const tunnel = await exchange(session, { ':method': 'CONNECT', ':authority': 'example.com:443' }, '');
  expect(JSON.parse(tunnel.text)).toMatchObject({ code: 'invalid_request' });
});

test('a key keeps its connection open', async () => {
  const { port } = await startTlsServer(service.context, {
    limits: { keylessIdleMs: 500, connectionsCheckMs: 20 },
  });
  const known = openHttp2(port);
  expect(await exchange(known, get('/v2/account'))).toMatchObject({ status: 200 });
  const unknown = openHttp2(port);
  const closed = once(unknown, 'close');
  expect(await exchange(unknown, { ':path': '/healthz' })).toMatchObject({ status: 200 });
  await closed;
  expect(await exchange(known, get('/v2/account'))).toMatchObject({ status: 200 });
});

test('stop() lets requests in progress end, and closes idle connections', async () => {
  const { server, port } = await startTlsServer(service.context);
  const [busy, idle] = [openHttp2(port), openHttp2(port)];
  await exchange(idle, get('/v2/account'));
  const body = JSON.stringify({ domain: 'under-way.example' });
  const under = busy.request(send('POST', '/v2/domains'), { endStream: false });
  under.write(body.slice(0, 5));
  await exchange(busy, get('/v2/account'));
  const stopped = server.stop();
  await once(idle, 'close');
  under.end(body.slice(5));
  const [headers] = (await once(under, 'response')) as [Record<string, unknown>];
  expect(headers[':status']).toBe(201);
  under.resume();
  await stopped;
  await expect(exchange(openHttp2(port), get('/v2/account'))).rejects.toThrow();
});

test('stop() ends requests whose clients do not send the rest, or that do not finish', async () => {
  const findAccount = () => new Promise<never>(() => undefined);
  const endless = withStore(service, { findAccount });
  const stalled = await startTlsServer(service.context, {
    limits: { stopStallMs: 100, stopTimeoutMs: 1_000_000 },
  });
  const waiting = await startTlsServer(endless, { limits: { stopStallMs: 1_000_000, stopTimeoutMs: 200 } });
  const [first, second] = [openHttp2(stalled.port), openHttp2(waiting.port)];
  first.request(send('POST', '/v2/domains'), { endStream: false }).on('error', () => undefined);
  second.request(get('/v2/account')).on('error', () => undefined);
  await Promise.all([exchange(first, { ':path': '/healthz' }), exchange(second, { ':path': '/healthz' })]);
  await Promise.all([stalled.server.stop(), waiting.server.stop()]);
});
