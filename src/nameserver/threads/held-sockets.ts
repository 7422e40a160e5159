import { isIPv6 } from 'node:net';
import type { Log } from '../../base/log.ts';
import { checkListenAddresses, type ListenAddress } from '../listen-address.ts';
import { FREE_PORT_ATTEMPTS } from '../nameserver-limits.ts';
import { type BindFailure, describeBindFailure, NameserverStartError } from '../nameserver-start-error.ts';
import { isKoffiPlatform } from '../udp/koffi-platform.ts';
import type { Libc } from '../udp/libc.ts';

/**
 * Sockets that a process opens and never reads from. The process that answers gets them as descriptors, and so does its
 * successor: queries and connections that arrive between the two wait in the sockets.
 */
export interface HeldSockets extends ListenAddress {
  readonly family: 4 | 6;
  /** Bound to all addresses. */
  readonly wildcard: boolean;
  /** One for each worker. */
  readonly udp: readonly number[];
  /** Listens. */
  readonly tcp: number;
}

/**
 * Loads the socket calls; undefined if sockets cannot be held on this machine, so that the process that answers opens them.
 *
 * @throws NameserverStartError if koffi is required but does not work
 */
export async function loadSocketCalls(udp: 'auto' | 'koffi' | 'dgram', log: Log): Promise<Libc | undefined> {
  if (udp === 'dgram') return undefined;
  try {
    if (!isKoffiPlatform()) throw new Error(`${process.platform} on ${process.arch} is not supported`);
    const { loadLibc } = await import('../udp/libc.ts');
    return loadLibc();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (udp === 'koffi')
      throw new NameserverStartError(`DNS cannot use koffi for UDP on this machine: ${reason}`);
    log.debug({ reason }, 'sockets cannot be held, because koffi does not work on this machine');
    return undefined;
  }
}

/** @throws NameserverStartError if an address cannot be bound; no socket is open then. */
export async function holdSockets(
  libc: Libc,
  addresses: readonly ListenAddress[],
  workers: number,
): Promise<HeldSockets[]> {
  checkListenAddresses(addresses);
  const held: HeldSockets[] = [];
  for (const address of addresses) {
    const opened = await holdAddress(libc, address, workers);
    if ('failure' in opened) {
      closeHeldSockets(libc, held);
      throw new NameserverStartError(describeBindFailure(opened.failure));
    }
    held.push(opened);
  }
  return held;
}

export function closeHeldSockets(libc: Libc, held: readonly HeldSockets[]): void {
  for (const { udp, tcp } of held) for (const descriptor of [...udp, tcp]) libc.close(descriptor);
}

/** Port 0 picks a port that is free for both protocols. */
async function holdAddress(
  libc: Libc,
  address: ListenAddress,
  workers: number,
): Promise<HeldSockets | { readonly failure: BindFailure }> {
  const { openUdpSockets, closeUdpSockets } = await import('../udp/open-udp-sockets.ts');
  const { openTcpListener } = await import('../tcp/open-tcp-listener.ts');
  const { host } = address;
  for (let attempt = 1; ; attempt++) {
    const udp = openUdpSockets(libc, address, workers);
    if (!udp.ok) return udp;
    const { port, sockets } = udp;
    const tcp = openTcpListener(libc, { host, port }, true);
    if (tcp.ok) {
      const wildcard = sockets.some((socket) => socket.wildcard);
      const descriptors = sockets.map(({ descriptor }) => descriptor);
      const family = isIPv6(host.split('%')[0] ?? '') ? 6 : 4;
      return { host, port, family, wildcard, udp: descriptors, tcp: tcp.descriptor };
    }
    closeUdpSockets(libc, sockets);
    const isUnlucky = address.port === 0 && tcp.failure.code === 'EADDRINUSE';
    if (!isUnlucky || attempt === FREE_PORT_ATTEMPTS) return tcp;
  }
}
