import { networkInterfaces } from 'node:os';
import { isIPv6 } from 'node:net';
import type { ListenAddress } from '../listen-address.ts';
import type { BindFailure } from '../nameserver-start-error.ts';
import type { UdpDescriptor } from './udp-descriptor.ts';
import {
  AF_INET,
  AF_INET6,
  errnoName,
  IP_MTU_DISCOVER,
  IP_PKTINFO,
  IPPROTO_IP,
  IPPROTO_IPV6,
  IPV6_MTU_DISCOVER,
  IPV6_RECVPKTINFO,
  IPV6_V6ONLY,
  type Libc,
  PMTUDISC_PROBE,
  SO_RCVBUF,
  SO_RCVBUFFORCE,
  SO_REUSEPORT,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  SOL_SOCKET,
} from './libc.ts';

/**
 * Opens and binds UDP sockets on the main thread, which owns them: the replacement of a crashed worker finds its socket
 * with the queries that arrived meanwhile. Never receives or sends.
 */

export type OpenedSockets =
  | { readonly ok: true; readonly port: number; readonly sockets: readonly UdpDescriptor[] }
  | { readonly ok: false; readonly failure: BindFailure };

/**
 * Binds `count` sockets to the same address; the kernel spreads clients over them. Port 0 picks a free port. The first
 * socket is bound exclusively, so that another program on the port is detected, and only then shared.
 */
export function openUdpSockets(libc: Libc, address: ListenAddress, count: number): OpenedSockets {
  const sockets: UdpDescriptor[] = [];
  let port = address.port;
  for (let i = 0; i < count; i++) {
    const opened = openUdpSocket(libc, { host: address.host, port }, i > 0);
    if (!opened.ok) {
      closeUdpSockets(libc, sockets);
      return opened;
    }
    const { socket } = opened;
    setOption(libc, socket.descriptor, SOL_SOCKET, SO_REUSEPORT, 1);
    port = boundPort(libc, socket.descriptor);
    sockets.push(socket);
  }
  return { ok: true, port, sockets };
}

/**
 * Replaces each socket with one that never receives, so that event loops polling it are never woken again. A thread
 * must not be terminated while it may be woken, because koffi then aborts the process.
 */
export function silenceUdpSockets(libc: Libc, sockets: readonly UdpDescriptor[]): void {
  const quiet = libc.socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  for (const { descriptor, epoll } of sockets) libc.dup2(quiet, epoll ?? descriptor);
  libc.close(quiet);
}

/**
 * Replaces a silenced socket with a new one on the same address. Queries that waited in the old one are lost, but they
 * were too old to matter to their clients.
 */
export function renewUdpSocket(
  libc: Libc,
  { descriptor }: UdpDescriptor,
  address: ListenAddress,
): BindFailure | undefined {
  const opened = openUdpSocket(libc, address, true);
  if (!opened.ok) return opened.failure;
  libc.dup2(opened.socket.descriptor, descriptor);
  libc.close(opened.socket.descriptor);
  return undefined;
}

export function closeUdpSockets(libc: Libc, sockets: readonly UdpDescriptor[]): void {
  const descriptors = sockets.flatMap(({ descriptor, epoll = descriptor }) => [descriptor, epoll]);
  for (const descriptor of new Set(descriptors)) libc.close(descriptor);
}

type OpenedSocket =
  | { readonly ok: true; readonly socket: UdpDescriptor }
  | { readonly ok: false; readonly failure: BindFailure };

function openUdpSocket(libc: Libc, { host, port }: ListenAddress, shared: boolean): OpenedSocket {
  const family = isIPv6(host) ? 6 : 4;
  const failed = (): OpenedSocket => ({
    ok: false,
    failure: { code: errnoName(libc.lastErrno()), protocol: 'UDP', host, port },
  });
  const descriptor = libc.socket(
    family === 6 ? AF_INET6 : AF_INET,
    SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
    0,
  );
  if (descriptor < 0) return failed();
  const address = socketAddress(libc, host, port);
  const wildcard = isWildcard(address);
  if (shared) setOption(libc, descriptor, SOL_SOCKET, SO_REUSEPORT, 1);
  setOptions(libc, descriptor, family, wildcard);
  if (libc.bind(descriptor, address, address.length) < 0) {
    const failure = failed();
    libc.close(descriptor);
    return failure;
  }
  return { ok: true, socket: { descriptor, family, wildcard } };
}

/** Sets the options that can be set on a bound socket, too. */
export function setOptions(libc: Libc, descriptor: number, family: 4 | 6, wildcard: boolean): void {
  // The FORCE variant needs root and exceeds net.core.rmem_max; the other is capped by it.
  if (!setOption(libc, descriptor, SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER_BYTES))
    setOption(libc, descriptor, SOL_SOCKET, SO_RCVBUF, RECEIVE_BUFFER_BYTES);
  if (family === 6) {
    setOption(libc, descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 1);
    setOption(libc, descriptor, IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_PROBE);
    if (wildcard) setOption(libc, descriptor, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
    // A socket bound by a supervisor may accept IPv4 as well.
    setOption(libc, descriptor, IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_PROBE);
  } else {
    setOption(libc, descriptor, IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_PROBE);
    if (wildcard) setOption(libc, descriptor, IPPROTO_IP, IP_PKTINFO, 1);
  }
}

/**
 * The default of about 208 KiB drops bursts of 280 queries; this holds 5,000, as many as arrive in 20 ms at our top
 * speed.
 */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

export function setOption(
  libc: Libc,
  descriptor: number,
  level: number,
  option: number,
  value: number,
): boolean {
  return libc.setsockopt(descriptor, level, option, Int32Array.of(value), 4) === 0;
}

/** struct sockaddr_in (16 octets) or sockaddr_in6 (28): family in host order, port in network order, address. */
export function socketAddress(libc: Libc, host: string, port: number): Uint8Array {
  const [plainHost = '', interfaceName = ''] = host.split('%');
  const six = isIPv6(plainHost);
  const address = new Uint8Array(six ? 28 : 16);
  const view = new DataView(address.buffer);
  view.setUint16(0, six ? AF_INET6 : AF_INET, true);
  view.setUint16(2, port);
  libc.inet_pton(six ? AF_INET6 : AF_INET, plainHost, address.subarray(six ? 8 : 4));
  if (interfaceName !== '') view.setUint32(24, scopeOf(interfaceName), true);
  return address;
}

export function isWildcard(address: Uint8Array): boolean {
  return address.subarray(address.length === 28 ? 8 : 4).every((octet) => octet === 0);
}

/** The scope number of a link-local address, given as an interface name or as the number itself; 0 if there is none. */
function scopeOf(interfaceName: string): number {
  if (/^\d+$/.test(interfaceName)) return Number(interfaceName);
  const addresses = networkInterfaces()[interfaceName] ?? [];
  for (const address of addresses)
    if (address.family === 'IPv6' && address.scopeid > 0) return address.scopeid;
  return 0;
}

export function boundPort(libc: Libc, descriptor: number): number {
  const address = new Uint8Array(28);
  libc.getsockname(descriptor, address, Uint32Array.of(address.length));
  return new DataView(address.buffer).getUint16(2);
}
