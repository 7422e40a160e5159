import { closeSync, copyFileSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../harness/random.ts';

/*
 * Ways in which the zone copy in the data folder of a killed process is spoiled.
 */

export const damages = ['octets', 'pages', 'restored', 'mixed', 'deleted'] as const;
export type Damage = (typeof damages)[number];

const PAGE_OCTETS = 4096;
const KEPT_AGAIN = 0.3;

/** Keeps the copy as it is, for `restored` and `mixed`. */
export function keepCopy(folder: string): void {
  copyFileSync(pathIn(folder), `${pathIn(folder)}-kept`);
}

/** Keeps the copy now and then, so that `restored` and `mixed` find one of some time before. */
export function damageAtRandom(folder: string, random: Random): void {
  if (!existsSync(pathIn(folder))) return;
  if (!existsSync(`${pathIn(folder)}-kept`)) keepCopy(folder);
  damageCopy(folder, random.pick([...damages]), random);
  if (existsSync(pathIn(folder)) && random.next() < KEPT_AGAIN) keepCopy(folder);
}

export function damageCopy(folder: string, damage: Damage, random: Random): void {
  const path = pathIn(folder);
  switch (damage) {
    case 'octets':
      overwrite(path, random, 200, 1);
      return;
    case 'pages':
      overwrite(path, random, 4, 1024);
      return;
    case 'restored':
      remove(path, ['-wal', '-shm']);
      copyFileSync(`${path}-kept`, path);
      return;
    case 'mixed':
      remove(path, ['-shm']);
      copyFileSync(`${path}-kept`, path);
      return;
    case 'deleted':
      remove(path, ['', '-wal', '-shm']);
      return;
  }
}

function pathIn(folder: string): string {
  return join(folder, 'zone-copy.db');
}

function remove(path: string, suffixes: readonly string[]): void {
  for (const suffix of suffixes) rmSync(`${path}${suffix}`, { force: true });
}

/** Not in the first page: a file without a header is the case `deleted`. The log goes, because it would cover the damage. */
function overwrite(path: string, random: Random, times: number, octets: number): void {
  if (existsSync(`${path}-wal`)) remove(path, ['-wal', '-shm']);
  const pages = Math.floor(statSync(path).size / PAGE_OCTETS);
  const file = openSync(path, 'r+');
  for (let time = 0; time < times && pages > 1; time++) {
    const at = (1 + random.below(pages - 1)) * PAGE_OCTETS + random.below(PAGE_OCTETS - octets);
    const noise = Uint8Array.from({ length: octets }, () => random.below(256));
    writeSync(file, noise, 0, octets, at);
  }
  closeSync(file);
}
