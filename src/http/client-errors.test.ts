import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import type { TcpAddress } from './http-address.ts';
import { openTestService } from './http-service.test-support.ts';
import { startHttpServer } from './http-server.ts';
import type { HttpLimits } from './limits.ts';

// Answers to incomplete and malformed requests from pages of other origins (contract rule 53).

const service = await openTestService();
const page = 'https://console.example.net';
const stranger = 'https://evil.example';
const others = ['https://one.example.net', 'https://two.example.net'];

/** Timeouts for requests that never end. Long enough that complete requests arrive in time on a busy machine. */
const soon = { headersTimeoutMs: 700, requestTimeoutMs: 700, connectionsCheckMs: 50 };

/** Returns the head of the answer to `bytes`. */
async function headOfAnswer(
  corsOrigins: readonly string[],
  bytes: string,
  limits: Partial<HttpLimits>,
): Promise<string> {
  const server = await startHttpServer({
    address: { host: '127.0.0.1', port: 0 },
    context: service.context,
    rateLimitPerSecond: 0,
    readiness: () => ({ ready: true, detail: {} }),
    log: silentLog,
    limits,
    corsOrigins,
  });
  const socket = connect(server.address as TcpAddress).setEncoding('latin1');
  socket.write(bytes, 'latin1');
  const [head] = (await text(socket)).split('\r\n\r\n');
  await server.stop();
  return head;
}

const from = (origin: string) =>
  `Host: x\r\nAuthorization: Bearer ${service.key}\r\n${origin === '' ? '' : `Origin: ${origin}\r\n`}`;
const cases = {
  'oversized headers': [
    431,
    (origin: string) => `GET /v2/account HTTP/1.1\r\n${from(origin)}X: ${'a'.repeat(41_000)}`,
  ],
  'incomplete headers': [408, (origin: string) => `GET /v2/account HTTP/1.1\r\n${from(origin)}`],
  'bytes that are not HTTP': [400, () => 'hello\r\n\r\n'],
  'an incomplete body': [
    408,
    (origin: string) => `POST /v2/domains HTTP/1.1\r\n${from(origin)}Content-Length: 9\r\n\r\n{`,
  ],
  'a body in malformed chunks': [
    400,
    (origin: string) => `POST /v2/domains HTTP/1.1\r\n${from(origin)}Transfer-Encoding: chunked\r\n\r\nx\r\n`,
  ],
} as const;

const headersRead = ['an incomplete body', 'a body in malformed chunks'] as const;
const headersUnread = ['oversized headers', 'incomplete headers', 'bytes that are not HTTP'] as const;

test.concurrent.each([
  ...Object.keys(cases).map((name) => [name, ['*'], page, '*'] as const),
  ...Object.keys(cases).map((name) => [name, [page], page, page] as const),
  ...headersRead.map((name) => [name, [page, ...others], page, page] as const),
  ...headersRead.map((name) => [name, [page], stranger, undefined] as const),
  // The headers were not read, so the origin is unknown: the answer names an origin only if there is just one.
  ...headersUnread.map((name) => [name, [page], stranger, page] as const),
  ...headersUnread.map((name) => [name, [page, ...others], page, undefined] as const),
  ...Object.keys(cases).map((name) => [name, [], page, undefined] as const),
])(
  'the answer to %s with the allowed origins %j to a page of %s allows %s',
  async (name, origins, origin, allowed) => {
    const [status, bytes] = cases[name as keyof typeof cases];
    const head = await headOfAnswer(origins, bytes(origin), status === 408 ? soon : {});
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(/^Access-Control-Allow-Origin: (.*)\r$/m.exec(head)?.[1]).toBe(allowed);
    expect(/^Access-Control-Expose-Headers: .*X-Request-Id/m.test(head)).toBe(allowed !== undefined);
    expect(/^Vary: Origin\r$/m.test(head)).toBe(origins.length > 0 && allowed !== '*');
  },
);
