// A server with TLS on a certificate of its own, and clients of both protocols.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  connect,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeTestCertificate, type TestCertificate } from '../../test/harness/test-certificate.ts';
import type { ConnectionRefusal } from '../base/connection-observer.ts';
import { silentLog } from '../base/log.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import { startHttpServer, type HttpServer, type HttpServerOptions } from './http-server.ts';
import { TlsFiles } from './tls-files.ts';

export const testCertificate = makeTestCertificate();

export interface TlsScene {
  readonly server: HttpServer;
  /** Of HTTPS. */
  readonly port: number;
  readonly files: TlsFiles;
  /** Replaces the certificate and its key. */
  readonly replace: (pair: TestCertificate) => void;
  readonly refusals: readonly ConnectionRefusal[];
  /** The status of every request that has ended. */
  readonly ended: readonly (number | null)[];
}

/** @param atEnd `afterAll` for a server of a whole file */
export async function startTlsServer(
  context: OperationContext,
  options: Partial<HttpServerOptions> = {},
  atEnd: (cleanUp: () => void | Promise<void>) => void = onTestFinished,
): Promise<TlsScene> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-tls-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  const paths = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  const replace = ({ certificate, key }: TestCertificate): void => {
    writeFileSync(paths.certificate, certificate);
    writeFileSync(paths.key, key);
  };
  replace(testCertificate);
  const files = await TlsFiles.open(paths, silentLog, 5);
  atEnd(() => files.close());
  const refusals: ConnectionRefusal[] = [];
  const ended: (number | null)[] = [];
  const server = await startHttpServer({
    address: { host: '127.0.0.1', port: 0 },
    https: { address: { host: '127.0.0.1', port: 0 }, files },
    context,
    log: silentLog,
    rateLimitPerSecond: 0,
    readiness: () => ({ ready: true, detail: {} }),
    metrics: {
      contentType: 'text/plain',
      render: () => Promise.resolve(''),
      requests: { requestBegan: () => undefined, requestEnded: ({ status }) => void ended.push(status) },
      connections: { connectionRefused: (reason) => void refusals.push(reason) },
    },
    ...options,
  });
  atEnd(() => server.stop());
  const port = server.httpsAddress?.port ?? 0;
  return { server, port, files, replace, refusals, ended };
}

/** Opens a connection of HTTP/2; it is closed at the end of the test. */
export function openHttp2(port: number, ca = testCertificate.certificate): ClientHttp2Session {
  const session = connect(`https://127.0.0.1:${port}`, { ca });
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

export interface Http2Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** @param body without a length; undefined: the headers end the request */
export function exchange(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string | Buffer,
): Promise<Http2Reply> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, { endStream: body === undefined });
    let reply: IncomingHttpHeaders | undefined;
    const pieces: Buffer[] = [];
    stream.on('response', (received) => (reply = received));
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', reject);
    // Node keeps its side open if the server does not want the rest of a body.
    stream.on('end', () => {
      if (reply === undefined) return;
      resolve({ status: Number(reply[':status']), headers: reply, text: Buffer.concat(pieces).toString() });
    });
    stream.on('close', () => reject(new Error(`no answer (code ${stream.rstCode})`)));
    if (body !== undefined) stream.end(body);
  });
}
