// Has dnsviz ask a running service for a signed zone, and assess what it was answered.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../interop/run-program.ts';
import { complaints } from './validators.ts';

/** Debian 12 has dnsviz 0.9.4, which asks pygraphviz 1.7 for a module that it no longer has (dnsviz issue 98). */
const GROK = `
import sys, types, pygraphviz
pygraphviz.release = types.SimpleNamespace(version=pygraphviz.__version__)
from dnsviz.commands.grok import main
main(['grok'] + sys.argv[1:])
`;

/** The interpreter that Debian's packages are installed for. */
const PYTHON = '/usr/bin/python3';

const rightStatuses = new Set(['NOERROR', 'NXDOMAIN', 'SECURE', 'VALID']);

export interface AskedZone {
  readonly domain: string;
  /** The DNSKEY records that are trusted, whole, with a TTL: no other is. */
  readonly keys: readonly string[];
  /** Names of the zone, whole. */
  readonly names: readonly string[];
  /** The only one of the zone. */
  readonly nameserver: string;
  /** The DNS port of the service on 127.0.0.1. */
  readonly port: number;
}

/**
 * Runs `dnsviz probe` and `dnsviz grok`. Returns errors, warnings, and everything that is not secure; empty if all is right.
 *
 * @param folder for files, named after the zone
 */
export async function askWithDnsviz(
  { domain, keys, names, nameserver, port }: AskedZone,
  folder: string,
): Promise<readonly string[]> {
  const [answers, trusted] = [join(folder, `${domain}.json`), join(folder, `${domain}.trusted`)];
  writeFileSync(trusted, `${keys.join('\n')}\n`);
  const server = `${domain}+:${nameserver}=127.0.0.1:${port}`;
  const probe = await runProgram('dnsviz', ['probe', '-d', '1', '-A', '-x', server, '-o', answers, ...names]);
  if (probe.code !== 0) return complaints(probe);
  const grok = await runProgram(PYTHON, ['-c', GROK, '-P', '-t', trusted, '-l', 'info', '-r', answers]);
  if (grok.code !== 0) return complaints(grok);
  const found = [...findingsIn(JSON.parse(grok.stdout), '')];
  const wrong = found.filter(({ text }) => !rightStatuses.has(text));
  const secure = found.filter(({ text }) => text === 'SECURE');
  const missing = names.filter((name) => !secure.some(({ path }) => path.startsWith(`/${name}./`)));
  return [
    ...wrong.map(({ path, text }) => `${path}: ${text}`),
    ...missing.map((name) => `dnsviz says nothing about ${name}`),
  ];
}

interface Finding {
  readonly path: string;
  readonly text: string;
}

/** Yields each status, and the description of each error and warning. */
function* findingsIn(value: unknown, path: string): Generator<Finding> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isFinding = name === 'status' || name === 'description';
    if (isFinding && typeof member === 'string') yield { path, text: member };
    else yield* findingsIn(member, `${path}/${name}`);
  }
}
