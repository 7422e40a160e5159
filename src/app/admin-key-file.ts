import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWellFormedApiKey } from '../model/api-key.ts';

/**
 * The file that holds the administrative API key: one line. Written once, whole or not at all, readable for its owner
 * only. Never knows the store.
 */
export type AdminKeyFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'key'; readonly key: string }
  /** Something is there that is no key, or cannot be read: one sentence about it. */
  | { readonly kind: 'unusable'; readonly problem: string };

/** A key is 41 characters; a file this long holds something else, and need not be shown to the key parser. */
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

/** Durable when it returns: the account that is created next must never outlive the only copy of its key. */
export function writeAdminKeyFile(path: string, key: string): void {
  stageAdminKeyFile(path, key).publish();
}

/** A key on the disk beside the file that it is for; that one is as it was. */
export interface StagedKeyFile {
  readonly path: string;
  /** Holds the key until it is in its place. */
  readonly unfinished: string;
  /** Puts the key in the file's place, whole and durable. */
  publish(): void;
  /** Removes it. */
  discard(): void;
}

export function stageAdminKeyFile(path: string, key: string): StagedKeyFile {
  const unfinished = `${path}.new`;
  // Left over from a crash, or anything else: its mode would be kept, and a link followed.
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

/** A rename is durable once its folder is. Windows has no such call on folders. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
