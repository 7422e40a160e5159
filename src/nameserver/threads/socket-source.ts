import type { Log } from '../../base/log.ts';
import { isKoffiPlatform } from '../udp/koffi-platform.ts';
import type { ListenAddress } from '../listen-address.ts';
import type { InheritedSockets } from './inherited-sockets.ts';
import { type BindFailure, NameserverStartError } from '../nameserver-start-error.ts';
import type { TcpEndpoint } from '../tcp/tcp-endpoint.ts';
import type { UdpDescriptor, UdpSettings } from '../udp/udp-descriptor.ts';
import type { HeldSockets } from './held-sockets.ts';

/** Chooses the UDP implementation and binds the sockets that belong to the main thread. */
export interface SocketSource {
  bind(addresses: readonly ListenAddress[]): BoundSockets;
  /**
   * Takes over UDP and TCP sockets that a supervisor has bound.
   *
   * @throws NameserverStartError if they cannot be served.
   */
  adopt(descriptors: readonly number[]): BoundSockets;
  /**
   * Takes over sockets that this service's parent process holds, one UDP socket for each worker.
   *
   * @throws NameserverStartError if they cannot be served.
   */
  takeHeld(held: readonly HeldSockets[]): BoundSockets;
}

export type BoundSockets =
  | {
      readonly ok: true;
      /** The TCP endpoints, with actual ports if they are known; with dgram the worker binds them. */
      readonly tcp: readonly TcpEndpoint[];
      /** One entry per worker. */
      readonly workers: readonly UdpSettings[];
      /** Stops queries from waking the worker, which must happen before it is terminated from outside. */
      readonly silence: (worker: number) => void;
      /** Creates sockets for the replacement of a silenced worker, under the same descriptors. */
      readonly renew: (worker: number) => BindFailure | undefined;
      /** Closes the descriptors; call it only when no worker uses them any more. */
      readonly close: () => void;
    }
  | { readonly ok: false; readonly failure: BindFailure };

/** @throws NameserverStartError if koffi is required but does not work on this machine. */
export async function openSocketSource(options: {
  readonly udp: 'auto' | 'koffi' | 'dgram';
  readonly workers: number;
  readonly log: Log;
}): Promise<SocketSource> {
  if (options.udp === 'dgram') return dgramSource(options.workers, options.log);
  try {
    return await koffiSource(options.workers);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (options.udp === 'koffi')
      throw new NameserverStartError(`DNS cannot use koffi for UDP on this machine: ${reason}`);
    options.log.info({ reason }, "UDP uses Node's dgram because koffi does not work on this machine");
    return dgramSource(options.workers, options.log);
  }
}

async function koffiSource(workerCount: number): Promise<SocketSource> {
  if (!isKoffiPlatform()) throw new Error(`${process.platform} on ${process.arch} is not supported`);
  const { loadLibc } = await import('../udp/libc.ts');
  const { openUdpSockets, silenceUdpSockets, renewUdpSocket, closeUdpSockets } =
    await import('../udp/open-udp-sockets.ts');
  const { adoptSockets, renewShare, shareHeldSockets } = await import('./inherited-sockets.ts');
  const libc = loadLibc();
  const ready = (
    tcp: readonly TcpEndpoint[],
    workers: readonly (readonly UdpDescriptor[])[],
    renewSocket: (socket: UdpDescriptor, index: number) => BindFailure | undefined,
  ): BoundSockets & { ok: true } => ({
    ok: true,
    tcp,
    workers: workers.map((sockets) => ({ kind: 'koffi', sockets })),
    silence: (worker) => silenceUdpSockets(libc, workers[worker] ?? []),
    renew: (worker) => workers[worker]?.map(renewSocket).find((failure) => failure !== undefined),
    close: () => closeUdpSockets(libc, workers.flat()),
  });
  const bind = (addresses: readonly ListenAddress[]): BoundSockets => {
    const bound: ListenAddress[] = [];
    const sockets: (readonly UdpDescriptor[])[] = [];
    for (const address of addresses) {
      const opened = openUdpSockets(libc, address, workerCount);
      if (!opened.ok) {
        closeUdpSockets(libc, sockets.flat());
        return opened;
      }
      sockets.push(opened.sockets);
      bound.push({ host: address.host, port: opened.port });
    }
    const ofWorker = (worker: number): readonly UdpDescriptor[] =>
      sockets.flatMap((ofAddress) => ofAddress.slice(worker, worker + 1));
    return ready(
      bound,
      Array.from({ length: workerCount }, (_, worker) => ofWorker(worker)),
      (socket, index) => renewUdpSocket(libc, socket, bound[index]),
    );
  };
  const share = ({ tcp, udp }: InheritedSockets): BoundSockets => {
    const adopted = ready(tcp, udp, (socket) => renewShare(libc, socket));
    const close = (): void => {
      adopted.close();
      for (const { descriptor } of tcp) libc.close(descriptor);
    };
    return { ...adopted, close };
  };
  return {
    bind,
    adopt: (descriptors) => share(adoptSockets(libc, descriptors, workerCount)),
    takeHeld: (held) => share(shareHeldSockets(libc, held, workerCount)),
  };
}

function dgramSource(workerCount: number, log: Log): SocketSource {
  if (workerCount > 1)
    log.warn(
      { asked: workerCount },
      'starting only one nameserver worker: dgram cannot share a port between threads',
    );
  return {
    bind: (addresses) => ({
      ok: true,
      tcp: addresses,
      workers: [{ kind: 'dgram' }],
      // Node's own sockets end with their thread, and the replacement binds new ones.
      silence: () => undefined,
      renew: () => undefined,
      close: () => undefined,
    }),
    adopt: refuseSockets,
    takeHeld: refuseSockets,
  };
}

function refuseSockets(): never {
  throw new NameserverStartError(
    'DNS can take over sockets only if UDP uses koffi: unset ZONEWRIGHT_UDP, or let DNS open its own ports',
  );
}
