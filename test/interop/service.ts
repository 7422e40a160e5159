// Starts the built service on random loopback ports with its own data folder, and stops it like an operator.

import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findReadyLine, type ReadyLine } from '../harness/ready-line.ts';
import { cleanEnvironment, killProgram, startProgram, stopProgram } from './run-program.ts';

const START_TIMEOUT_MS = 60_000;
/** The service promises to end within ten seconds of SIGTERM; five more for a loaded machine. */
const STOP_GRACE_MS = 15_000;

export const serviceNameservers = ['ns1.interop.example', 'ns2.interop.example'] as const;

export interface Service {
  readonly httpPort: number;
  readonly dnsPort: number;
  readonly key: string;
  /** The log so far. */
  log(): string;
  /** Sends SIGTERM; resolves with the exit code, null if it had to be killed. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL to all its processes. */
  kill(): Promise<void>;
}

/**
 * Starts `dist/app/main.js serve`; rejects with its output if it does not become ready. `settings` are added to its
 * environment.
 */
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
      ZONEWRIGHT_NAMESERVERS: serviceNameservers.join(','),
      ZONEWRIGHT_RATE_LIMIT: '0',
      // acme.sh and Caddy omit the TTL; the service accepts such records only with a default TTL.
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
    httpPort: portOf(ready.http),
    dnsPort: portOf(ready.dns[0]),
    key: readFileSync(join(dataFolder, 'admin.key'), 'utf8').trim(),
    log: () => log,
    stop: () => stopProgram(child, STOP_GRACE_MS),
    kill: () => killProgram(child),
  };
}

async function waitForReady(child: ChildProcess, log: () => string): Promise<ReadyLine> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const line = findReadyLine(log());
    if (line !== undefined) return line;
    if (child.exitCode !== null)
      throw new Error(`The service ended at start with ${child.exitCode}:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The service was not ready within ${START_TIMEOUT_MS / 1000} s:\n${log()}`);
}

/** Returns the port of `127.0.0.1:8080`. */
function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(':') + 1));
}
