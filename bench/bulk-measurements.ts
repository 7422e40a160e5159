/**
 * Whole zones in and out: zone files, a batch, and a thousand domains copied from another instance of the service.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Figures, MeasurementGroup } from './measurement.ts';
import { createDomain, sendRequest } from './send-request.ts';
import { startService, type ServiceUnderTest } from './service-under-test.ts';
import { processFamily } from '../test/harness/process-family.ts';

const DOMAINS = 1000;
const RECORDS_A_DOMAIN = 20;
const BATCH = 10_000;

export const bulkMeasurements: MeasurementGroup = {
  title: 'Whole zones',
  heads: ['time', 'memory of the service'],
  measurements: [
    {
      rows: ['zone file of 100,000 records, imported', 'imported again: no change', 'exported'],
      measure: hundredThousand,
    },
    { rows: ['batch of 10,000 creates'], measure: batch },
    {
      rows: ['zone file of 1,000,000 records, imported by the command line', 'exported by the command line'],
      measure: million,
    },
    {
      rows: ['1,000 domains of 20 records, copied from another instance', 'copied again: no change'],
      measure: copyDomains,
    },
  ],
};

async function hundredThousand(service: ServiceUnderTest): Promise<Figures[]> {
  await createDomain(service, 'large.example');
  const body = readFileSync(await writeZone(service, 'large.example', 100_000));
  const path = '/v2/domains/large.example/zonefile';
  const importing = await timed(() => sendRequest(service, 'PUT', path, body));
  const memory = memoryOf(service);
  const again = await timed(() => sendRequest(service, 'PUT', path, body));
  const exporting = await timed(() => sendRequest(service, 'GET', path));
  return [
    [importing, memory],
    [again, ''],
    [exporting, ''],
  ];
}

async function batch(service: ServiceUnderTest): Promise<Figures[]> {
  await createDomain(service, 'batch.example');
  return [[await timed(() => createRecords(service, 'batch.example', BATCH)), '']];
}

async function million(service: ServiceUnderTest): Promise<Figures[]> {
  await createDomain(service, 'million.example');
  const path = await writeZone(service, 'million.example', 1_000_000);
  const args = ['zonefile', 'import', 'million.example', path, '--yes'];
  const importing = await timed(() => run(service, args));
  const memory = memoryOf(service);
  const exporting = await timed(() => run(service, ['zonefile', 'export', 'million.example']));
  return [
    [importing, memory],
    [exporting, memoryOf(service)],
  ];
}

async function copyDomains(service: ServiceUnderTest): Promise<Figures[]> {
  const other = await startService({ checkout: service.checkout });
  try {
    for (let i = 0; i < DOMAINS; i += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, j) => fillDomain(other, `copied-${i + j}.example`)));
    }
    const args = ['copy', '--from', `service:http://${other.host}:${other.httpPort}`, '--yes'];
    const first = await timed(() => run(service, args, other.key));
    const again = await timed(() => run(service, args, other.key));
    return [
      [first, ''],
      [again, ''],
    ];
  } finally {
    await other.stop();
  }
}

async function fillDomain(service: ServiceUnderTest, domain: string): Promise<void> {
  await createDomain(service, domain);
  await createRecords(service, domain, RECORDS_A_DOMAIN);
}

async function createRecords(service: ServiceUnderTest, domain: string, count: number): Promise<void> {
  const record = { type: 'A', data: '192.0.2.1', ttl: 60 };
  const create = Array.from({ length: count }, (_, i) => ({ ...record, name: `h${i}` }));
  await sendRequest(service, 'POST', `/v2/domains/${domain}/batch`, { create });
}

async function writeZone(service: ServiceUnderTest, domain: string, records: number): Promise<string> {
  const path = join(service.folder, `${domain}.zone`);
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

async function timed(work: () => Promise<unknown>): Promise<string> {
  const startMs = performance.now();
  await work();
  return `${((performance.now() - startMs) / 1000).toFixed(2)} s`;
}

function run(service: ServiceUnderTest, args: readonly string[], fromKey = ''): Promise<void> {
  const child = spawn(process.execPath, [join(service.checkout, 'bin/zonewright.js'), ...args], {
    cwd: service.folder,
    env: {
      PATH: process.env['PATH'],
      HOME: service.folder,
      ZONEWRIGHT_URL: `http://${service.host}:${service.httpPort}`,
      ZONEWRIGHT_KEY: service.key,
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

/** Sum of the peak resident memory of each of its processes so far (Linux). */
function memoryOf({ pid }: ServiceUnderTest): string {
  const peaksKb = processFamily(pid).map((each) => {
    const status = readFileSync(`/proc/${each}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  });
  return `peak ${(peaksKb.reduce((sum, peak) => sum + peak, 0) / 1024).toFixed(0)} MB`;
}
