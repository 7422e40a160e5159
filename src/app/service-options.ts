import type { Logger } from 'pino';
import type { ActivatedSockets } from './activated-sockets.ts';
import type { Config } from './config-settings.ts';

/** What a start is given. */
export interface ServiceOptions {
  readonly config: Config;
  /** What a supervisor has bound, in the place of what the configuration says. */
  readonly sockets: ActivatedSockets;
  readonly log: Logger;
  /** Aborted when the process was told to stop meanwhile: what has been started is taken apart again. */
  readonly stopping: AbortSignal;
}
