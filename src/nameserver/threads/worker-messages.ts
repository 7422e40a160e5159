import type { AnswerSettings } from '../query/answerer.ts';
import type { NameserverLimits } from '../nameserver-limits.ts';
import type { BindFailure } from '../nameserver-start-error.ts';
import type { TcpEndpoint } from '../tcp/tcp-endpoint.ts';
import type { UdpSettings } from '../udp/udp-descriptor.ts';

/** Messages between the main thread and a nameserver worker: plain data, cloned. */

/** A worker's `workerData`. */
export interface WorkerSettings {
  readonly memory: SharedArrayBuffer;
  /** The worker's number, which is also its reader place in the shared memory. */
  readonly reader: number;
  /** URL of the module that exports `createAnswerer`. */
  readonly answererModule: string;
  readonly answers: AnswerSettings | undefined;
  /** Counts of all workers; each worker writes into its own region. */
  readonly queryCounts: SharedArrayBuffer;
  /** Heartbeats of all workers; each worker increments its own counter. */
  readonly heartbeats: Int32Array<SharedArrayBuffer>;
  readonly udp: UdpSettings;
  /** TCP endpoints of this worker; only the first worker has any. */
  readonly tcp: readonly TcpEndpoint[];
  readonly limits: NameserverLimits;
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
