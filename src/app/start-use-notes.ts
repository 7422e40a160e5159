import type { Log } from '../base/log.ts';
import { noteUses } from '../operations/note-uses.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { RunningParts } from './running-parts.ts';

/** The use of a key or a session can be seen after so long. */
const INTERVAL_MS = 60_000;

/** Writes once a minute which API keys and sessions have been used, and when the service stops. */
export function startUseNotes(context: OperationContext, log: Log, parts: RunningParts): void {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => noteUses(context, log));
  }, INTERVAL_MS).unref();
  parts.add(async () => {
    clearInterval(timer);
    await running;
    await noteUses(context, log);
  });
}
