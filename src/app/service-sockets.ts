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
import type { Config } from './config-settings.ts';
import type { BoundSocket } from './bind-unix-socket.ts';

export interface ServiceSockets {
  /** Undefined: the child opens it. */
  readonly http: number | undefined;
  readonly dns: ChildSockets['dns'];
  /** No further connection waits for HTTP. Further calls do nothing. */
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
  if (libc === undefined) return { http: activated.http, dns, closeHttp: ignore, closeDns: ignore };
  const held = dns === undefined ? await holdSockets(libc, config.dns, config.workers) : [];
  const closeDns = (): void => {
    closeHeldSockets(libc, held);
    for (const descriptor of activated.dns) libc.close(descriptor);
  };
  try {
    const { descriptor, removeFile } = await openHttp(libc, config, activated);
    let isOpen = true;
    const closeHttp = (): void => {
      if (!isOpen) return;
      isOpen = false;
      removeFile();
      libc.close(descriptor);
    };
    return { http: descriptor, dns: dns ?? { kind: 'held', sockets: held }, closeHttp, closeDns };
  } catch (error) {
    closeDns();
    throw error;
  }
}

type Libc = NonNullable<Awaited<ReturnType<typeof loadSocketCalls>>>;

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
  const { bindTcpSocket } = await import('../nameserver/tcp/open-tcp-listener.ts');
  const opened = bindTcpSocket(libc, http, false);
  if (opened.ok) return { descriptor: opened.descriptor, removeFile };
  throw listenFailure(`${http.host} port ${http.port}`, opened.failure.code);
}

/** The sockets as a child sees them, and the descriptors that it inherits for that, in order. */
export interface PassedSockets {
  readonly sockets: ChildSockets;
  readonly descriptors: readonly number[];
}

export function passHttp({ http }: ServiceSockets): PassedSockets {
  const { descriptors, pass } = createPassing();
  return { sockets: { http: http === undefined ? undefined : pass(http), dns: undefined }, descriptors };
}

export function passDns({ dns }: ServiceSockets): PassedSockets {
  const { descriptors, pass } = createPassing();
  const passOn = (each: HeldSockets): HeldSockets => ({
    ...each,
    udp: each.udp.map(pass),
    tcp: pass(each.tcp),
  });
  if (dns === undefined) return { sockets: { http: undefined, dns }, descriptors };
  const passed: ChildSockets['dns'] =
    dns.kind === 'held'
      ? { kind: 'held', sockets: dns.sockets.map(passOn) }
      : { kind: 'activated', descriptors: dns.descriptors.map(pass) };
  return { sockets: { http: undefined, dns: passed }, descriptors };
}

function createPassing() {
  const descriptors: number[] = [];
  const pass = (descriptor: number): number => FIRST_CHILD_DESCRIPTOR + descriptors.push(descriptor) - 1;
  return { descriptors, pass };
}
