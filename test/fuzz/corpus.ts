/**
 * The packets of the corpus: files of hex digits, each with a descriptive line. Packets found by a run are stored here
 * too.
 */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'corpus');

export interface KeptPacket {
  readonly title: string;
  readonly packet: Uint8Array;
}

export function readCorpus(): KeptPacket[] {
  return readdirSync(folder).map((file) => {
    const [title, ...digits] = readFileSync(join(folder, file), 'utf8').split('\n');
    return { title: title.replace('# ', ''), packet: Uint8Array.from(Buffer.from(digits.join(''), 'hex')) };
  });
}

/** @returns the file's path */
export function keepPacket(packet: Uint8Array, problem: string): string {
  const hash = createHash('sha256').update(packet).digest('hex').slice(0, 12);
  const path = join(folder, `found-${hash}.hex`);
  const lines =
    Buffer.from(packet)
      .toString('hex')
      .match(/.{1,64}/g) ?? [];
  writeFileSync(path, `# ${problem.replaceAll('\n', ' ')}\n${lines.join('\n')}\n`);
  return path;
}
