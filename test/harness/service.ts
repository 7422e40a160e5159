import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { newApiKey } from './api-key.ts';
import { DnsClient } from './dns-client.ts';
import { HttpClient } from './http-client.ts';

/*
 * Runs the built programme as its users do: a process of its own, settings by environment, a fresh data folder.
 * Never imports the service's code. `TEST_SHOW_LOG=1` prints what each service wrote.
 */

export interface Service {
  readonly http: HttpClient;
  readonly dns: DnsClient;
  /** The administrative key. */
  readonly key: string;
  readonly pid: number;
  readonly httpAddress: string;
  readonly dnsAddress: string;
  readonly data: string;
  /** All that the process wrote so far. */
  output(): string;
  /** Resolves with the exit code when the process has ended, by whatever cause. */
  exited(): Promise<number | null>;
  /** SIGTERM; resolves with the exit code, and removes the data folder if it was ours. */
  stop(): Promise<number>;
  /** SIGKILL; the data folder stays. */
  kill(): Promise<void>;
}

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** An existing data folder, which is left in place afterwards; otherwise a new one is made and removed. */
  readonly data?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PROGRAMME = fileURLToPath(new URL('../../dist/app/main.js', import.meta.url));
export const NAMESERVERS = ['ns1.zonewright.example', 'ns2.zonewright.example'];
/** A start takes well under a second; a loaded machine gets the rest. */
const READY_TIMEOUT_MS = 30_000;
/** The issue promises an end within 10 seconds of SIGTERM. */
export const STOP_TIMEOUT_MS = 10_000;

/** Every child that runs, with the promise of its end: exit code, output complete. */
const running = new Map<ChildProcess, Promise<number | null>>();
const folders = new Set<string>();
/** An empty place to stand in, so that no configuration file of the checkout is found. */
let workingFolder: string | undefined;
process.on('exit', () => {
  for (const child of running.keys()) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A service for one test file: started now, stopped after the file's last test, whatever happens. */
export async function startForFile(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await startService({ settings });
  afterAll(() => service.stop());
  return service;
}

/** Starts a service and waits until it says that it is ready. The caller stops it. */
export async function startService(options: StartOptions = {}): Promise<Service> {
  const own = options.data === undefined;
  const data = options.data ?? makeDataFolder();
  const child = spawnProgramme(['serve'], { ...settingsFor(data), ...options.settings });
  const output = collectOutput(child);
  try {
    const ready = await waitUntilReady(child, output.both);
    const key = readFileSync(
      options.settings?.['ZONEWRIGHT_ADMIN_KEY_FILE'] ?? join(data, 'admin.key'),
      'utf8',
    ).trim();
    return describeService(child, { data, own, key, ...ready, output: output.both });
  } catch (error) {
    await killChild(child);
    if (own) removeFolder(data);
    throw error;
  }
}

/** Runs the programme to its end: for starts that must fail. */
export async function runProgramme(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  timeoutMs = READY_TIMEOUT_MS,
): Promise<Finished> {
  const child = spawnProgramme(args, settings);
  const output = collectOutput(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const code = await exitOf(child);
  clearTimeout(timer);
  return { code, stdout: output.stdout(), stderr: output.stderr() };
}

/** Starts the programme without waiting for it, e.g. to kill it while it starts. */
export function spawnProgramme(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  if (!existsSync(PROGRAMME)) throw new Error('dist/app/main.js is missing: run `npm run build` first');
  const { PATH, HOME } = process.env;
  workingFolder ??= makeFolder();
  const child = spawn(process.execPath, [PROGRAMME, ...args], {
    cwd: workingFolder,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  running.set(child, ended);
  child.once('close', () => running.delete(child));
  return child;
}

export function settingsFor(data: string): Record<string, string> {
  return {
    ZONEWRIGHT_HTTP: '127.0.0.1:0',
    ZONEWRIGHT_DNS: '127.0.0.1:0',
    ZONEWRIGHT_DATA: data,
    ZONEWRIGHT_RATE_LIMIT: '0',
    ZONEWRIGHT_NAMESERVERS: NAMESERVERS.join(','),
    ZONEWRIGHT_LOG: 'info',
  };
}

/** A data folder that already holds the administrative key, as an orchestrator would bring it. */
export function makeDataFolder(): string {
  const data = join(makeFolder(), 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'admin.key'), `${newApiKey()}\n`, { mode: 0o600 });
  return data;
}

/** An empty folder that is removed when the test process ends, at the latest. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-test-'));
  folders.add(folder);
  return folder;
}

export function killChild(child: ChildProcess): Promise<number | null> {
  const exited = exitOf(child);
  child.kill('SIGKILL');
  return exited;
}

function removeFolder(data: string): void {
  rmSync(join(data, '..'), { recursive: true, force: true });
  folders.delete(join(data, '..'));
}

interface Started {
  readonly httpAddress: string;
  readonly dnsAddress: string;
}

function describeService(
  child: ChildProcess,
  parts: Started & { data: string; own: boolean; key: string; output: () => string },
): Service {
  const http = new HttpClient(parts.httpAddress, parts.key);
  const dns = new DnsClient(parts.dnsAddress);
  const closeClients = (): void => {
    http.close();
    dns.close();
  };
  return {
    http,
    dns,
    key: parts.key,
    pid: child.pid ?? 0,
    httpAddress: parts.httpAddress,
    dnsAddress: parts.dnsAddress,
    data: parts.data,
    output: parts.output,
    exited: () => exitOf(child),
    stop: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS + 5_000);
      const exited = exitOf(child);
      child.kill('SIGTERM');
      const code = await exited;
      clearTimeout(timer);
      closeClients();
      if (process.env['TEST_SHOW_LOG'] !== undefined) console.log(parts.output());
      if (parts.own) removeFolder(parts.data);
      return code ?? -1;
    },
    kill: async () => {
      await killChild(child);
      closeClients();
    },
  };
}

async function waitUntilReady(child: ChildProcess, output: () => string): Promise<Started> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    for (const line of output().split('\n')) {
      if (!line.includes('"msg":"ready"')) continue;
      const ready = JSON.parse(line) as { http: string; dns: string[] };
      return { httpAddress: ready.http, dnsAddress: ready.dns[0] ?? '' };
    }
    if (child.exitCode !== null || child.signalCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the service did not become ready:\n${output()}`);
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return running.get(child) ?? Promise.resolve(child.exitCode);
}

function collectOutput(child: ChildProcess): { stdout(): string; stderr(): string; both(): string } {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { stdout: () => stdout, stderr: () => stderr, both: () => stderr + stdout };
}
