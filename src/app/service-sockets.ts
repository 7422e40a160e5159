// The sockets of a service of two processes. The parent opens them and keeps them, so that queries and connections wait for
// the successor of a process that has ended. It never reads from them. The socket for HTTP is only bound: it refuses
// connections until the first HTTP process listens on it.
import { isUnixAddress } from '../http/http-address.ts';
import { listenFailure } from '../http/http-server-start-error.ts';
import {
  closeHeldSockets,
  holdSockets,
  loadSocketCalls,
  type HeldSockets,
} from '../nameserver/threads/held-sockets.ts';
import type { Log } from '../base/log.ts';
import type { ActivatedSockets } from './activated-sockets.ts';
import type { ChildSockets } from './child-messages.ts';
import type { ListenAddress } from './config-parsers.ts';
import type { Config } from './config-settings.ts';
import type { BoundSocket } from './bind-unix-socket.ts';

export interface ServiceSockets {
  /** Undefined: the child opens it. */
  readonly http: number | undefined;
  /** Undefined: the child opens it, or the configuration has none. */
  readonly https: number | undefined;
  readonly dns: ChildSockets['dns'];
  /** No further connection waits for HTTP and HTTPS. Further calls do nothing. */
  closeHttp(): void;
  closeDns(): void;
}

/** The first descriptor of a child after stdin, stdout and stderr. */
const FIRST_CHILD_DESCRIPTOR = 3;

/**
 * Opens what no supervisor has bound. Where koffi does not work, the children open their own sockets.
 *
 * @throws NameserverStartError or HttpServerStartError with one sentence for the operator
 */
export async function openServiceSockets(
  config: Config,
  activated: ActivatedSockets,
  log: Log,
): Promise<ServiceSockets> {
  const ignore = (): void => undefined;
  const dns: ChildSockets['dns'] =
    activated.dns.length === 0 ? undefined : { kind: 'activated', descriptors: activated.dns };
  const libc = await loadSocketCalls(config.udp, log);
  if (libc === undefined) return { ...activated, dns, closeHttp: ignore, closeDns: ignore };
  const held = dns === undefined ? await holdSockets(libc, config.dns, config.workers) : [];
  const closeDns = (): void => {
    closeHeldSockets(libc, held);
    for (const descriptor of activated.dns) libc.close(descriptor);
  };
  try {
    const { http, https, closeHttp } = await openHttpSockets(libc, config, activated);
    return { http, https, dns: dns ?? { kind: 'held', sockets: held }, closeHttp, closeDns };
  } catch (error) {
    closeDns();
    throw error;
  }
}

type Libc = NonNullable<Awaited<ReturnType<typeof loadSocketCalls>>>;

async function openHttpSockets(
  libc: Libc,
  config: Config,
  activated: ActivatedSockets,
): Promise<Pick<ServiceSockets, 'http' | 'https' | 'closeHttp'>> {
  const { descriptor, removeFile } = await openHttp(libc, config, activated);
  let open = [descriptor];
  const closeHttp = (): void => {
    if (open.length > 0) removeFile();
    for (const each of open) libc.close(each);
    open = [];
  };
  try {
    const https = await openHttps(libc, config, activated);
    if (https !== undefined) open.push(https);
    return { http: descriptor, https, closeHttp };
  } catch (error) {
    closeHttp();
    throw error;
  }
}

async function openHttp(
  libc: Libc,
  { http, httpSocketMode }: Config,
  activated: ActivatedSockets,
): Promise<BoundSocket> {
  const removeFile = (): void => undefined;
  if (activated.http !== undefined) return { descriptor: activated.http, removeFile };
  if (isUnixAddress(http)) {
    const { bindUnixSocket } = await import('./bind-unix-socket.ts');
    return bindUnixSocket(libc, http.path, httpSocketMode);
  }
  return { descriptor: await bindTcp(libc, http), removeFile };
}

async function openHttps(
  libc: Libc,
  { https }: Config,
  activated: ActivatedSockets,
): Promise<number | undefined> {
  if (activated.https !== undefined || https === null) return activated.https;
  return bindTcp(libc, https);
}

async function bindTcp(libc: Libc, address: ListenAddress): Promise<number> {
  const { bindTcpSocket } = await import('../nameserver/tcp/open-tcp-listener.ts');
  const opened = bindTcpSocket(libc, address, false);
  if (opened.ok) return opened.descriptor;
  throw listenFailure(`${address.host} port ${address.port}`, opened.failure.code);
}

/** The sockets as a child sees them, and the descriptors that it inherits for that, in order. */
export interface PassedSockets {
  readonly sockets: ChildSockets;
  readonly descriptors: readonly number[];
}

export function passHttp({ http, https }: ServiceSockets): PassedSockets {
  const { descriptors, pass } = createPassing();
  const passOn = (descriptor: number | undefined): number | undefined =>
    descriptor === undefined ? undefined : pass(descriptor);
  return { sockets: { http: passOn(http), https: passOn(https), dns: undefined }, descriptors };
}

export function passDns({ dns }: ServiceSockets): PassedSockets {
  const { descriptors, pass } = createPassing();
  const passOn = (each: HeldSockets): HeldSockets => ({
    ...each,
    udp: each.udp.map(pass),
    tcp: pass(each.tcp),
  });
  const none = { http: undefined, https: undefined };
  if (dns === undefined) return { sockets: { ...none, dns }, descriptors };
  const passed: ChildSockets['dns'] =
    dns.kind === 'held'
      ? { kind: 'held', sockets: dns.sockets.map(passOn) }
      : { kind: 'activated', descriptors: dns.descriptors.map(pass) };
  return { sockets: { ...none, dns: passed }, descriptors };
}

function createPassing() {
  const descriptors: number[] = [];
  const pass = (descriptor: number): number => FIRST_CHILD_DESCRIPTOR + descriptors.push(descriptor) - 1;
  return { descriptors, pass };
}
