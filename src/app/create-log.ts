import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { redactPasswords } from './config-parsers.ts';
import type { ProcessName } from './child-messages.ts';
import type { Config } from './config-settings.ts';

/**
 * Creates the log, which writes JSON lines to stderr and leaves stdout to people. A line is written before the call
 * returns, so that the last line before a crash is not lost. API keys and passwords are masked anywhere in a line.
 *
 * @param process in the lines of a child process
 */
export function createLog(
  level: Config['log'],
  process?: ProcessName,
  stream: DestinationStream = openStderr(),
): Logger {
  return pino(
    {
      level,
      base: process === undefined ? null : { process },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskSecrets },
    },
    stream,
  );
}

function openStderr(): DestinationStream {
  const stderr = destination({ fd: 2, sync: true });
  // A closed pipe loses log lines but does not end the server.
  stderr.on('error', () => undefined);
  return stderr;
}

function maskSecrets(line: string): string {
  return redactPasswords(line.replace(/\bzw_[0-9A-Za-z]{32,}/g, 'zw_***'));
}
