import { getSystemErrorName } from 'node:util';
import koffi from 'koffi';

/**
 * The C library's socket calls, through koffi. Addresses are passed as numbers (user space ends at 2^47). Callers must
 * keep the buffer behind an address referenced, because the number alone does not. Importing this module fails if koffi
 * has no binary for the platform.
 */

/** Each call returns -1 on failure, with the reason in {@link lastErrno}. */
export interface Libc {
  socket(family: number, type: number, protocol: number): number;
  setsockopt(descriptor: number, level: number, option: number, value: Int32Array, size: number): number;
  bind(descriptor: number, address: Uint8Array, size: number): number;
  listen(descriptor: number, backlog: number): number;
  getsockname(descriptor: number, address: Uint8Array, size: Uint32Array): number;
  getsockopt(descriptor: number, level: number, option: number, value: Int32Array, size: Uint32Array): number;
  dup(source: number): number;
  dup2(source: number, target: number): number;
  close(descriptor: number): number;
  inet_pton(family: number, text: string, address: Uint8Array): number;
  /** Does not wait if flags hold {@link MSG_DONTWAIT}; returns the number of messages received. */
  recvmmsg(descriptor: number, headers: number, count: number, flags: number, timeout: number): number;
  /** Returns the number of messages sent; stops at the first that cannot be sent. */
  sendmmsg(descriptor: number, headers: number, count: number, flags: number): number;
  epoll_create1(flags: number): number;
  /** @param event struct epoll_event; its first word holds the events to wait for. */
  epoll_ctl(epoll: number, operation: number, descriptor: number, event: Uint32Array): number;
  lastErrno(): number;
}

export function loadLibc(): Libc {
  const library = koffi.load(null);
  return {
    socket: library.func('int socket(int, int, int)') as Libc['socket'],
    setsockopt: library.func('int setsockopt(int, int, int, const void *, uint)') as Libc['setsockopt'],
    bind: library.func('int bind(int, const void *, uint)') as Libc['bind'],
    listen: library.func('int listen(int, int)') as Libc['listen'],
    getsockname: library.func('int getsockname(int, void *, void *)') as Libc['getsockname'],
    getsockopt: library.func('int getsockopt(int, int, int, void *, void *)') as Libc['getsockopt'],
    dup: library.func('int dup(int)') as Libc['dup'],
    dup2: library.func('int dup2(int, int)') as Libc['dup2'],
    close: library.func('int close(int)') as Libc['close'],
    inet_pton: library.func('int inet_pton(int, const char *, void *)') as Libc['inet_pton'],
    recvmmsg: library.func('int recvmmsg(int, int64_t, uint, int, int64_t)') as Libc['recvmmsg'],
    sendmmsg: library.func('int sendmmsg(int, int64_t, uint, int)') as Libc['sendmmsg'],
    epoll_create1: library.func('int epoll_create1(int)') as Libc['epoll_create1'],
    epoll_ctl: library.func('int epoll_ctl(int, int, int, const void *)') as Libc['epoll_ctl'],
    lastErrno: () => koffi.errno(),
  };
}

/** The memory address of the buffer. An ArrayBuffer does not move, but it is freed with its last reference. */
export function addressOf(buffer: Uint8Array): number {
  return Number(koffi.address(buffer));
}

/** struct epoll_event, in the larger of its two layouts, without user data. */
export function epollEvent(events: number): Uint32Array {
  return Uint32Array.of(events, 0, 0, 0);
}

/** `EADDRINUSE` and the like. */
export function errnoName(errno: number): string {
  return getSystemErrorName(-errno);
}

export const AF_UNIX = 1;
export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCK_STREAM = 1;
export const SOCK_DGRAM = 2;
export const SOCK_NONBLOCK = 0o4000;
export const SOCK_CLOEXEC = 0o2000000;

export const SOL_SOCKET = 1;
export const SO_REUSEADDR = 2;
export const SO_TYPE = 3;
export const SO_RCVBUF = 8;
export const SO_REUSEPORT = 15;
export const SO_ACCEPTCONN = 30;
export const SO_RCVBUFFORCE = 33;
export const IPPROTO_IP = 0;
export const IP_PKTINFO = 8;
export const IP_MTU_DISCOVER = 10;
export const IPPROTO_IPV6 = 41;
export const IPV6_MTU_DISCOVER = 23;
export const IPV6_V6ONLY = 26;
export const IPV6_RECVPKTINFO = 49;
/** Do not fragment, and ignore path MTU reports: with either, a forged ICMP message could make us fragment. */
export const PMTUDISC_PROBE = 3;

export const MSG_TRUNC = 0x20;
export const MSG_DONTWAIT = 0x40;

export const EPOLL_CLOEXEC = 0o2000000;
export const EPOLL_CTL_ADD = 1;
export const EPOLL_CTL_MOD = 3;
export const EPOLLIN = 1;
export const EPOLLOUT = 4;

export const EINTR = 4;
export const EAGAIN = 11;
