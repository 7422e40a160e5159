// Programs of others that check a signed zone file.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDomainName } from '../../src/dns/name.ts';
import type { ZoneRecord } from '../../src/dnssec/zone-records.test-support.ts';
import { runProgram, type Finished } from '../interop/run-program.ts';
import { formatForTools } from './format-for-tools.ts';
import type { SigningZone } from './zones.ts';

export interface Validator {
  readonly name: string;
  /** The server that it belongs to, as zones name it that cannot be read by it. */
  readonly server: 'bind' | 'ldns' | 'knot';
  /** Returns what the program complains about. */
  check(zone: SigningZone, signed: readonly ZoneRecord[], folder: string): Promise<readonly string[]>;
}

const bind: Validator = {
  name: 'dnssec-verify',
  server: 'bind',
  async check({ apex }, signed, folder) {
    const args = ['-z', '-o', formatDomainName(apex), write(folder, signed)];
    return complaints(await runProgram('dnssec-verify', args));
  },
};

const ldns: Validator = {
  name: 'ldns-verify-zone',
  server: 'ldns',
  check: async (_, signed, folder) =>
    complaints(await runProgram('ldns-verify-zone', [write(folder, signed)])),
};

/** Complains about more than signatures: everything that it says of the unsigned zone as well is left out. */
const knot: Validator = {
  name: 'kzonecheck',
  server: 'knot',
  async check({ apex, records }, signed, folder) {
    const run = (dnssec: 'on' | 'off', content: readonly ZoneRecord[]): Promise<Finished> =>
      runProgram('kzonecheck', ['-o', formatDomainName(apex), '-d', dnssec, write(folder, content)]);
    const before = complaints(await run('off', records));
    // Knot refuses names below a DNAME, and takes them for a part of the zone.
    if (before.some((line) => line.includes('child record exists under DNAME'))) return [];
    const after = complaints(await run('on', signed));
    return after.filter((line) => !before.includes(line));
  },
};

export const validators: readonly Validator[] = [bind, ldns, knot];

function write(folder: string, records: readonly ZoneRecord[]): string {
  const path = join(folder, 'zone');
  writeFileSync(path, formatForTools(records));
  return path;
}

function complaints({ code, stdout, stderr }: Finished): readonly string[] {
  if (code === 0) return [];
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? [`exit code ${code}`] : lines;
}
