import type { DropLog } from '../drop-log.ts';
import type { ListenAddress } from '../listen-address.ts';
import type { BindFailure } from '../nameserver-start-error.ts';
import type { GuardedAnswerer } from '../query/guarded-answerer.ts';
import { TcpServer } from '../tcp/tcp-server.ts';
import type { TcpEndpoint } from '../tcp/tcp-endpoint.ts';
import type { UdpDescriptor } from '../udp/udp-descriptor.ts';
import type { WorkerSettings } from './worker-messages.ts';

/**
 * All sockets of one worker: UDP over koffi with descriptors that the main thread has bound, or over dgram bound here;
 * TCP on the same ports, or on sockets that a supervisor has bound. The sockets answer for as long as this object is
 * referenced.
 */
export class WorkerSockets {
  private readonly answerer: GuardedAnswerer;
  private readonly drops: DropLog;
  private readonly udp: UdpSocket[] = [];
  private readonly tcp: TcpServer;
  private readonly endpoints: TcpEndpoint[] = [];

  /** @throws BindError after closing everything that was opened. */
  static async open(
    settings: WorkerSettings,
    answerer: GuardedAnswerer,
    drops: DropLog,
  ): Promise<WorkerSockets> {
    const sockets = new WorkerSockets(settings, answerer, drops);
    try {
      await sockets.openAll(settings);
      return sockets;
    } catch (error) {
      sockets.close();
      throw error;
    }
  }

  private constructor(settings: WorkerSettings, answerer: GuardedAnswerer, drops: DropLog) {
    this.answerer = answerer;
    this.drops = drops;
    this.tcp = new TcpServer(answerer, settings.limits.tcp, drops);
  }

  /** The TCP endpoints with their actual ports; empty for workers without TCP. */
  get addresses(): readonly TcpEndpoint[] {
    return this.endpoints;
  }

  /** Stops reading; resolves when the answers in progress have been sent, including answers to held queries. */
  async finish(): Promise<void> {
    await Promise.all(this.udp.map((socket) => socket.finish()));
    await Promise.all([this.tcp.finish(), this.answerer.whenSettled()]);
  }

  close(): void {
    for (const socket of this.udp) socket.close();
    this.tcp.close();
  }

  private async openAll({ udp, tcp }: WorkerSettings): Promise<void> {
    if (udp.kind === 'koffi') await this.openKoffi(udp.sockets);
    for (const endpoint of tcp) {
      const port = udp.kind === 'dgram' ? await this.openDgram(endpoint) : endpoint.port;
      const bound = { ...endpoint, port };
      await this.listen(bound).catch(failedToBind('TCP', bound));
      this.endpoints.push(bound);
    }
  }

  private async listen({ host, port, descriptor }: TcpEndpoint): Promise<void> {
    if (descriptor === undefined) {
      await this.tcp.listen({ host, port });
      return;
    }
    const { loadLibc } = await import('../udp/libc.ts');
    // Node closes the listening socket with this thread; a replacement needs it again.
    await this.tcp.listen({ fd: loadLibc().dup(descriptor) });
  }

  /** Loads koffi only if it is used: it has no binary for every platform. */
  private async openKoffi(sockets: readonly UdpDescriptor[]): Promise<void> {
    const { loadLibc } = await import('../udp/libc.ts');
    const { KoffiUdpSocket } = await import('../udp/koffi-udp-socket.ts');
    const libc = loadLibc();
    for (const socket of sockets) this.udp.push(new KoffiUdpSocket(socket, libc, this.answerer, this.drops));
  }

  /** Returns the port, chosen by the system if 0 was requested. */
  private async openDgram(address: ListenAddress): Promise<number> {
    const { DgramUdpSocket } = await import('../udp/dgram-udp-socket.ts');
    const opened = DgramUdpSocket.open(address, this.answerer, this.drops);
    const socket = await opened.catch(failedToBind('UDP', address));
    this.udp.push(socket);
    return socket.port;
  }
}

/** A socket cannot be opened. */
export class BindError extends Error {
  readonly failure: BindFailure;

  constructor(failure: BindFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

interface UdpSocket {
  /** Stops reading; answers to held queries may still be sent until {@link close}. */
  finish(): Promise<void>;
  close(): void;
}

function failedToBind(protocol: 'UDP' | 'TCP', address: ListenAddress): (error: unknown) => never {
  return (error) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new BindError({ code, protocol, host: address.host, port: address.port });
  };
}
