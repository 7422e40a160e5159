/** The built service in processes of its own, their processor time, and the loads that run against it. */

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { familyProcessorSeconds } from '../test/harness/process-family.ts';

export interface ServiceUnderTest {
  readonly pid: number;
  readonly host: string;
  readonly httpPort: number;
  readonly dnsPort: number;
  readonly key: string;
  /** The folder of all its data; removed at the end, unless it was given. */
  readonly folder: string;
  /** The folder of the built checkout that the service was started from. */
  readonly checkout: string;
  stop(): Promise<void>;
}

/** The folder of this checkout. */
export const ownCheckout = fileURLToPath(new URL('..', import.meta.url));

export interface ServiceStart {
  /** Settings that add to or replace the benchmark's own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of an earlier service; it is kept when the service stops. */
  readonly folder?: string;
  /** A built checkout, for example of an earlier version; without it, this one. */
  readonly checkout?: string;
}

/** The data is in the system's folder for temporary files: durable writes wait for that disk. */
export async function startService(start: ServiceStart = {}): Promise<ServiceUnderTest> {
  const { settings, folder, checkout = ownCheckout } = start;
  const data = folder ?? newFolder();
  const child = spawn(process.execPath, [join(checkout, 'dist/app/main.js'), 'serve'], {
    cwd: data,
    env: {
      PATH: process.env['PATH'],
      ZONEWRIGHT_HTTP: '127.0.0.1:0',
      ZONEWRIGHT_DNS: '127.0.0.1:0',
      ZONEWRIGHT_DATA: join(data, 'store'),
      ZONEWRIGHT_RATE_LIMIT: '0',
      ZONEWRIGHT_NAMESERVERS: 'ns1.bench.example,ns2.bench.example',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ready = await readyLine(child);
  const port = (address: string): number => Number(address.split(':').at(-1));
  return {
    pid: child.pid ?? 0,
    host: '127.0.0.1',
    httpPort: port(ready.http),
    dnsPort: port(ready.dns.at(0) ?? ':0'),
    key: readKey(join(data, 'store', 'admin.key')),
    folder: data,
    checkout,
    stop: () =>
      new Promise((resolve) => {
        child.once('close', () => {
          if (folder === undefined) rmSync(data, { recursive: true, force: true });
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'zonewright-bench-'));
}

/** Empty for a process without the API. */
function readKey(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
}

function readyLine(child: ChildProcess): Promise<{ http: string; dns: string[] }> {
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error('the service ended before it was ready')));
    createInterface({ input: child.stderr! }).on('line', (line) => {
      if (line.includes('"msg":"ready"')) resolve(JSON.parse(line) as { http: string; dns: string[] });
    });
  });
}

/** Runs one of the load programs in this folder and returns its output with the CPU time of the server's processes. */
export async function runLoad<Result>(
  service: ServiceUnderTest,
  program: string,
  load: object,
): Promise<Result & { readonly serverSeconds: number }> {
  const before = familyProcessorSeconds(service.pid);
  const path = fileURLToPath(new URL(program, import.meta.url));
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, ['--import', 'tsx', path, JSON.stringify(load)], (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${program} failed`, { cause: error }));
    });
  });
  const serverSeconds = familyProcessorSeconds(service.pid) - before;
  return { ...(JSON.parse(output) as Result), serverSeconds };
}
