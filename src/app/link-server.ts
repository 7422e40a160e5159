// The nameserver process's end of the link: is woken by the process that writes, and tells it what is served.
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Publisher } from '../publisher/publisher.ts';
import type { FollowedZones } from '../store/followed-zones.ts';
import {
  readMessages,
  sendMessage,
  type FromNameserver,
  type NameserverState,
  type ToNameserver,
} from './link-messages.ts';

/** How often the state is sent without being asked: the other process counts on hearing from this one. */
const STATE_INTERVAL_MS = 1000;

/** One for the process that writes, and one for its predecessor that the system has not closed yet. */
const MAX_CONNECTIONS = 4;

export interface LinkedNameserver {
  readonly zones: FollowedZones;
  readonly publisher: Pick<Publisher, 'formerZones' | 'onFormerChange'>;
  workerFigures(): Pick<NameserverState, 'workers' | 'answering'>;
  renderMetrics(): Promise<string>;
}

export class LinkServer {
  private readonly server: Server;
  private readonly nameserver: LinkedNameserver;
  private readonly sockets = new Set<Socket>();
  private readonly timer: NodeJS.Timeout;
  private lastSeq = -1;
  private lastCondition = '';
  /** The list of zones that are served in a former version has changed since it was sent. */
  private isFormerDue = false;

  /** Resolves when it listens. A socket that a predecessor left at the path is replaced. */
  static async open(path: string, nameserver: LinkedNameserver): Promise<LinkServer> {
    const link = new LinkServer(nameserver);
    if (process.platform !== 'win32') rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      link.server.once('error', reject);
      link.server.listen(path, resolve);
    });
    return link;
  }

  private constructor(nameserver: LinkedNameserver) {
    this.nameserver = nameserver;
    this.server = createServer((socket) => this.accept(socket));
    this.server.maxConnections = MAX_CONNECTIONS;
    nameserver.zones.onProgress(() => this.tellProgress());
    nameserver.publisher.onFormerChange(() => {
      this.isFormerDue = true;
      // One message for all changes of one callback, unless it also applies a commit.
      queueMicrotask(() => this.tellFormer());
    });
    this.timer = setInterval(() => this.tellState(), STATE_INTERVAL_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    readMessages(socket, (message) => this.receive(socket, message as ToNameserver));
    sendMessage(socket, { kind: 'state', state: this.state() });
  }

  private receive(socket: Socket, message: ToNameserver): void {
    if (message.kind === 'wake') this.nameserver.zones.wake();
    else void this.sendMetrics(socket);
  }

  private async sendMetrics(socket: Socket): Promise<void> {
    sendMessage(socket, { kind: 'metrics', text: await this.nameserver.renderMetrics() });
  }

  /** Called for each commit that has been applied. */
  private tellProgress(): void {
    this.tellFormer();
    const { seq, phase, doubt } = this.nameserver.zones.state();
    const condition = `${phase} ${doubt?.reason} ${doubt?.zones?.join()}`;
    if (condition !== this.lastCondition) this.tellState();
    else if (seq !== this.lastSeq) this.tell({ kind: 'served', seq });
    this.lastCondition = condition;
    this.lastSeq = seq;
  }

  private tellFormer(): void {
    if (this.isFormerDue) this.tell({ kind: 'former', zones: this.nameserver.publisher.formerZones() });
    this.isFormerDue = false;
  }

  private tellState(): void {
    this.tell({ kind: 'state', state: this.state() });
  }

  private tell(message: FromNameserver): void {
    for (const socket of this.sockets) sendMessage(socket, message);
  }

  private state(): NameserverState {
    const { workers, answering } = this.nameserver.workerFigures();
    const former = this.nameserver.publisher.formerZones();
    return { ...this.nameserver.zones.state(), pid: process.pid, workers, answering, former };
  }
}
