import type { AnswerSettings } from '../query/guarded-answerer.ts';
import type { NameserverLimits } from '../nameserver-limits.ts';
import type { BindFailure, ListenAddress } from '../nameserver-start-error.ts';

/** What crosses between the main thread and a nameserver worker: plain data, cloned. */

/** A worker's `workerData`. */
export interface WorkerSettings {
  readonly memory: SharedArrayBuffer;
  /** The worker's number, which is also its place among the readers of the memory. */
  readonly reader: number;
  /** URL of the module that exports `createAnswerer`. */
  readonly answererModule: string;
  readonly answers: AnswerSettings | undefined;
  /** Counts of all workers; each writes into its own region. */
  readonly queryCounts: SharedArrayBuffer;
  /** Signs of life of all workers; each counts up in its own place. */
  readonly heartbeats: Int32Array<SharedArrayBuffer>;
  readonly udp: UdpSettings;
  /** Where this worker listens for connections; only the first worker does. */
  readonly tcp: readonly TcpEndpoint[];
  readonly limits: NameserverLimits;
}

export type UdpSettings =
  { readonly kind: 'koffi'; readonly sockets: readonly UdpDescriptor[] } | { readonly kind: 'dgram' };

/** Where TCP is listened on; on a socket that the supervisor has bound where there is a descriptor. */
export interface TcpEndpoint extends ListenAddress {
  readonly descriptor?: number;
}

/** A bound UDP socket that the main thread owns. */
export interface UdpDescriptor {
  readonly descriptor: number;
  /**
   * Of a socket that all workers share: this worker's own epoll instance on it. What is polled in the socket's place,
   * because closing our descriptor of a socket that another process has too would end no poll.
   */
  readonly epoll?: number;
  readonly family: 4 | 6;
  /** Bound to all addresses: answers must say which one they leave from. */
  readonly wildcard: boolean;
}

export type ToWorker = { readonly kind: 'loaded'; readonly zone: string } | { readonly kind: 'stop' };

export type FromWorker =
  | { readonly kind: 'ready'; readonly addresses: readonly TcpEndpoint[] }
  | { readonly kind: 'bind-failure'; readonly failure: BindFailure }
  | { readonly kind: 'load'; readonly zone: string }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly fields: object;
      readonly message: string;
    };
