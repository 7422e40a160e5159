// The file `dnssec.key` in the data folder of the embedded store, with the secrets that encrypt the keys of signed domains.
// It has the form of the setting `dnssec_secret`. It is not in backups: a backup alone opens no key.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../base/log.ts';
import { CommandFailure } from '../cli/failures/command-failure.ts';
import { exitCodes } from '../cli/failures/exit-codes.ts';
import { parseDnssecSecrets } from './parse-dnssec-secrets.ts';
import { syncFolder } from './sync-folder.ts';

/** As much as the key that is derived from it. */
const SECRET_BYTES = 32;

/** For the owner alone. */
const FILE_MODE = 0o600;

const OTHERS_BITS = 0o077;

export function dnssecKeyPath(folder: string): string {
  return join(folder, 'dnssec.key');
}

/**
 * Returns the secrets of the file, or undefined if there is none. If others may read the file, that is changed, and the log says so.
 *
 * @throws CommandFailure with one sentence if the file cannot be read or holds something else
 */
export function readDnssecKeyFile(path: string, log: Log): readonly string[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    throw fileFailure(`the file ${path} with the secret of the DNSSEC keys cannot be read: ${code}`);
  }
  const secrets = parseDnssecSecrets(text.trim());
  if (!secrets.ok)
    throw fileFailure(
      `the file ${path} does not hold the secret of the DNSSEC keys (${secrets.problem}): put back the copy of it that belongs to this store`,
    );
  closeToOthers(path, log);
  return secrets.value;
}

/**
 * Creates the file with a new secret, completely and durably, before a key is encrypted with it. If another process was first,
 * its file stays and counts.
 *
 * @throws CommandFailure with one sentence
 */
export function createDnssecKeyFile(path: string, log: Log): readonly string[] {
  const unfinished = `${path}.${process.pid}.new`;
  try {
    // A file that a crash left would keep its mode, and a link would be followed.
    rmSync(unfinished, { force: true });
    writeDurably(unfinished, `${newSecret()}\n`);
    linkUnlessThere(unfinished, path);
    rmSync(unfinished);
    syncFolder(dirname(path));
  } catch (error) {
    throw fileFailure(
      `the file ${path} with the secret of the DNSSEC keys cannot be written: ${codeOf(error)}`,
    );
  }
  const secrets = readDnssecKeyFile(path, log);
  if (secrets === undefined) throw fileFailure(`the file ${path} was removed while it was created`);
  return secrets;
}

/** Puts a new secret before those of the file; returns all. @throws CommandFailure with one sentence */
export function addDnssecSecret(path: string, secrets: readonly string[]): readonly string[] {
  const all = [newSecret(), ...secrets];
  replaceFile(path, all);
  return all;
}

/**
 * Leaves only the first secret in the file, after the others were put into a file beside it, whose path is returned.
 *
 * @throws CommandFailure with one sentence
 */
export function keepFirstDnssecSecret(path: string, [first, ...others]: readonly string[]): string {
  let number = 1;
  while (existsSync(formerPath(path, number))) number++;
  const former = formerPath(path, number);
  replaceFile(former, others);
  replaceFile(path, [first]);
  return former;
}

function formerPath(path: string, number: number): string {
  return `${path}.former.${number}`;
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The file is there at every moment, with the former or the new secrets. */
function replaceFile(path: string, secrets: readonly string[]): void {
  const unfinished = `${path}.${process.pid}.new`;
  try {
    rmSync(unfinished, { force: true });
    writeDurably(unfinished, `${secrets.join(',')}\n`);
    renameSync(unfinished, path);
    syncFolder(dirname(path));
  } catch (error) {
    throw fileFailure(
      `the file ${path} with the secret of the DNSSEC keys cannot be written: ${codeOf(error)}`,
    );
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', FILE_MODE);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Unlike a rename, a link replaces nothing: a secret that is overwritten loses every key that was encrypted with it. */
function linkUnlessThere(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** A copy that was put back may have any mode. Windows has no such modes. */
function closeToOthers(path: string, log: Log): void {
  if (process.platform === 'win32' || (statSync(path).mode & OTHERS_BITS) === 0) return;
  try {
    chmodSync(path, FILE_MODE);
    log.warn({ path }, 'others could read the secret of the DNSSEC keys; now its owner alone can');
  } catch (error) {
    log.warn(
      { path, code: codeOf(error) },
      'others can read the secret of the DNSSEC keys: change the mode to 600',
    );
  }
}

function fileFailure(sentence: string): CommandFailure {
  return new CommandFailure(exitCodes.failed, sentence);
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
