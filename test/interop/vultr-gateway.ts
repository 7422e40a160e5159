// Replaces the internet: an HTTPS_PROXY that connects https://api.vultr.com to the service under test and refuses all other hosts.
//
//   client ─▶ CONNECT api.vultr.com:443 ─▶ TLS with a test certificate ─▶ wire tap ─▶ service
//
// Clients with a built-in base address (lego, lexicon) need no change: they use HTTPS_PROXY and the usual settings for trusted authorities.

import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { cleanEnvironment } from './run-program.ts';
import type { TestAuthority } from './test-certificates.ts';
import { listenOnLoopback, type WireTap } from './wire-tap.ts';

const API_HOST = 'api.vultr.com';

export interface VultrGateway {
  /** An environment in which requests to https://api.vultr.com reach the service. */
  environment(extra?: Readonly<Record<string, string>>): Record<string, string>;
  /** Hosts that clients requested and were refused, in order. */
  readonly refusedHosts: readonly string[];
  close(): void;
}

/** Opens the proxy on a random loopback port. */
export async function openVultrGateway(authority: TestAuthority, tap: WireTap): Promise<VultrGateway> {
  const { cert, key } = await authority.issue(API_HOST, `DNS:${API_HOST}`);
  const refusedHosts: string[] = [];
  const open = new Set<Duplex>();
  const proxy = createServer((request, response) => {
    refusedHosts.push(request.url ?? '');
    response.writeHead(403).end();
  });
  proxy.on('connect', (request: IncomingMessage, socket: Duplex) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    if (request.url !== `${API_HOST}:443`) {
      refusedHosts.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    tap.relay(new TLSSocket(socket, { isServer: true, cert, key }));
  });
  const port = await listenOnLoopback(proxy);
  return {
    refusedHosts,
    environment: (extra = {}) =>
      cleanEnvironment({
        HTTPS_PROXY: `http://127.0.0.1:${port}`,
        SSL_CERT_FILE: authority.caFile,
        REQUESTS_CA_BUNDLE: authority.caFile,
        ...extra,
      }),
    close: () => {
      proxy.close();
      for (const socket of open) socket.destroy();
    },
  };
}
