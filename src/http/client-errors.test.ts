import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { openTestService } from './http-service.test-support.ts';
import { startHttpServer } from './http-server.ts';
import type { HttpLimits } from './limits.ts';

// Answers to what never became a whole request, as pages of other origins get them (contract rule 53).

const service = await openTestService();
const page = 'https://console.example.net';
const stranger = 'https://evil.example';
const others = ['https://one.example.net', 'https://two.example.net'];

/** For what never ends; what does must not be late on a busy machine, nor headers before a body that does not. */
const soon = { headersTimeoutMs: 700, requestTimeoutMs: 700, connectionsCheckMs: 50 };

/** The head of the only answer to `bytes`. */
async function headOfAnswer(
  corsOrigins: readonly string[],
  bytes: string,
  limits: Partial<HttpLimits>,
): Promise<string> {
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    context: service.context,
    rateLimitPerSecond: 0,
    readiness: () => ({ ready: true, detail: {} }),
    log: silentLog,
    limits,
    corsOrigins,
  });
  const socket = connect(server.address.port, '127.0.0.1').setEncoding('latin1');
  socket.write(bytes, 'latin1');
  const [head] = (await text(socket)).split('\r\n\r\n');
  await server.stop();
  return head;
}

const from = (origin: string) =>
  `Host: x\r\nAuthorization: Bearer ${service.key}\r\n${origin === '' ? '' : `Origin: ${origin}\r\n`}`;
const cases = {
  'headers that are too large': [
    431,
    (origin: string) => `GET /v2/account HTTP/1.1\r\n${from(origin)}X: ${'a'.repeat(41_000)}`,
  ],
  'headers that do not end': [408, (origin: string) => `GET /v2/account HTTP/1.1\r\n${from(origin)}`],
  'what is no HTTP': [400, () => 'hello\r\n\r\n'],
  'a body that does not end': [
    408,
    (origin: string) => `POST /v2/domains HTTP/1.1\r\n${from(origin)}Content-Length: 9\r\n\r\n{`,
  ],
  'a body in broken chunks': [
    400,
    (origin: string) => `POST /v2/domains HTTP/1.1\r\n${from(origin)}Transfer-Encoding: chunked\r\n\r\nx\r\n`,
  ],
} as const;

const headersRead = ['a body that does not end', 'a body in broken chunks'] as const;
const headersUnread = ['headers that are too large', 'headers that do not end', 'what is no HTTP'] as const;

test.concurrent.each([
  ...Object.keys(cases).map((name) => [name, ['*'], page, '*'] as const),
  ...Object.keys(cases).map((name) => [name, [page], page, page] as const),
  ...headersRead.map((name) => [name, [page, ...others], page, page] as const),
  ...headersRead.map((name) => [name, [page], stranger, undefined] as const),
  // Not read: whose page asks is not known, so nobody is named but the only one whom it can be for.
  ...headersUnread.map((name) => [name, [page], stranger, page] as const),
  ...headersUnread.map((name) => [name, [page, ...others], page, undefined] as const),
  ...Object.keys(cases).map((name) => [name, [], page, undefined] as const),
])(
  'the answer to %s, with origins %j, to a page of %s, is for %s',
  async (name, origins, origin, allowed) => {
    const [status, bytes] = cases[name as keyof typeof cases];
    const head = await headOfAnswer(origins, bytes(origin), status === 408 ? soon : {});
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(/^Access-Control-Allow-Origin: (.*)\r$/m.exec(head)?.[1]).toBe(allowed);
    expect(/^Access-Control-Expose-Headers: .*X-Request-Id/m.test(head)).toBe(allowed !== undefined);
    expect(/^Vary: Origin\r$/m.test(head)).toBe(origins.length > 0 && allowed !== '*');
  },
);
