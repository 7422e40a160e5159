// The writing process's end of the link: wakes the nameserver process, and knows what it serves.
import { connect, type Socket } from 'node:net';
import {
  readMessages,
  sendMessage,
  type FromNameserver,
  type NameserverState,
  type ToNameserver,
} from './link-messages.ts';

/** Pause between two attempts: a nameserver process needs some half a second to start. */
const RECONNECT_MS = 20;

/** A slow nameserver process must not withhold the metrics of this one: a scrape has ten seconds. */
const METRICS_WAIT_MS = 1000;

export class LinkClient {
  private readonly path: string;
  private socket: Socket | undefined;
  private retry: NodeJS.Timeout | undefined;
  private known: NameserverState | undefined;
  private listener: () => void = () => undefined;
  private wakeSeq = 0;
  private isWakeDue = false;
  private metrics:
    { readonly text: Promise<string | null>; readonly settle: (text: string | null) => void } | undefined;
  private isClosed = false;

  /** Connects and reconnects until it is closed. */
  constructor(path: string) {
    this.path = path;
    this.connect();
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
    this.isClosed = true;
    clearTimeout(this.retry);
    this.socket?.destroy();
  }

  private connect(): void {
    const socket = connect(this.path);
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => this.lose());
    readMessages(socket, (message) => this.receive(message as FromNameserver));
  }

  private lose(): void {
    const wasConnected = this.known !== undefined;
    this.known = undefined;
    this.metrics?.settle(null);
    if (wasConnected) this.listener();
    if (!this.isClosed) this.retry = setTimeout(() => this.connect(), RECONNECT_MS);
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
    if (this.known !== undefined && this.socket !== undefined) sendMessage(this.socket, message);
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
