import { isIPv6 } from 'node:net';
import type { ListenAddress } from '../listen-address.ts';
import type { BindFailure } from '../nameserver-start-error.ts';
import {
  AF_INET,
  AF_INET6,
  errnoName,
  IPPROTO_IPV6,
  IPV6_V6ONLY,
  type Libc,
  SO_REUSEADDR,
  SOCK_CLOEXEC,
  SOCK_NONBLOCK,
  SOCK_STREAM,
  SOL_SOCKET,
} from '../udp/libc.ts';
import { boundPort, setOption, socketAddress } from '../udp/open-udp-sockets.ts';

export type OpenedListener =
  | { readonly ok: true; readonly descriptor: number; readonly port: number }
  | { readonly ok: false; readonly failure: BindFailure };

/** Connections that wait to be accepted, as in Node; the kernel's net.core.somaxconn may be lower. */
const BACKLOG = 511;

/**
 * Opens a TCP socket that listens and never accepts: Node can only do both. The kernel completes connections until its
 * queue is full, for whichever process accepts them later.
 *
 * @param address an IP address; port 0 picks a free port
 * @param isV6Only whether `::` leaves IPv4 alone
 */
export function openTcpListener(libc: Libc, address: ListenAddress, isV6Only: boolean): OpenedListener {
  const bound = bindTcpSocket(libc, address, isV6Only);
  if (!bound.ok || libc.listen(bound.descriptor, BACKLOG) >= 0) return bound;
  const code = errnoName(libc.lastErrno());
  libc.close(bound.descriptor);
  return { ok: false, failure: { code, protocol: 'TCP', ...address } };
}

/** Binds a TCP socket that refuses connections until a process listens on it. Parameters as above. */
export function bindTcpSocket(libc: Libc, { host, port }: ListenAddress, isV6Only: boolean): OpenedListener {
  const isSix = isIPv6(host.split('%')[0] ?? '');
  const failed = (): OpenedListener => ({
    ok: false,
    failure: { code: errnoName(libc.lastErrno()), protocol: 'TCP', host, port },
  });
  const family = isSix ? AF_INET6 : AF_INET;
  const descriptor = libc.socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return failed();
  // Otherwise a port whose last connections are in TIME_WAIT could not be bound.
  setOption(libc, descriptor, SOL_SOCKET, SO_REUSEADDR, 1);
  if (isSix) setOption(libc, descriptor, IPPROTO_IPV6, IPV6_V6ONLY, isV6Only ? 1 : 0);
  const address = socketAddress(libc, host, port);
  if (libc.bind(descriptor, address, address.length) < 0) {
    const failure = failed();
    libc.close(descriptor);
    return failure;
  }
  return { ok: true, descriptor, port: boundPort(libc, descriptor) };
}
