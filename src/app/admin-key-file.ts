import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWellFormedApiKey } from '../model/api-key.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * The file with the administrative API key on one line. It is written completely or not at all and is readable only by
 * its owner. Does not use the store.
 */
export type AdminKeyFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'key'; readonly key: string }
  /** The file cannot be read or does not hold a key; the problem is one sentence. */
  | { readonly kind: 'unusable'; readonly problem: string };

/** A key has 41 characters; a longer file holds something else and is not parsed. */
const MAX_FILE_CHARACTERS = 200;

export function readAdminKeyFile(path: string): AdminKeyFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { kind: 'absent' };
    return { kind: 'unusable', problem: `the admin key file ${path} cannot be read (${String(code)})` };
  }
  const key = text.trim();
  if (text.length <= MAX_FILE_CHARACTERS && isWellFormedApiKey(key)) return { kind: 'key', key };
  const problem = `the admin key file ${path} does not hold a well-formed API key: correct it or remove it`;
  return { kind: 'unusable', problem };
}

/** Durable when it returns: the account that is created next must not exist without its key. */
export function writeAdminKeyFile(path: string, key: string): void {
  stageAdminKeyFile(path, key).publish();
}

/** A key on the disk beside the key file, which is still unchanged. */
export interface StagedKeyFile {
  readonly path: string;
  /** The file that holds the key until it is published. */
  readonly unfinished: string;
  /** Replaces the key file, completely and durably. */
  publish(): void;
  /** Removes the staged key. */
  discard(): void;
}

export function stageAdminKeyFile(path: string, key: string): StagedKeyFile {
  const unfinished = `${path}.new`;
  // An existing file, such as one left by a crash, would keep its mode, and a link would be followed.
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, 'wx', 0o600);
  try {
    writeFileSync(file, `${key}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return {
    path,
    unfinished,
    publish() {
      renameSync(unfinished, path);
      syncFolder(dirname(path));
    },
    discard: () => rmSync(unfinished, { force: true }),
  };
}
