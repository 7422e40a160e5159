import { assert } from '../../base/assert.ts';
import { formatIpv4, formatIpv6 } from '../../dns/ip-address.ts';
import { NameserverStartError } from '../nameserver-start-error.ts';
import {
  AF_INET,
  AF_INET6,
  EPOLL_CLOEXEC,
  EPOLL_CTL_ADD,
  epollEvent,
  EPOLLIN,
  errnoName,
  type Libc,
  SO_ACCEPTCONN,
  SO_TYPE,
  SOCK_DGRAM,
  SOCK_STREAM,
  SOL_SOCKET,
} from '../udp/libc.ts';
import { isWildcard, setOptions } from '../udp/open-udp-sockets.ts';
import type { TcpEndpoint } from '../tcp/tcp-endpoint.ts';
import type { HeldSockets } from './held-sockets.ts';
import type { UdpDescriptor } from '../udp/udp-descriptor.ts';

/**
 * Takes over sockets that a supervisor has bound (systemd socket activation), so that ports below 1024 need no
 * privilege. Checks the type of each socket; all workers share each UDP socket. Never binds anything.
 */
export interface InheritedSockets {
  readonly tcp: readonly Required<TcpEndpoint>[];
  /** For each worker, every UDP socket, each behind an epoll instance of that worker. */
  readonly udp: readonly (readonly UdpDescriptor[])[];
}

/** @throws NameserverStartError if a descriptor is not an IP socket that can serve DNS, or one protocol has none. */
export function adoptSockets(libc: Libc, descriptors: readonly number[], workers: number): InheritedSockets {
  const sockets = descriptors.map((descriptor) => inspectSocket(libc, descriptor));
  const tcp = sockets.filter(({ protocol }) => protocol === 'TCP');
  const udp = sockets.filter(({ protocol }) => protocol === 'UDP');
  for (const [protocol, { length }] of [['UDP', udp] as const, ['TCP', tcp] as const])
    if (length === 0)
      throw new NameserverStartError(`DNS needs a ${protocol} socket as well, but was handed none`);
  for (const { descriptor, family, wildcard } of udp) setOptions(libc, descriptor, family, wildcard);
  return {
    tcp: tcp.map(({ descriptor, host, port }) => ({ host, port, descriptor })),
    udp: Array.from({ length: workers }, () => udp.map((socket) => shareUdpSocket(libc, socket))),
  };
}

/**
 * Takes over sockets that the parent process of this service holds: each worker gets the UDP socket of its number on every
 * address. The parent's sockets are polled through epoll instances, too, because it keeps them open.
 */
export function shareHeldSockets(
  libc: Libc,
  held: readonly HeldSockets[],
  workers: number,
): InheritedSockets {
  const ofWorker = (worker: number): UdpDescriptor[] =>
    held.flatMap(({ udp, family, wildcard }) =>
      udp
        .slice(worker, worker + 1)
        .map((descriptor) => ({ descriptor, epoll: openEpoll(libc, descriptor), family, wildcard })),
    );
  return {
    tcp: held.map(({ host, port, tcp }) => ({ host, port, descriptor: tcp })),
    udp: Array.from({ length: workers }, (_, worker) => ofWorker(worker)),
  };
}

interface InheritedSocket extends TcpEndpoint {
  readonly protocol: 'UDP' | 'TCP';
  readonly descriptor: number;
  readonly family: 4 | 6;
  readonly wildcard: boolean;
}

function inspectSocket(libc: Libc, descriptor: number): InheritedSocket {
  const refuse = (reason: string): never => {
    throw new NameserverStartError(`DNS cannot take over descriptor ${descriptor}: ${reason}`);
  };
  const address = new Uint8Array(ADDRESS_BYTES);
  if (libc.getsockname(descriptor, address, Uint32Array.of(address.length)) < 0)
    return refuse(`it is not a socket (${errnoName(libc.lastErrno())})`);
  const view = new DataView(address.buffer);
  const familyNumber = view.getUint16(0, true);
  if (familyNumber !== AF_INET && familyNumber !== AF_INET6)
    return refuse('it is neither an IPv4 nor an IPv6 socket');
  const family = familyNumber === AF_INET6 ? 6 : 4;
  const type = readOption(libc, descriptor, SO_TYPE);
  if (type !== SOCK_DGRAM && type !== SOCK_STREAM) return refuse('it is neither a UDP nor a TCP socket');
  const port = view.getUint16(2);
  if (port === 0) return refuse('it is not bound to a port');
  if (type === SOCK_STREAM && readOption(libc, descriptor, SO_ACCEPTCONN) === 0)
    return refuse('it is a TCP socket that does not listen');
  return {
    protocol: type === SOCK_DGRAM ? 'UDP' : 'TCP',
    descriptor,
    family,
    host: family === 6 ? formatIpv6(address.subarray(8, 24)) : formatIpv4(address.subarray(4, 8)),
    port,
    wildcard: isWildcard(address.subarray(0, family === 6 ? 28 : 16)),
  };
}

/** Size of sockaddr_in6, the larger of the two. */
const ADDRESS_BYTES = 28;

function readOption(libc: Libc, descriptor: number, option: number): number {
  const value = new Int32Array(1);
  libc.getsockopt(descriptor, SOL_SOCKET, option, value, Uint32Array.of(value.byteLength));
  return value[0];
}

/** Replaces a silenced epoll instance; queries have been waiting in the socket. */
export function renewShare(libc: Libc, { descriptor, epoll }: UdpDescriptor): undefined {
  assert(epoll !== undefined, 'a shared socket has an epoll instance');
  const renewed = openEpoll(libc, descriptor);
  libc.dup2(renewed, epoll);
  libc.close(renewed);
}

function shareUdpSocket(libc: Libc, { descriptor, family, wildcard }: InheritedSocket): UdpDescriptor {
  return { descriptor, epoll: openEpoll(libc, descriptor), family, wildcard };
}

function openEpoll(libc: Libc, descriptor: number): number {
  const epoll = libc.epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0 || libc.epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, epollEvent(EPOLLIN)) < 0)
    throw new NameserverStartError(
      `DNS cannot wait for descriptor ${descriptor}: the system reported ${errnoName(libc.lastErrno())}`,
    );
  return epoll;
}
