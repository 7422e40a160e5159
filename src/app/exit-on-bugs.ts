import type { Log } from '../base/log.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';

/** Our own bugs end the process: it is started again, and the store survives interruption at any moment. */
export function exitOnBugs(log: Log, beforeExit: () => void = () => undefined): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error({ err: error }, `${event}: this is a bug; exiting`);
      beforeExit();
      process.exit(exitCodes.failed);
    });
  }
}
