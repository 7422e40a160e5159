/**
 * `npm run bench:bulk`: whole zones in and out on this machine: master files, a batch, and a thousand domains copied from
 * another instance of the service.
 *
 *     npm run bench:bulk            everything, about two minutes
 *     npm run bench:bulk -- batch   only the rows whose name contains the word
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, type WriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { startService, type ServiceUnderTest } from './service-under-test.ts';

const PROGRAMME = fileURLToPath(new URL('../bin/zonewright.js', import.meta.url));
const DOMAINS = 1000;
const RECORDS_A_DOMAIN = 20;
const BATCH = 10_000;

type Row = readonly [name: string, seconds: number, what: string];

const only = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'zonewright-bulk-'));
const service = await startService();
try {
  for (const [name, measure] of measurements()) {
    if (!name.includes(only)) continue;
    for (const [what, seconds, note] of await measure()) {
      console.log(`| ${what} | ${seconds.toFixed(2)} s | ${note} |`);
    }
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

function measurements(): [string, () => Promise<Row[]>][] {
  return [
    ['zone file of 100,000', hundredThousand],
    ['batch of 10,000', batch],
    ['a million with the command line', million],
    ['copy 1,000 domains', copyDomains],
  ];
}

async function hundredThousand(): Promise<Row[]> {
  await post(service, '/v2/domains', { domain: 'large.example' });
  const path = await writeZone('large.example', 100_000);
  const body = readFileSync(path);
  const url = '/v2/domains/large.example/zonefile';
  const importing = await timed(() => send(service, 'PUT', url, body));
  const again = await timed(() => send(service, 'PUT', url, body));
  const exporting = await timed(() => send(service, 'GET', url));
  return [
    ['zone file of 100,000 records, imported', importing, memoryOf(service)],
    ['imported again: no change', again, ''],
    ['exported', exporting, ''],
  ];
}

async function batch(): Promise<Row[]> {
  await post(service, '/v2/domains', { domain: 'batch.example' });
  const create = Array.from({ length: BATCH }, (_, i) => ({
    type: 'A',
    name: `h${i}`,
    data: '192.0.2.1',
    ttl: 60,
  }));
  const seconds = await timed(() => post(service, '/v2/domains/batch.example/batch', { create }));
  return [['batch of 10,000 creates', seconds, '']];
}

async function million(): Promise<Row[]> {
  await post(service, '/v2/domains', { domain: 'million.example' });
  const path = await writeZone('million.example', 1_000_000);
  const args = ['zonefile', 'import', 'million.example', path, '--yes'];
  const importing = await timed(() => run(args, service));
  const exporting = await timed(() => run(['zonefile', 'export', 'million.example'], service));
  return [
    ['zone file of 1,000,000 records, imported by the command line', importing, memoryOf(service)],
    ['exported by the command line', exporting, memoryOf(service)],
  ];
}

async function copyDomains(): Promise<Row[]> {
  const other = await startService();
  try {
    for (let i = 0; i < DOMAINS; i += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, j) => fillDomain(other, `copied-${i + j}.example`)));
    }
    const args = ['copy', '--from', `service:http://${other.host}:${other.httpPort}`, '--yes'];
    const first = await timed(() => run(args, service, other.key));
    const second = await timed(() => run(args, service, other.key));
    const what = `${DOMAINS} domains of ${RECORDS_A_DOMAIN} records`;
    return [
      [`${what}, copied from another instance`, first, ''],
      ['copied again: no change', second, ''],
    ];
  } finally {
    await other.stop();
  }
}

async function fillDomain(at: ServiceUnderTest, domain: string): Promise<void> {
  await post(at, '/v2/domains', { domain });
  const create = Array.from({ length: RECORDS_A_DOMAIN }, (_, i) => ({
    type: 'A',
    name: `h${i}`,
    data: '192.0.2.1',
    ttl: 60,
  }));
  await post(at, `/v2/domains/${domain}/batch`, { create });
}

async function writeZone(domain: string, records: number): Promise<string> {
  const path = join(folder, domain);
  const file: WriteStream = createWriteStream(path);
  file.write(`$ORIGIN ${domain}.\n$TTL 3600\n`);
  for (let i = 0; i < records; i++) {
    const line =
      i % 4 === 0
        ? `text-${i} TXT "v=spf1 include:spf.example.net -all"`
        : `host-${i} A 10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
    if (!file.write(`${line}\n`)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
  return path;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}

function run(args: readonly string[], at: ServiceUnderTest, fromKey = ''): Promise<void> {
  const child = spawn(process.execPath, [PROGRAMME, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      ZONEWRIGHT_URL: `http://${at.host}:${at.httpPort}`,
      ZONEWRIGHT_KEY: at.key,
      ZONEWRIGHT_FROM_KEY: fromKey,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-2000)));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`zonewright ${args.join(' ')} ended with ${String(code)}: ${said}`));
    });
  });
}

function post(at: ServiceUnderTest, path: string, body: object): Promise<void> {
  return send(at, 'POST', path, JSON.stringify(body));
}

async function send(
  at: ServiceUnderTest,
  method: string,
  path: string,
  body?: string | Buffer,
): Promise<void> {
  const response = await fetch(`http://${at.host}:${at.httpPort}${path}`, {
    method,
    headers: { Authorization: `Bearer ${at.key}` },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
}

/** Peak resident memory of the process so far (Linux). */
function memoryOf({ pid }: ServiceUnderTest): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return `peak ${(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024).toFixed(0)} MB`;
}
