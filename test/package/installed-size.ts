import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface InstalledSize {
  /** The sum of all file sizes, as npm states it. */
  readonly bytes: number;
  /** The space taken on the disk, as `du` states it: every file rounded up to whole blocks. */
  readonly diskBytes: number;
}

/** Octets of one block of `stat`, whatever the file system's own are (POSIX `st_blocks`). */
const STAT_BLOCK_BYTES = 512;

/** The size of a folder with everything in it. */
export function measureFolder(folder: string): InstalledSize {
  let bytes = 0;
  let diskBytes = 0;
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const { size, blocks, isFile } = describe(join(folder, path));
    if (isFile) bytes += size;
    diskBytes += blocks * STAT_BLOCK_BYTES;
  }
  return { bytes, diskBytes };
}

function describe(path: string): { size: number; blocks: number; isFile: boolean } {
  const stats = lstatSync(path);
  return { size: stats.size, blocks: stats.blocks, isFile: stats.isFile() };
}

export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
