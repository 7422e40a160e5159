// The writing process's end of the link: wakes the nameserver process, and knows what it serves.
import type { Socket } from 'node:net';
import { LocalClient } from '../store/local-sockets.ts';
import {
  readMessages,
  sendMessage,
  type FromNameserver,
  type NameserverState,
  type ToNameserver,
} from './link-messages.ts';

/** A slow nameserver process must not withhold the metrics of this one: a scrape has ten seconds. */
const METRICS_WAIT_MS = 1000;

export class LinkClient {
  private readonly client: LocalClient;
  private known: NameserverState | undefined;
  private listener: () => void = () => undefined;
  private wakeSeq = 0;
  private isWakeDue = false;
  private metrics:
    { readonly text: Promise<string | null>; readonly settle: (text: string | null) => void } | undefined;

  /** Connects and reconnects until it is closed. */
  constructor(path: string) {
    this.client = new LocalClient(path, (socket) => this.listen(socket));
  }

  /** The last state that the connected nameserver process sent; undefined while there is none. */
  get state(): NameserverState | undefined {
    return this.known;
  }

  /** The listener is called with every message and when the connection is lost. */
  onMessage(listener: () => void): void {
    this.listener = listener;
  }

  /** Makes the nameserver process read the feed. One message for all calls of one callback. */
  wake(seq: number): void {
    this.wakeSeq = seq;
    if (this.isWakeDue) return;
    this.isWakeDue = true;
    queueMicrotask(() => {
      this.isWakeDue = false;
      this.send({ kind: 'wake', seq: this.wakeSeq });
    });
  }

  /** Asks for the metrics of the nameserver process; null if it does not answer in time. */
  askMetrics(): Promise<string | null> {
    if (this.known === undefined) return Promise.resolve(null);
    this.metrics ??= this.requestMetrics();
    return this.metrics.text;
  }

  close(): void {
    this.client.close();
  }

  private listen(socket: Socket): void {
    socket.on('close', () => this.lose());
    readMessages(socket, (message) => this.receive(message as FromNameserver));
  }

  private lose(): void {
    const wasConnected = this.known !== undefined;
    this.known = undefined;
    this.metrics?.settle(null);
    if (wasConnected) this.listener();
  }

  private receive(message: FromNameserver): void {
    if (message.kind === 'state') this.known = message.state;
    else if (message.kind === 'served' && this.known !== undefined)
      this.known = { ...this.known, seq: message.seq };
    else if (message.kind === 'former' && this.known !== undefined)
      this.known = { ...this.known, former: message.zones };
    else if (message.kind === 'metrics') this.metrics?.settle(message.text);
    this.listener();
  }

  private send(message: ToNameserver): void {
    const { socket } = this.client;
    if (this.known !== undefined && socket !== undefined) sendMessage(socket, message);
  }

  private requestMetrics() {
    let settle: (text: string | null) => void = () => undefined;
    const text = new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => settle(null), METRICS_WAIT_MS);
      settle = (known) => {
        clearTimeout(timer);
        this.metrics = undefined;
        resolve(known);
      };
    });
    this.send({ kind: 'askMetrics' });
    return { text, settle };
  }
}
