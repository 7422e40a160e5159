import type { Log } from '../base/log.ts';
import { flushTrail } from '../operations/flush-trail.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { RunningParts } from './running-parts.ts';

/** A crash loses so much of what nothing else has committed; each flush costs one commit. */
const INTERVAL_MS = 1000;

/** Writes what has been noted for the trail, every second and when the service stops. */
export function startTrail(context: OperationContext, log: Log, parts: RunningParts): void {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => flushTrail(context, log));
  }, INTERVAL_MS).unref();
  parts.add(async () => {
    clearInterval(timer);
    await running;
    await flushTrail(context, log, true);
  });
}
