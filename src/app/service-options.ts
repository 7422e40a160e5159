import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';
import type { ChildSockets, FromChild } from './child-messages.ts';
import type { Config } from './config-settings.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Options of each process that does work: the only one of its service, or one of two children. */
export interface ServiceOptions {
  readonly config: Config;
  /** Sockets that were bound for this process, used instead of the configured addresses. */
  readonly sockets: ChildSockets;
  readonly log: Logger;
  /** Aborted by a stop signal; parts that have been started are stopped again. */
  readonly stopping: AbortSignal;
}

/** Options of each part. */
export interface StartOptions extends ServiceOptions {
  readonly metrics: Pick<Metrics, 'registry'>;
}

/** Options of the parts of a process that speaks HTTP. */
export interface HttpStartOptions extends StartOptions {
  readonly metrics: ServiceMetrics;
}

/** Options of a child process. */
export interface ChildOptions extends ServiceOptions {
  /** Path of the socket between the two children. */
  readonly link: string;
  /** Tells the parent process. */
  readonly tell: (message: FromChild) => void;
}

export interface RunningChild {
  /** Stops accepting work, finishes the current work and closes what is open. */
  stop(): Promise<void>;
}
