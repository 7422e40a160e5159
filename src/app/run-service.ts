import type { Logger } from 'pino';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import type { Terminal } from '../cli/terminal/terminal.ts';
import { takeActivatedSockets } from './activated-sockets.ts';
import { formatListenAddress } from './config-parsers.ts';
import { UNSET_NAMESERVER, type Config } from './config-settings.ts';
import { createLog } from './create-log.ts';
import { describeStartFailure } from './start-failure.ts';
import type { ServiceOptions } from './service-options.ts';
import { startService, type RunningService } from './start-service.ts';
import { formatWelcome } from './welcome.ts';

/** Supervisors send SIGKILL after ten seconds; the last second is for the process to end. */
const STOP_DEADLINE_MS = 9_000;

/**
 * Runs the server until the process receives a signal. The log, on stderr, has two lines for programs:
 * `{"level":"info","msg":"serving","http":"127.0.0.1:8080","dns":["127.0.0.1:5300"],…}` when DNS is answered and HTTP
 * listens, and the same with `ready` when all parts run, including the database. The welcome for the operator of a new
 * store is written to stdout.
 *
 * SIGTERM and SIGINT stop it in order; a second signal ends it immediately. Our own bugs end the process: a supervisor
 * is expected to restart it, and the store survives interruption at any moment.
 *
 * @throws CommandFailure with one sentence when it cannot start.
 */
export async function runService(config: Config, terminal: Terminal): Promise<void> {
  const log = createLog(config.log);
  exitOnBugs(log);
  const stopping = stopOnSignals(log);
  const sockets = takeActivatedSockets(process.env, process.pid, config.role);
  if (!sockets.ok) throw new CommandFailure(exitCodes.failed, sockets.problem);
  const service = await start({ config, sockets: sockets.value, log, stopping });
  if (service === undefined) return;
  announce(service, config, log, terminal);
  if (!stopping.aborted) {
    await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
  }
  await service.stop();
  log.info({}, 'stopped');
}

/** Returns undefined if a signal stopped the start. */
async function start(options: ServiceOptions): Promise<RunningService | undefined> {
  try {
    return await startService(options);
  } catch (error) {
    if (options.stopping.aborted) {
      options.log.info({}, 'stopped');
      return undefined;
    }
    const sentence = describeStartFailure(error);
    if (sentence !== undefined) throw new CommandFailure(exitCodes.failed, sentence, { cause: error });
    throw error;
  }
}

function announce(service: RunningService, config: Config, log: Logger, terminal: Terminal): void {
  const { adminKey, http, dns } = service;
  if (adminKey.kind !== 'kept') {
    const isShared = config.database.kind !== 'sqlite';
    terminal.print(formatWelcome({ adminKey, keyFile: config.adminKeyFile, http, dns: dns[0], isShared }));
  }
  if (config.role !== 'nameserver' && config.nameservers.includes(UNSET_NAMESERVER)) {
    log.warn(
      { setting: 'ZONEWRIGHT_NAMESERVERS' },
      `nameservers are not set: new domains get NS records for ${UNSET_NAMESERVER}`,
    );
  }
  log.info({ http: formatListenAddress(http), dns: dns.map(formatListenAddress), pid: process.pid }, 'ready');
}

function stopOnSignals(log: Logger): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) {
        log.warn({ signal }, 'second signal; exiting immediately');
        process.exit(exitCodes.failed);
      }
      log.info({ signal }, 'stopping');
      const giveUp = (): never => {
        log.warn({}, `shutdown not finished after ${STOP_DEADLINE_MS / 1000} seconds; exiting`);
        process.exit(exitCodes.done);
      };
      setTimeout(giveUp, STOP_DEADLINE_MS).unref();
      stopping.abort();
    });
  }
  return stopping.signal;
}

function exitOnBugs(log: Logger): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error({ err: error }, `${event}: this is a bug; exiting`);
      process.exit(exitCodes.failed);
    });
  }
}
