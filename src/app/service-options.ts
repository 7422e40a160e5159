import type { Logger } from 'pino';
import type { ActivatedSockets } from './activated-sockets.ts';
import type { Config } from './config-settings.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** Options of `startService()`. */
export interface ServiceOptions {
  readonly config: Config;
  /** Sockets that a supervisor has bound, used instead of the configured addresses. */
  readonly sockets: ActivatedSockets;
  readonly log: Logger;
  /** Aborted by a stop signal; parts that have been started are stopped again. */
  readonly stopping: AbortSignal;
}

/** Options of each part. */
export interface StartOptions extends ServiceOptions {
  readonly metrics: ServiceMetrics;
}
