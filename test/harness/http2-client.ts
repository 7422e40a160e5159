import { once } from 'node:events';
import {
  connect,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Service } from './service.ts';

/* A client of HTTP/2 over TLS. */

/** @param ca PEM of the certificate to accept */
export function openHttp2(service: Service, ca: string): ClientHttp2Session {
  const session = connect(`https://${service.httpsAddress}`, { ca });
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

export interface Http2Reply {
  readonly status: number;
  readonly location: string | undefined;
  readonly hsts: string | undefined;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** @throws if the connection cannot be used */
export async function sendHttp2(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string,
): Promise<Http2Reply> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader];
  const { location, 'strict-transport-security': hsts, 'set-cookie': cookies = [] } = answer;
  return { status: answer[':status'] ?? 0, location, hsts, cookies, body: await text(stream) };
}

/** One request on a connection of its own. */
export async function findHealth(service: Service, ca: string): Promise<number> {
  return (await sendHttp2(openHttp2(service, ca), { ':path': '/healthz' })).status;
}
