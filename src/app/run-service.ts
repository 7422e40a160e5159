import type { Logger } from 'pino';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { takeActivatedSockets, type ActivatedSockets } from './activated-sockets.ts';
import { announce } from './announce.ts';
import { checkTlsFiles } from './check-tls-files.ts';
import type { Config } from './config-settings.ts';
import { createLog } from './create-log.ts';
import { exitOnBugs } from './exit-on-bugs.ts';
import { describeStartFailure } from './start-failure.ts';
import type { ServiceOptions } from './service-options.ts';
import type { RunningService } from './start-service.ts';

/** Supervisors send SIGKILL after ten seconds; the last second is for the process to end. */
const STOP_DEADLINE_MS = 9_000;

/**
 * Runs the server until the process receives a signal. The log, on stderr, has two lines for programs:
 * `{"level":"info","msg":"serving","http":"127.0.0.1:8080","dns":["127.0.0.1:5300"],…}` when DNS is answered and HTTP
 * listens, and the same with `ready` when all parts run, including the database. The welcome for the operator of a new
 * store is written to stdout.
 *
 * SIGTERM and SIGINT stop it in order; a second signal ends it immediately. Our own bugs end the process that has them: its
 * parent, or a supervisor, is expected to start it again, and the store survives interruption at any moment.
 *
 * @throws CommandFailure with one sentence when it cannot start.
 */
export async function runService(config: Config, terminal: Terminal): Promise<void> {
  const log = createLog(config.log);
  let endChildren = (): void => undefined;
  exitOnBugs(log, () => endChildren());
  const stopping = stopOnSignals(log, () => endChildren());
  const sockets = takeActivatedSockets(process.env, process.pid, config);
  if (!sockets.ok) throw new CommandFailure(exitCodes.failed, sockets.problem);
  await checkTlsFiles(config);
  if (config.role === 'both') {
    // Each role loads only what it needs.
    const { Family } = await import('./family.ts');
    const family = new Family({ config, sockets: sockets.value, log, terminal, stopping });
    endChildren = () => family.kill();
    await family.run();
  } else {
    const service = await start({ config, sockets: asChildSockets(sockets.value), log, stopping });
    if (service !== undefined) {
      announce(service, config, log, terminal);
      if (!stopping.aborted) await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      await service.stop();
    }
  }
  log.info({}, 'stopped');
}

function asChildSockets({ http, https, dns: descriptors }: ActivatedSockets): ServiceOptions['sockets'] {
  return { http, https, dns: descriptors.length === 0 ? undefined : { kind: 'activated', descriptors } };
}

/** Returns undefined if a signal stopped the start. */
async function start(options: ServiceOptions): Promise<RunningService | undefined> {
  const { startService } = await import('./start-service.ts');
  try {
    return await startService(options);
  } catch (error) {
    if (options.stopping.aborted) return undefined;
    const sentence = describeStartFailure(error);
    if (sentence !== undefined) throw new CommandFailure(exitCodes.failed, sentence, { cause: error });
    throw error;
  }
}

/** @param endChildren before the process exits without waiting for them */
function stopOnSignals(log: Logger, endChildren: () => void): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) {
        log.warn({ signal }, 'second signal; exiting immediately');
        endChildren();
        process.exit(exitCodes.failed);
      }
      log.info({ signal }, 'stopping');
      const giveUp = (): never => {
        log.warn({}, `shutdown not finished after ${STOP_DEADLINE_MS / 1000} seconds; exiting`);
        endChildren();
        process.exit(exitCodes.done);
      };
      setTimeout(giveUp, STOP_DEADLINE_MS).unref();
      stopping.abort();
    });
  }
  return stopping.signal;
}
