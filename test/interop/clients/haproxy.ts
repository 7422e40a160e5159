// HAProxy in front of a service of its own: version 2 of the PROXY protocol names the client, over TCP, over a Unix
// socket, and before a TLS handshake that HAProxy passes on; health checks are the proxy's own connections; version 1 is refused.

import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../harness/free-port.ts';
import { makeTestCertificate } from '../../harness/test-certificate.ts';
import { expectEqual } from '../expect.ts';
import { startProgram, stopProgram } from '../run-program.ts';
import { startService, type Service } from '../service.ts';
import type { Suite } from '../suite.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** One of the machine's own addresses that is not the proxy's. */
const CLIENT = '127.0.0.2';

const START_TIMEOUT_MS = 20_000;
const STOP_GRACE_MS = 5_000;

const variants = [
  ['addresses', 'send-proxy-v2'],
  ['addresses and TLVs', 'send-proxy-v2 proxy-v2-options crc32c,authority,unique-id'],
] as const;

export const haproxySuite: Suite = {
  name: 'haproxy',
  run: async (runCase, { folder }) => {
    const path = join(folder, 'haproxy.sock');
    for (const http of ['127.0.0.1:0', `unix:${path}`]) {
      const own = join(folder, http.startsWith('unix') ? 'haproxy-unix' : 'haproxy-tcp');
      mkdirSync(own);
      const service = await startService(checkout, own, {
        ZONEWRIGHT_HTTP: http,
        ZONEWRIGHT_PROXY_PROTOCOL: 'yes',
        ZONEWRIGHT_TRUSTED_PROXIES: '127.0.0.1,unix',
      });
      const over = http.startsWith('unix') ? 'a Unix socket' : 'TCP';
      const target = http.startsWith('unix') ? `unix@${path}` : `127.0.0.1:${service.httpPort}`;
      for (const [title, options] of variants)
        await runCase(`${title} over ${over}`, () =>
          withProxy(own, target, `${options} check check-send-proxy inter 100ms`, (port) =>
            seeClients(service, port),
          ),
        );
      await runCase(`version 1 over ${over} is refused`, () =>
        withProxy(own, target, 'send-proxy', async (port) => {
          await sendUntil(502, () => send(service, port, CLIENT, 'GET', '/healthz'));
          return 'HAProxy answers 502';
        }),
      );
      await service.stop();
    }
    await runCase('addresses before TLS, which HAProxy passes on', () =>
      passTls(join(folder, 'haproxy-tls')),
    );
  },
};

/** The client's address counts in the history, for the networks of a key, and in the trail. */
async function passTls(folder: string): Promise<string> {
  mkdirSync(folder);
  const { certificate, key } = makeTestCertificate();
  const [certificatePath, keyPath] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  writeFileSync(certificatePath, certificate);
  writeFileSync(keyPath, key, { mode: 0o600 });
  const https = `127.0.0.1:${await freePort()}`;
  const service = await startService(checkout, folder, {
    ZONEWRIGHT_HTTPS: https,
    ZONEWRIGHT_TLS_CERTIFICATE: certificatePath,
    ZONEWRIGHT_TLS_KEY: keyPath,
    ZONEWRIGHT_PROXY_PROTOCOL: 'yes',
    ZONEWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
  });
  try {
    return await withProxy(
      folder,
      https,
      'send-proxy-v2',
      async (port) => {
        const said = await seeClients(service, port, certificate);
        await seeRefusedNetwork(service, port, certificate);
        return `${said}, the trail has ::1`;
      },
      'tcp',
    );
  } finally {
    await service.stop();
  }
}

