import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createClient, type ZonewrightClient } from '../client/zonewright-client.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Where the service is and who asks: option, then environment, then what a server started here would use. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Adds the options that every command over HTTP takes. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <url>', `where the server listens; else ZONEWRIGHT_URL, else ${DEFAULT_URL}`)
    .option(
      '--key <key>',
      'API key (others on the machine can see it); else ZONEWRIGHT_KEY, else the admin key file',
    )
    .option('--json', 'print JSON');
}

export function connect(options: ConnectionOptions, terminal: Terminal): ZonewrightClient {
  return createClient(findService(options, terminal));
}

/** Where the service is and the key to ask it with. @throws CommandFailure when one of them is missing or malformed */
export function findService(
  options: ConnectionOptions,
  { environment }: Terminal,
): { readonly url: string; readonly key: string } {
  const url = options.url ?? nonEmpty(environment['ZONEWRIGHT_URL']) ?? DEFAULT_URL;
  if (!/^https?:$/.test(protocolOf(url))) {
    throw new CommandFailure(
      exitCodes.usage,
      `${JSON.stringify(url)} is not a URL, for example ${DEFAULT_URL}`,
    );
  }
  return { url, key: findKey(options, environment) };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

function findKey(options: ConnectionOptions, environment: Terminal['environment']): string {
  if (options.key !== undefined) return checkKey(options.key, '--key');
  const fromEnvironment = nonEmpty(environment['ZONEWRIGHT_KEY']);
  if (fromEnvironment !== undefined) return checkKey(fromEnvironment, 'ZONEWRIGHT_KEY');
  const path =
    nonEmpty(environment['ZONEWRIGHT_ADMIN_KEY_FILE']) ??
    join(nonEmpty(environment['ZONEWRIGHT_DATA']) ?? './data', 'admin.key');
  return checkKey(readAdminKey(path), path);
}

function readAdminKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = String((error as NodeJS.ErrnoException).code);
    throw new CommandFailure(
      exitCodes.authentication,
      `no API key: give --key, set ZONEWRIGHT_KEY, or make ${path} readable (${reason})`,
    );
  }
}

/** Only what can stand in a header; whether it is a key is the server's to say. */
function checkKey(key: string, source: string): string {
  if (/^[\w.~+/=-]{1,200}$/.test(key)) return key;
  throw new CommandFailure(exitCodes.authentication, `${source} does not hold an API key`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
