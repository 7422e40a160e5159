// The nameserver process's end of the link: is woken by the process that writes, and tells it what is served.
import type { Socket } from 'node:net';
import { LocalServer } from '../store/local-sockets.ts';
import type { Publisher } from '../publisher/publisher.ts';
import type { FollowedZones, FormerVersion } from '../store/followed-zones.ts';
import {
  readMessages,
  sendMessage,
  type FromNameserver,
  type NameserverState,
  type ToNameserver,
} from './link-messages.ts';

/** How often the state is sent without being asked: the other process counts on hearing from this one. */
const STATE_INTERVAL_MS = 1000;

export interface LinkedNameserver {
  readonly zones: FollowedZones;
  readonly publisher: Pick<Publisher, 'formerZones' | 'onFormerChange'>;
  /** The addresses at which it listens, over UDP and TCP. */
  readonly addresses: NameserverState['addresses'];
  workerFigures(): Pick<NameserverState, 'workers' | 'answering'>;
  renderMetrics(): Promise<string>;
}

export class LinkServer {
  private server: LocalServer | undefined;
  private readonly nameserver: LinkedNameserver;
  private readonly timer: NodeJS.Timeout;
  private lastSeq = -1;
  private lastCondition = '';
  private lastAwaited = '';
  /** The list of zones that are served in a former version has changed since it was sent. */
  private isFormerDue = false;

  /** Resolves when it listens. A socket that a predecessor left at the path is replaced. */
  static async open(path: string, nameserver: LinkedNameserver): Promise<LinkServer> {
    const link = new LinkServer(nameserver);
    link.server = await LocalServer.open(path, (socket) => link.accept(socket));
    return link;
  }

  private constructor(nameserver: LinkedNameserver) {
    this.nameserver = nameserver;
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
    await this.server?.close();
  }

  private accept(socket: Socket): void {
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
    const { seq, phase, doubt, awaited = [] } = this.nameserver.zones.state();
    const awaitedNames = awaited.map(({ name, serial }) => `${name} ${serial}`).join();
    if (awaitedNames !== this.lastAwaited) this.isFormerDue = true;
    this.lastAwaited = awaitedNames;
    this.tellFormer();
    const condition = `${phase} ${doubt?.reason} ${doubt?.zones?.join()}`;
    if (condition !== this.lastCondition) this.tellState();
    else if (seq !== this.lastSeq) this.tell({ kind: 'served', seq });
    this.lastCondition = condition;
    this.lastSeq = seq;
  }

  private tellFormer(): void {
    if (this.isFormerDue) this.tell({ kind: 'former', zones: this.formerVersions() });
    this.isFormerDue = false;
  }

  private tellState(): void {
    this.tell({ kind: 'state', state: this.state() });
  }

  private tell(message: FromNameserver): void {
    for (const socket of this.server?.sockets ?? []) sendMessage(socket, message);
  }

  private state(): NameserverState {
    const { workers, answering } = this.nameserver.workerFigures();
    const former = this.formerVersions();
    const state = { ...this.nameserver.zones.state(), awaited: undefined };
    const { addresses } = this.nameserver;
    return { ...state, pid: process.pid, addresses, workers, answering, former };
  }

  /** A zone whose content is fetched, and loaded then, is in one of the two lists at any time, or in both. */
  private formerVersions(): readonly FormerVersion[] {
    const { zones, publisher } = this.nameserver;
    const loading = publisher.formerZones();
    const names = new Set(loading.map(({ name }) => name));
    return [...loading, ...(zones.state().awaited ?? []).filter(({ name }) => !names.has(name))];
  }
}