/** A key that is good from one client is refused from another one, which the trail names. */
async function seeRefusedNetwork(service: Service, port: number, authority: string): Promise<void> {
  const wanted = JSON.stringify({ scope: 'read', networks: [CLIENT] });
  const created = await send(service, port, CLIENT, 'POST', '/v2/keys', wanted, authority);
  const { key } = (JSON.parse(created.body) as { key: { key: string } }).key;
  const list = (address: string) => send({ key }, port, address, 'GET', '/v2/domains', '', authority);
  expectEqual((await list(CLIENT)).status, 200, 'status from its own network');
  expectEqual((await list('::1')).status, 403, 'status from another network');
  await sendUntil(200, async () => {
    const path = '/v2/trail?action=key.refuse&address=::1';
    const reply = await send(service, port, CLIENT, 'GET', path, '', authority);
    const { trail } = JSON.parse(reply.body) as { trail: readonly unknown[] };
    return { ...reply, status: trail.length === 1 ? reply.status : 0 };
  });
}

/** Runs HAProxy with one listener for each family on the same port. */
async function withProxy(
  folder: string,
  target: string,
  options: string,
  use: (port: number) => Promise<string>,
  mode: 'http' | 'tcp' = 'http',
): Promise<string> {
  const port = await freePort();
  const config = join(folder, 'haproxy.cfg');
  writeFileSync(
    config,
    [
      'defaults',
      `  mode ${mode}`,
      '  timeout connect 5s',
      '  timeout client 60s',
      '  timeout server 90s',
      'frontend clients',
      `  bind 127.0.0.1:${port}`,
      `  bind [::1]:${port}`,
      ...(mode === 'http' ? ['  unique-id-format %[uuid()]'] : []),
      '  default_backend service',
      'backend service',
      ...(mode === 'http' ? ['  option httpchk GET /healthz'] : []),
      `  server one ${target} ${options}`,
      '',
    ].join('\n'),
  );
  const proxy = startProgram('/usr/sbin/haproxy', ['-db', '-f', config], { cwd: folder });
  let said = '';
  for (const pipe of [proxy.stdout, proxy.stderr])
    pipe?.on('data', (chunk: Buffer) => (said += String(chunk)));
  try {
    return await use(port);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nHAProxy:\n${said}`);
  } finally {
    await stopProgram(proxy, STOP_GRACE_MS);
  }
}

let domains = 0;

async function seeClients(service: Service, port: number, authority?: string): Promise<string> {
  for (const address of [CLIENT, '::1']) {
    const domain = `proxied${++domains}.example`;
    const body = JSON.stringify({ domain });
    await sendUntil(201, () => send(service, port, address, 'POST', '/v2/domains', body, authority));
    const path = `/v2/domains/${domain}/changes`;
    const history = await send(service, port, address, 'GET', path, '', authority);
    const { changes } = JSON.parse(history.body) as { changes: readonly { readonly address: string }[] };
    expectEqual(changes[0]?.address, address, 'address in the history');
  }
  return `history has ${CLIENT} and ::1`;
}

interface Reply {
  readonly status: number | undefined;
  readonly body: string;
}

/** HAProxy starts listening, and passes requests on once a health check has succeeded. */
async function sendUntil(status: number, trySending: () => Promise<Reply>): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const reply = await trySending().catch(() => undefined);
    if (reply?.status === status) return;
    if (performance.now() > deadline) throw new Error(`no ${status} from HAProxy: ${JSON.stringify(reply)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** @param authority PEM of a certificate, for TLS; undefined: plain HTTP */
async function send(
  { key }: Pick<Service, 'key'>,
  port: number,
  address: string,
  method: string,
  path: string,
  body = '',
  authority?: string,
): Promise<Reply> {
  const host = address.includes(':') ? '::1' : '127.0.0.1';
  const headers = { authorization: `Bearer ${key}`, 'content-length': String(Buffer.byteLength(body)) };
  const to: RequestOptions = { host, port, localAddress: address, method, path, headers, agent: false };
  const sent =
    authority === undefined
      ? request(to)
      : requestTls({ ...to, ca: authority, servername: 'localhost', agent: false });
  sent.end(body);
  const [message] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: message.statusCode, body: await text(message) };
}
