// The key with which zones are signed for BIND and NSD, and its records. All zones have the same one: the key tag depends on
// the key alone (RFC 4034 appendix B), so a copy of the files with another name is the key of another zone.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zoneFileName } from './peer.ts';
import { formatZone, type TestZone } from './test-zone.ts';

export const run = promisify(execFile);

/** Zones that are signed at the same time, one program each. */
const CONCURRENT = 4;
/** TTL of the records of the key. */
const KEY_TTL_SECONDS = 3600;

export type SignOne = (zone: TestZone, file: string, keyName: string) => Promise<void>;

/**
 * Writes each zone with its DNSKEY, CDS and CDNSKEY records, and a key for it, and signs it. `signOne` replaces the file
 * with the signed zone.
 */
export async function signZones(folder: string, zones: readonly TestZone[], signOne: SignOne): Promise<void> {
  const generated = await run('dnssec-keygen', [
    '-q',
    '-K',
    folder,
    '-a',
    'ECDSAP256SHA256',
    '-f',
    'KSK',
    'key.test',
  ]);
  const source = generated.stdout.trim();
  const waiting = [...zones];
  const work = async (): Promise<void> => {
    for (let zone = waiting.pop(); zone !== undefined; zone = waiting.pop()) {
      const keyName = copyKey(folder, source, zone.apex);
      const file = join(folder, zoneFileName(zone));
      writeFileSync(file, formatZone(zone) + (await keyRecords(folder, keyName, zone.apex)));
      await signOne(zone, file, keyName);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
}

function copyKey(folder: string, source: string, apex: string): string {
  const keyName = source.replace('key.test.', apex);
  for (const suffix of ['.key', '.private']) {
    const text = readFileSync(join(folder, source + suffix), 'utf8');
    writeFileSync(join(folder, keyName + suffix), text.replaceAll('key.test.', apex));
  }
  return keyName;
}

async function keyRecords(folder: string, keyName: string, apex: string): Promise<string> {
  const key = readFileSync(join(folder, `${keyName}.key`), 'utf8');
  const data = /IN DNSKEY (.*)/.exec(key)?.[1] ?? '';
  const made = await run('dnssec-dsfromkey', ['-2', '-C', join(folder, keyName)]);
  const digest = /IN CDS (.*)/.exec(made.stdout)?.[1] ?? '';
  const start = `${apex} ${KEY_TTL_SECONDS} IN`;
  return `${start} DNSKEY ${data}\n${start} CDNSKEY ${data}\n${start} CDS ${digest}\n`;
}
