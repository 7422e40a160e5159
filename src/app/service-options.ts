import type { Logger } from 'pino';
import type { ActivatedSockets } from './activated-sockets.ts';
import type { Config } from './config-settings.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/** What a start is given. */
export interface ServiceOptions {
  readonly config: Config;
  /** What a supervisor has bound, in the place of what the configuration says. */
  readonly sockets: ActivatedSockets;
  readonly log: Logger;
  /** Aborted when the process was told to stop meanwhile: what has been started is taken apart again. */
  readonly stopping: AbortSignal;
}

/** What parts are started with. */
export interface StartOptions extends ServiceOptions {
  readonly metrics: ServiceMetrics;
}
