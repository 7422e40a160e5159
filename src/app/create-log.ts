import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { redactPasswords } from './config-parsers.ts';
import type { Config } from './config-settings.ts';

/**
 * The log: one line of JSON each on stderr, so that stdout stays free for people. Lines are written before the call
 * returns, the last one before a crash included. API keys and passwords are masked wherever they stand in a line.
 */
export function createLog(level: Config['log'], stream: DestinationStream = openStderr()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskSecrets },
    },
    stream,
  );
}

function openStderr(): DestinationStream {
  const stderr = destination({ fd: 2, sync: true });
  // A closed pipe costs log lines, never the server.
  stderr.on('error', () => undefined);
  return stderr;
}

function maskSecrets(line: string): string {
  return redactPasswords(line.replace(/\bzw_[0-9A-Za-z]{32,}/g, 'zw_***'));
}
