import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure } from '../failures/command-failure.ts';
import { findVariable, nonEmpty, type Environment } from '../terminal/environment.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readKeyFile } from '../failures/file-failures.ts';

/** Credentials that requests to Amazon are signed with. */
export interface AwsCredentials {
  /** Identifies the key; not secret. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Set for temporary keys. */
  readonly sessionToken: string | undefined;
}

/**
 * Finds credentials in the key file, the environment, or the file of Amazon's own tools, in this order. Both files
 * have the format of `~/.aws/credentials`; AWS_PROFILE selects the section.
 *
 * @throws CommandFailure if there are none, or if they are incomplete
 */
export function findAwsCredentials(keyFile: string | undefined, environment: Environment): AwsCredentials {
  const profile = findVariable(environment, 'AWS_PROFILE') ?? 'default';
  if (keyFile !== undefined) return readProfile(keyFile, profile);
  const own = fromEnvironment(environment);
  if (own !== undefined) return own;
  const path = sharedFile(environment);
  if (existsSync(path)) return readProfile(path, profile);
  throw failure(
    `no key for the source: use --from-key-file or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and there is no ${path})`,
  );
}

function fromEnvironment(environment: Environment): AwsCredentials | undefined {
  const accessKeyId = findVariable(environment, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = findVariable(environment, 'AWS_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw failure('only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set; both are needed');
  }
  const sessionToken = findVariable(environment, 'AWS_SESSION_TOKEN');
  return checked('the environment', { accessKeyId, secretAccessKey, sessionToken });
}

function sharedFile(environment: Environment): string {
  const home = findVariable(environment, 'HOME') ?? findVariable(environment, 'USERPROFILE') ?? '.';
  return findVariable(environment, 'AWS_SHARED_CREDENTIALS_FILE') ?? join(home, '.aws', 'credentials');
}

function readProfile(path: string, profile: string): AwsCredentials {
  const settings = readSection(readKeyFile(path), profile);
  if (settings === undefined) throw failure(`${path} has no section [${profile}]`);
  const accessKeyId = nonEmpty(settings.get('aws_access_key_id'));
  const secretAccessKey = nonEmpty(settings.get('aws_secret_access_key'));
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw failure(
      `${path}: section [${profile}] needs aws_access_key_id and aws_secret_access_key; for a role or single sign-on, run 'aws configure export-credentials --format env'`,
    );
  }
  const sessionToken = nonEmpty(settings.get('aws_session_token'));
  return checked(`${path}: section [${profile}]`, { accessKeyId, secretAccessKey, sessionToken });
}

/** Reads the `name = value` lines below `[section]`. Returns undefined if there is no such section. */
function readSection(text: string, section: string): ReadonlyMap<string, string> | undefined {
  let settings: Map<string, string> | undefined;
  let isInside = false;
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[\s*(.*?)\s*\]/.exec(line);
    if (head !== null) isInside = head[1] === section;
    if (!isInside) continue;
    settings ??= new Map();
    const setting = /^\s*([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (setting !== null) settings.set(setting[1].toLowerCase(), setting[2]);
  }
  return settings;
}

/** Rejects here what would fail later as an invalid header. */
function checked(place: string, credentials: AwsCredentials): AwsCredentials {
  const { accessKeyId, secretAccessKey, sessionToken = '-' } = credentials;
  const areWords = [accessKeyId, secretAccessKey, sessionToken].every((word) => /^[!-~]{1,8192}$/.test(word));
  if (areWords) return credentials;
  throw failure(`${place} contains a key with spaces or invalid characters`);
}

function failure(sentence: string): CommandFailure {
  return new CommandFailure(exitCodes.authentication, sentence);
}
