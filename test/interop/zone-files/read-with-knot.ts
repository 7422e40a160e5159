// Reads zone files with Knot: knotd loads them and kdig transfers the result, since kzonecheck prints no zone.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../harness/free-port.ts';
import type { ListedRecord } from '../../zone-files/listing.ts';
import { startProgram, stopProgram } from '../run-program.ts';
import { readGenericText } from './read-generic-text.ts';
import { runForOctets } from './run-for-octets.ts';

const POLL_MS = 100;
const LOAD_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 3000;

export interface MasterFile {
  readonly text: string;
  readonly origin: string;
}

/** Reads the files in order; a file that knotd does not load yields the error. */
export async function readWithKnot(files: readonly MasterFile[]): Promise<(ListedRecord[] | Error)[]> {
  const read = new Map<MasterFile, ListedRecord[] | Error>();
  // A server has each zone only once, so files of the same zone are loaded one after the other.
  for (let left = [...files]; left.length > 0;) {
    const origins = new Map(left.map((file) => [file.origin.toLowerCase(), file]));
    const now = [...origins.values()];
    await serveAndTransfer(now, read);
    left = left.filter((file) => !now.includes(file));
  }
  return files.map((file) => read.get(file) ?? new Error('not read'));
}

async function serveAndTransfer(
  files: readonly MasterFile[],
  read: Map<MasterFile, ListedRecord[] | Error>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-knot-'));
  const port = await freePort();
  const child = startProgram('knotd', ['-c', configure(folder, port, files)]);
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString('latin1')));
  child.stdout?.resume();
  try {
    for (const file of files) read.set(file, await transfer(file, port, () => log));
  } finally {
    await stopProgram(child, STOP_GRACE_MS);
    rmSync(folder, { recursive: true });
  }
}

function configure(folder: string, port: number, files: readonly MasterFile[]): string {
  mkdirSync(join(folder, 'state'));
  const zones = files.flatMap(({ text, origin }, at) => {
    writeFileSync(join(folder, `${at}.zone`), text, 'latin1');
    return [`  - domain: "${origin}"`, `    file: "${at}.zone"`];
  });
  const lines = [
    'server:',
    `  rundir: "${folder}/state"`,
    `  listen: 127.0.0.1@${port}`,
    'log:',
    '  - target: stderr',
    '    any: info',
    'database:',
    `  storage: "${folder}/state"`,
    'acl:',
    '  - id: anyone',
    '    address: 127.0.0.1',
    '    action: transfer',
    'template:',
    '  - id: default',
    `    storage: "${folder}"`,
    '    acl: anyone',
    '    zonefile-sync: -1',
    '    journal-content: none',
    'zone:',
    ...zones,
  ];
  const file = join(folder, 'knot.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

async function transfer(
  { origin }: MasterFile,
  port: number,
  log: () => string,
): Promise<ListedRecord[] | Error> {
  const args = ['@127.0.0.1', '-p', String(port), origin, 'AXFR', '+generic', '+noall', '+answer'];
  for (const deadline = performance.now() + LOAD_TIMEOUT_MS; performance.now() < deadline;) {
    const printed = await runForOctets('kdig', args, '').then(
      (octets) => octets.toString('latin1'),
      () => '',
    );
    if (/^\S+\s+\d+\s/m.test(printed)) return readGenericText(printed);
    const complaints = complaintsAbout(origin, log());
    if (complaints.length > 0) return new Error(complaints.join('\n'));
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return new Error(`knotd did not serve ${origin}\n${log()}`);
}

function complaintsAbout(origin: string, log: string): string[] {
  const errors = log.split('\n').filter((line) => line.includes('error'));
  return errors.filter((line) => line.toLowerCase().includes(`[${origin.toLowerCase()}]`));
}
