import type { Log } from '../base/log.ts';
import { noteKeyUses } from '../operations/note-key-uses.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { RunningParts } from './running-parts.ts';

/** The use of a key can be seen after so long. */
const INTERVAL_MS = 60_000;

/** Writes once a minute which API keys have been used, and when the service stops. */
export function startKeyUses(context: OperationContext, log: Log, parts: RunningParts): void {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => noteKeyUses(context, log));
  }, INTERVAL_MS).unref();
  parts.add(async () => {
    clearInterval(timer);
    await running;
    await noteKeyUses(context, log);
  });
}
