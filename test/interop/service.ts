// Starts the built service on random loopback ports with a data folder of its own, and stops it as an operator would.

import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment, startProgram, stopProgram } from './run-program.ts';

const START_TIMEOUT_MS = 30_000;
/** The service promises to end within ten seconds of SIGTERM; two more for a loaded machine. */
const STOP_GRACE_MS = 12_000;

export const NAMESERVERS = ['ns1.interop.example', 'ns2.interop.example'] as const;

export interface Service {
  readonly httpPort: number;
  readonly dnsPort: number;
  readonly key: string;
  /** All the service has logged. */
  log(): string;
  /** Sends SIGTERM; resolves with the exit code, null if it had to be killed. */
  stop(): Promise<number | null>;
}

/** Starts `dist/app/main.js serve`; rejects with what it said if it does not become ready. `settings` go into its environment. */
export async function startService(
  checkout: string,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const main = join(checkout, 'dist/app/main.js');
  if (!existsSync(main)) throw new Error(`${main} is missing: run "npm run build" first`);
  const dataFolder = join(folder, 'data');
  const child = startProgram(process.execPath, [main, 'serve'], {
    cwd: folder,
    env: cleanEnvironment({
      HOME: folder,
      ZONEWRIGHT_HTTP: '127.0.0.1:0',
      ZONEWRIGHT_DNS: '127.0.0.1:0',
      ZONEWRIGHT_DATA: dataFolder,
      ZONEWRIGHT_NAMESERVERS: NAMESERVERS.join(','),
      ZONEWRIGHT_RATE_LIMIT: '0',
      // acme.sh and Caddy leave the TTL out; the service takes such records only where its operator chose a default.
      ZONEWRIGHT_DEFAULT_TTL: '300',
      ...settings,
    }),
  });
  let log = '';
  const append = (chunk: Buffer): void => {
    log += chunk.toString('utf8');
  };
  child.stdout?.on('data', append);
  child.stderr?.on('data', append);
  const ready = await waitForReady(child, () => log);
  return {
    ...readAddresses(ready),
    key: readFileSync(join(dataFolder, 'admin.key'), 'utf8').trim(),
    log: () => log,
    stop: () => stopProgram(child, STOP_GRACE_MS),
  };
}

async function waitForReady(child: ChildProcess, log: () => string): Promise<Record<string, unknown>> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    for (const line of log().split('\n')) {
      const entry = parseLogLine(line);
      if (entry?.['msg'] === 'ready') return entry;
    }
    if (child.exitCode !== null)
      throw new Error(`The service ended at start with ${child.exitCode}:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The service was not ready within ${START_TIMEOUT_MS / 1000} s:\n${log()}`);
}

function parseLogLine(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function readAddresses(ready: Record<string, unknown>): { httpPort: number; dnsPort: number } {
  const httpPort = portOf(ready['http']);
  const dnsPort = portOf(ready['dns']);
  if (httpPort === undefined || dnsPort === undefined)
    throw new Error(`The ready line names no addresses: ${JSON.stringify(ready)}`);
  return { httpPort, dnsPort };
}

/** Takes `127.0.0.1:8080`, `http://127.0.0.1:8080`, `{host, port}` and a list of any of them. */
function portOf(address: unknown): number | undefined {
  if (Array.isArray(address)) return portOf(address[0]);
  if (typeof address === 'string') return Number(/:(\d+)(?:\/|$)/.exec(address)?.[1]) || undefined;
  if (typeof address === 'object' && address !== null && 'port' in address) return Number(address.port);
  return undefined;
}
