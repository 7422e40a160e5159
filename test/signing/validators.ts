// Programs of others that check a signed zone file.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDomainName, type DomainName } from '../../src/dns/name.ts';
import { runProgram, type Finished } from '../interop/run-program.ts';

/** One zone as two zone files. */
export interface ZoneFiles {
  readonly apex: DomainName;
  /** Without everything that signing adds. */
  readonly plain: string;
  readonly signed: string;
}

export interface Validator {
  readonly name: string;
  /** The server that it belongs to, as zones name it that cannot be read by it. */
  readonly server: 'bind' | 'ldns' | 'knot';
  /** Returns what the program complains about. */
  check(files: ZoneFiles, folder: string): Promise<readonly string[]>;
}

const bind: Validator = {
  name: 'dnssec-verify',
  server: 'bind',
  async check({ apex, signed }, folder) {
    const args = ['-z', '-o', formatDomainName(apex), write(folder, signed)];
    return complaints(await runProgram('dnssec-verify', args));
  },
};

const ldns: Validator = {
  name: 'ldns-verify-zone',
  server: 'ldns',
  check: async ({ signed }, folder) =>
    complaints(await runProgram('ldns-verify-zone', [write(folder, signed)])),
};

/** Complains about more than signatures: everything that it says of the unsigned zone as well is left out. */
const knot: Validator = {
  name: 'kzonecheck',
  server: 'knot',
  async check({ apex, plain, signed }, folder) {
    const run = (dnssec: 'on' | 'off', content: string): Promise<Finished> =>
      runProgram('kzonecheck', ['-o', formatDomainName(apex), '-d', dnssec, write(folder, content)]);
    const before = complaints(await run('off', plain));
    // Knot refuses names below a DNAME, and takes them for a part of the zone.
    if (before.some((line) => line.includes('child record exists under DNAME'))) return [];
    const after = complaints(await run('on', signed));
    return after.filter((line) => !before.includes(line));
  },
};

export const validators: readonly Validator[] = [bind, ldns, knot];

function write(folder: string, content: string): string {
  const path = join(folder, 'zone');
  writeFileSync(path, content);
  return path;
}

/** The lines of a program that has failed. */
export function complaints({ code, stdout, stderr }: Finished): readonly string[] {
  if (code === 0) return [];
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? [`exit code ${code}`] : lines;
}
