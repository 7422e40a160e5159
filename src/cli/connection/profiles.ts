import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify, type TomlTable } from 'smol-toml';
import { parseTime } from '../../dns/zone-file/parse-time.ts';
import { CommandFailure } from '../failures/command-failure.ts';
import { findVariable, type Environment } from '../terminal/environment.ts';
import { exitCodes } from '../failures/exit-codes.ts';
import { readKeyFile, unwritable } from '../failures/file-failures.ts';
import { readToml } from '../input/read-toml.ts';

/**
 * Named services in `~/.config/zonewright/profiles.toml`: one table per profile with `url`, `key` or
 * `key_file`, and `ttl`. A
 * file that contains keys must not be readable by other users.
 */
export interface Profile {
  readonly url: string;
  /** The key itself, or the path of a file that contains it. */
  readonly key: { readonly text: string } | { readonly file: string };
  /** Time to live of records that are created without one, in seconds; undefined: the server's default. */
  readonly ttl?: number | undefined;
}

export function profilesPath(environment: Environment): string {
  const home = findVariable(environment, 'HOME') ?? '.';
  const folder = findVariable(environment, 'XDG_CONFIG_HOME') ?? join(home, '.config');
  return join(folder, 'zonewright', 'profiles.toml');
}

/** Profiles by name. @throws CommandFailure if the file is invalid or readable by other users */
export function readProfiles(environment: Environment): ReadonlyMap<string, Profile> {
  const path = profilesPath(environment);
  const table = readToml(path) ?? {};
  const profiles = new Map(
    Object.entries(table).map(([name, value]) => [name, readProfile(path, name, value)]),
  );
  if ([...profiles.values()].some(({ key }) => 'text' in key)) checkPrivate(path);
  return profiles;
}

/** @throws CommandFailure if there is no such profile */
export function getProfile(environment: Environment, name: string): Profile {
  const profile = readProfiles(environment).get(name);
  if (profile !== undefined) return profile;
  const sentence = `there is no profile ${name}; zonewright profile list shows all profiles`;
  throw new CommandFailure(exitCodes.usage, sentence);
}

/** @throws CommandFailure if the key file cannot be read, or is readable by other users */
export function readProfileKey({ key }: Profile): { readonly text: string; readonly source: string } {
  if ('text' in key) return { text: key.text, source: 'the profile' };
  const text = readKeyFile(key.file);
  checkPrivate(key.file);
  return { text, source: key.file };
}

/** Replaces the file atomically; only its owner can read it. */
export function writeProfiles(environment: Environment, profiles: ReadonlyMap<string, Profile>): void {
  const path = profilesPath(environment);
  const table: TomlTable = {};
  for (const [name, { url, key, ttl }] of profiles) {
    const secret = 'text' in key ? { key: key.text } : { key_file: key.file };
    table[name] = { url, ...secret, ...(ttl === undefined ? {} : { ttl }) };
  }
  const draft = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, stringify(table), { mode: 0o600 });
    // A leftover draft would keep its old mode.
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function readProfile(path: string, name: string, value: unknown): Profile {
  const members = (typeof value === 'object' ? value : {}) as Record<string, unknown>;
  const { url, key, key_file: file } = members;
  const ttl = readTtl(path, name, members['ttl']);
  if (typeof url === 'string' && typeof key === 'string') return { url, key: { text: key }, ttl };
  if (typeof url === 'string' && typeof file === 'string') return { url, key: { file }, ttl };
  throw new CommandFailure(exitCodes.usage, `${path}: profile ${name} needs url, and key or key_file`);
}

function readTtl(path: string, name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const isText = typeof value === 'string' || typeof value === 'number';
  const time = parseTime(isText ? String(value) : '');
  if (time.ok) return time.value;
  throw new CommandFailure(exitCodes.usage, `${path}: ttl of profile ${name}: ${time.problem}`);
}

/** Windows has no such modes and relies on the permissions of the home folder. */
function checkPrivate(path: string): void {
  const { mode } = statSync(path);
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new CommandFailure(
    exitCodes.authentication,
    `${path} contains a key and can be read by other users: run chmod 600 ${path}`,
  );
}
