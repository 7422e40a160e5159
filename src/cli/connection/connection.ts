import { readFileSync } from 'node:fs';
import { createClient, type ZonewrightClient } from '../../client/zonewright-client.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import type { Command } from '../command-line/command.ts';
import { findVariable, type Environment } from '../terminal/environment.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { codeOf } from '../failures/file-failures.ts';
import { DEFAULT_URL, findLocalServer, type LocalServer } from './local-server.ts';
import { isSocketUrl, reachService, type ServiceAccess } from './socket-fetch.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { getProfile, readProfileKey, type Profile } from './profiles.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Address and key of the service. Options come first, then the profile that an option names, `ZONEWRIGHT_URL` and
 * `ZONEWRIGHT_KEY`, the profile of `ZONEWRIGHT_PROFILE`, and the settings of a local server.
 */
export interface ConnectionOptions extends OutputOptions {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
}

/** Adds the options of every command that uses HTTP. */
export function addConnectionOptions(command: Command): Command {
  return addOutputOptions(addServiceOptions(command));
}

/** The same without the options for the output format. */
export function addServiceOptions(command: Command): Command {
  return command
    .option(
      '--url <url>',
      'address of the service, unix:/path for a socket (default: ZONEWRIGHT_URL, then the settings of a local server)',
    )
    .option(
      '--key <key>',
      'API key, visible to other users of this machine (default: ZONEWRIGHT_KEY, then the admin key file)',
    )
    .option('--profile <profile>', 'use the address and key of this profile (default: ZONEWRIGHT_PROFILE)');
}

export function connect(options: ConnectionOptions, terminal: Terminal): ZonewrightClient {
  return createClient(reachService(findService(options, terminal)));
}

/** @throws CommandFailure if the URL or key is missing or malformed */
export function findService(options: ConnectionOptions, { environment }: Terminal): ServiceAccess {
  const profile = findProfile(options, environment);
  const local = findLocalServer(environment);
  const variables = readVariables(options, environment);
  const url =
    options.url ?? variables.url ?? profile?.url ?? findVariable(environment, 'ZONEWRIGHT_URL') ?? local.url;
  return { url: checkServiceUrl(url), key: findKey(options, variables.key, profile, local) };
}

/** Returns the profile that an option or the environment names. @throws CommandFailure if there is no such profile */
export function findProfile(
  options: Pick<ConnectionOptions, 'profile'>,
  environment: Environment,
): Profile | undefined {
  const name = options.profile ?? findVariable(environment, 'ZONEWRIGHT_PROFILE');
  return name === undefined ? undefined : getProfile(environment, name);
}

/** The variables that come before a profile of the environment. Its own key is never sent to another address. */
function readVariables(
  { profile }: ConnectionOptions,
  environment: Environment,
): { readonly url?: string | undefined; readonly key?: string | undefined } {
  const key = findVariable(environment, 'ZONEWRIGHT_KEY');
  if (profile !== undefined || key === undefined) return {};
  return { key, url: findVariable(environment, 'ZONEWRIGHT_URL') };
}

/** @throws CommandFailure unless it is an HTTP URL without credentials, or `unix:` and the absolute path of a socket */
export function checkServiceUrl(url: string): string {
  return isSocketUrl(url) ? url : checkUrl(url);
}

/** @throws CommandFailure unless it is an HTTP URL without credentials */
export function checkUrl(url: string): string {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  const isHttp = /^https?:$/.test(protocol);
  // Without http://, a user name is parsed as the protocol.
  if (username || password || (!isHttp && url.includes('@'))) {
    throw new CommandFailure(
      exitCodes.usage,
      'the URL must not contain a user name or password; use --key or ZONEWRIGHT_KEY',
    );
  }
  if (isHttp) return url;
  const sentence = `${JSON.stringify(url)} is not a URL, for example ${DEFAULT_URL}`;
  throw new CommandFailure(exitCodes.usage, sentence);
}

/** Checks only that the key can be sent in a header; the server decides whether it is valid. */
export function checkKey(key: string, source: string): string {
  if (/^[\w.~+/=-]{1,200}$/.test(key)) return key;
  throw new CommandFailure(exitCodes.authentication, `${source} does not hold an API key`);
}

function findKey(
  options: ConnectionOptions,
  fromEnvironment: string | undefined,
  profile: Profile | undefined,
  { adminKeyFile }: LocalServer,
): string {
  if (options.key !== undefined) return checkKey(options.key, '--key');
  if (fromEnvironment !== undefined) return checkKey(fromEnvironment, 'ZONEWRIGHT_KEY');
  if (profile !== undefined) {
    const { text, source } = readProfileKey(profile);
    return checkKey(text, source);
  }
  return checkKey(readAdminKey(adminKeyFile), adminKeyFile);
}

function readAdminKey(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CommandFailure(
      exitCodes.authentication,
      `no API key: use --key, set ZONEWRIGHT_KEY, or make ${path} readable (${codeOf(error)})`,
    );
  }
}
