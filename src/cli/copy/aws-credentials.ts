import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure } from '../failures/command-failure.ts';
import { findVariable, nonEmpty, type Environment } from '../terminal/environment.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readKeyFile } from '../failures/file-failures.ts';

/** What requests to Amazon are signed with. */
export interface AwsCredentials {
  /** Names the key; no secret. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of keys that were lent for some hours. */
  readonly sessionToken: string | undefined;
}

/**
 * From the key file, else the environment, else the file of Amazon's own tools; both files in the form of
 * `~/.aws/credentials`, of which AWS_PROFILE names the section.
 *
 * @throws CommandFailure when there are none, or they are not whole
 */
export function findAwsCredentials(keyFile: string | undefined, environment: Environment): AwsCredentials {
  const profile = findVariable(environment, 'AWS_PROFILE') ?? 'default';
  if (keyFile !== undefined) return readProfile(keyFile, profile);
  const own = fromEnvironment(environment);
  if (own !== undefined) return own;
  const path = sharedFile(environment);
  if (existsSync(path)) return readProfile(path, profile);
  throw failure(
    `no key for the source: give --from-key-file or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and there is no ${path})`,
  );
}

function fromEnvironment(environment: Environment): AwsCredentials | undefined {
  const accessKeyId = findVariable(environment, 'AWS_ACCESS_KEY_ID');
  const secretAccessKey = findVariable(environment, 'AWS_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw failure('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY belong together, and only one of them is set');
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
      `${path}: section [${profile}] needs aws_access_key_id and aws_secret_access_key; of a role or single sign-on 'aws configure export-credentials --format env' has them`,
    );
  }
  const sessionToken = nonEmpty(settings.get('aws_session_token'));
  return checked(`${path}: section [${profile}]`, { accessKeyId, secretAccessKey, sessionToken });
}

/** The `name = value` lines below `[section]`; undefined where there is no such section. */
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

/** What cannot stand in a header would fail far from here. */
function checked(place: string, credentials: AwsCredentials): AwsCredentials {
  const { accessKeyId, secretAccessKey, sessionToken = '-' } = credentials;
  const areWords = [accessKeyId, secretAccessKey, sessionToken].every((word) => /^[!-~]{1,8192}$/.test(word));
  if (areWords) return credentials;
  throw failure(`${place} holds a key that is not one word`);
}

function failure(sentence: string): CommandFailure {
  return new CommandFailure(exitCodes.authentication, sentence);
}
