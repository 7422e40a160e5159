import type { DropLog } from '../drop-log.ts';
import type { BindFailure, ListenAddress } from '../nameserver-start-error.ts';
import type { Responder } from '../query/responder.ts';
import { TcpServer } from '../tcp/tcp-server.ts';
import type { TcpEndpoint } from '../tcp/tcp-endpoint.ts';
import type { UdpDescriptor } from '../udp/udp-descriptor.ts';
import type { WorkerSettings } from './worker-messages.ts';

/**
 * All sockets of one worker: UDP over koffi from descriptors that the main thread has bound, or over dgram bound here;
 * TCP on the same ports, or on sockets that a supervisor has bound. Answers go on as long as this is referenced.
 */
export class WorkerSockets {
  readonly #responder: Responder;
  readonly #drops: DropLog;
  readonly #udp: UdpSocket[] = [];
  readonly #tcp: TcpServer;
  readonly #addresses: TcpEndpoint[] = [];

  /** @throws BindError, with everything closed again. */
  static async open(settings: WorkerSettings, responder: Responder, drops: DropLog): Promise<WorkerSockets> {
    const sockets = new WorkerSockets(settings, responder, drops);
    try {
      await sockets.#open(settings);
      return sockets;
    } catch (error) {
      sockets.close();
      throw error;
    }
  }

  private constructor(settings: WorkerSettings, responder: Responder, drops: DropLog) {
    this.#responder = responder;
    this.#drops = drops;
    this.#tcp = new TcpServer(responder, settings.limits.tcp, drops);
  }

  /** Where TCP is listened on, with real ports; empty in workers that don't. */
  get addresses(): readonly TcpEndpoint[] {
    return this.#addresses;
  }

  /** Reads no more; resolves when the answers under way have left, also those to held queries. */
  async finish(): Promise<void> {
    await Promise.all(this.#udp.map((socket) => socket.finish()));
    await Promise.all([this.#tcp.finish(), this.#responder.whenSettled()]);
  }

  close(): void {
    for (const socket of this.#udp) socket.close();
    this.#tcp.close();
  }

  async #open({ udp, tcp }: WorkerSettings): Promise<void> {
    if (udp.kind === 'koffi') await this.#openKoffi(udp.sockets);
    for (const endpoint of tcp) {
      const port = udp.kind === 'dgram' ? await this.#openDgram(endpoint) : endpoint.port;
      const bound = { ...endpoint, port };
      await this.#listen(bound).catch(failedToBind('TCP', bound));
      this.#addresses.push(bound);
    }
  }

  async #listen({ host, port, descriptor }: TcpEndpoint): Promise<void> {
    if (descriptor === undefined) {
      await this.#tcp.listen({ host, port });
      return;
    }
    const { loadLibc } = await import('../udp/udp-koffi-libc.ts');
    // Node closes what it listens on with this thread; a successor needs the socket again.
    await this.#tcp.listen({ fd: loadLibc().dup(descriptor) });
  }

  /** Koffi is loaded only where it is used: it has no binary for every platform. */
  async #openKoffi(sockets: readonly UdpDescriptor[]): Promise<void> {
    const { loadLibc } = await import('../udp/udp-koffi-libc.ts');
    const { KoffiUdpSocket } = await import('../udp/udp-koffi.ts');
    const libc = loadLibc();
    for (const socket of sockets)
      this.#udp.push(new KoffiUdpSocket(socket, libc, this.#responder, this.#drops));
  }

  /** Returns the port, which the system has chosen where 0 was asked for. */
  async #openDgram(address: ListenAddress): Promise<number> {
    const { DgramUdpSocket } = await import('../udp/udp-dgram.ts');
    const opened = DgramUdpSocket.open(address, this.#responder, this.#drops);
    const socket = await opened.catch(failedToBind('UDP', address));
    this.#udp.push(socket);
    return socket.port;
  }
}

/** A socket that can't be opened. */
export class BindError extends Error {
  readonly failure: BindFailure;

  constructor(failure: BindFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

interface UdpSocket {
  /** Reads no more; answers to held queries may still be sent until {@link close}. */
  finish(): Promise<void>;
  close(): void;
}

function failedToBind(protocol: 'UDP' | 'TCP', address: ListenAddress): (error: unknown) => never {
  return (error) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new BindError({ code, protocol, host: address.host, port: address.port });
  };
}
