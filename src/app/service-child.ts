// A child process of the service, started by `family.ts`: HTTP and the store, or the nameserver. It ends when its parent
// asks for it, and at once when its parent has ended.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { FromChild, ToChild } from './child-messages.ts';
import { createLog } from './create-log.ts';
import { exitOnBugs } from './exit-on-bugs.ts';
import type { RunningChild } from './service-options.ts';
import { SIGN_OF_LIFE_MS } from './silence-watch.ts';
import { describeStartFailure } from './start-failure.ts';

const stopping = new AbortController();
let linkFolder: string | undefined;

// Supervisors and terminals send their signal to every process of a service; the parent ends them in order.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  // The parent was killed, and nobody else removes its folder.
  if (linkFolder !== undefined) rmSync(linkFolder, { recursive: true, force: true });
  process.kill(process.pid, 'SIGKILL');
});
process.stderr.on('error', () => undefined);
process.on('message', (message: ToChild) => {
  if (message.kind === 'stop') stopping.abort();
  else void run(message);
});

async function run(start: Extract<ToChild, { kind: 'start' }>): Promise<void> {
  if (process.platform !== 'win32') linkFolder = dirname(start.link);
  const log = createLog(start.config.log, start.process);
  exitOnBugs(log);
  try {
    const child = await startParts(start, log);
    setInterval(() => tell({ kind: 'alive' }), SIGN_OF_LIFE_MS).unref();
    if (!stopping.signal.aborted)
      await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
    await child.stop();
  } catch (error) {
    if (stopping.signal.aborted) process.exit(exitCodes.done);
    const sentence = describeStartFailure(error);
    if (sentence === undefined) throw error;
    const exitCode = error instanceof CommandFailure ? error.exitCode : exitCodes.failed;
    await new Promise<void>((resolve) => tell({ kind: 'failed', exitCode, sentence }, resolve));
    process.exit(exitCode);
  }
  process.exit(exitCodes.done);
}

/** Loads only the packages that this child needs. */
async function startParts(
  { process: name, config, link, sockets }: Extract<ToChild, { kind: 'start' }>,
  log: ReturnType<typeof createLog>,
): Promise<RunningChild> {
  const options = { config, sockets, log, stopping: stopping.signal, link, tell };
  if (name === 'http') return (await import('./start-http-child.ts')).startHttpChild(options);
  return (await import('./start-nameserver-child.ts')).startNameserverChild(options);
}

function tell(message: FromChild, whenSent: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, () => whenSent());
}
