import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A new or renamed file is durable only when its folder is. Windows has no such call for folders. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
