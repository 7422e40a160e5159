import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { newApiKey } from './api-key.ts';
import { DnsClient } from './dns-client.ts';
import { HttpClient } from './http-client.ts';
import { newDatabase } from './postgres-server.ts';
import { findReadyLine } from './ready-line.ts';
import { spawnProgram, type HandedSocket, type Program } from './program.ts';

/*
 * Runs the built program as its users do: as a separate process, with settings from the environment and a new data
 * folder. Never imports the service's code. `TEST_SHOW_LOG=1` prints each service's output.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** The storage engine of the project's services, unless a test overrides it. */
    readonly engine: 'sqlite' | 'postgres';
  }
}

export interface Service {
  readonly http: HttpClient;
  readonly dns: DnsClient;
  /** The administrative key; empty with role nameserver. */
  readonly key: string;
  readonly httpAddress: string;
  /** Empty without TLS. */
  readonly httpsAddress: string;
  /** Empty with role api. */
  readonly dnsAddress: string;
  readonly data: string;
  readonly pid: number;
  /** The output of the process so far. */
  output(): string;
  /** Resolves with the exit code when the process has ended for any reason. */
  ended(): Promise<number | null>;
  signal(name: 'SIGTERM' | 'SIGINT'): void;
  /** Sends SIGTERM; resolves with the exit code. The data folder stays until all tests have ended. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** An existing data folder; by default a new one is created. */
  readonly data?: string;
  /** URL of a PostgreSQL database; by default the project's engine, with a database for each data folder. */
  readonly database?: string;
  readonly role?: 'both' | 'api' | 'nameserver';
  /** The administrative key to provide, the same for all processes on one database; by default the data folder's. */
  readonly key?: string;
  /** The log line to wait for. `serving`: DNS answers and HTTP listens, but the database may be unavailable. */
  readonly until?: 'ready' | 'serving';
  /** Sockets bound for the service, instead of ports that it opens itself. */
  readonly sockets?: readonly HandedSocket[];
}

export interface Finished {
  readonly code: number | null;
  /** Its output on stdout and stderr. */
  readonly said: string;
}

export const serviceNameservers = ['ns1.zonewright.example', 'ns2.zonewright.example'];
/**
 * The service ends with 0 within 10 seconds of SIGTERM, and the 7 seconds it gives to requests come close to that; a
 * busy machine gets five more.
 */
const STOP_TIMEOUT_MS = 15_000;
/** A start takes half a second; the rest is for a busy machine. */
const READY_TIMEOUT_MS = 60_000;
/** Interval of checks for the ready line. */
const POLL_MS = 5;

/** Starts a service for one test file, and stops it after the file's last test in any case. */
export async function startForFile(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await startService({ settings });
  afterAll(() => service.stop());
  return service;
}

/** Starts a service and waits until it reports that it is ready or serving. The caller stops it. */
export async function startService(options: StartOptions = {}): Promise<Service> {
  const { settings = {}, database, role, until = 'ready' } = options;
  const data = options.data ?? makeDataFolder(options.key);
  const all = {
    ...settingsFor(data),
    ...(database === undefined ? await storeSettings(data) : { ZONEWRIGHT_DATABASE: database }),
    ...(role === undefined ? {} : { ZONEWRIGHT_ROLE: role }),
    ...settings,
  };
  const program = startProgram(['serve'], all, options.sockets);
  try {
    const addresses = await waitForLine(program, until);
    const keyFile = settings['ZONEWRIGHT_ADMIN_KEY_FILE'] ?? join(data, 'admin.key');
    const key = role === 'nameserver' ? '' : (options.key ?? readFileSync(keyFile, 'utf8').trim());
    return describeService(program, data, addresses, key);
  } catch (error) {
    program.signal('SIGKILL');
    await program.ended();
    throw error;
  }
}

/** Runs the program to its end, for starts that must fail. */
export async function runProgram(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Finished> {
  const program = startProgram(args, settings);
  const timer = setTimeout(() => program.signal('SIGKILL'), READY_TIMEOUT_MS);
  const code = await program.ended();
  clearTimeout(timer);
  return { code, said: `${program.stdout()}${program.stderr()}` };
}

/**
 * Sends SIGTERM; resolves with the exit code, null if the signal itself ended it. Throws if the program has to be
 * killed.
 */
export async function stopProgram(program: Program): Promise<number | null> {
  const overdue = new AbortController();
  const timer = setTimeout(() => {
    overdue.abort();
    program.signal('SIGKILL');
  }, STOP_TIMEOUT_MS);
  program.signal('SIGTERM');
  const code = await program.ended();
  clearTimeout(timer);
  if (overdue.signal.aborted)
    throw new Error(`SIGTERM did not end it in ${STOP_TIMEOUT_MS / 1_000} s:\n${program.stderr()}`);
  return code;
}

/** Starts the program without waiting for it, for example to kill it during its start. */
export function startProgram(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  sockets: readonly HandedSocket[] = [],
): Program {
  return spawnProgram(inject('testFolder'), args, settings, sockets);
}

export function settingsFor(data: string): Record<string, string> {
  return {
    ZONEWRIGHT_HTTP: '127.0.0.1:0',
    ZONEWRIGHT_DNS: '127.0.0.1:0',
    ZONEWRIGHT_DATA: data,
    ZONEWRIGHT_RATE_LIMIT: '0',
    ZONEWRIGHT_NAMESERVERS: serviceNameservers.join(','),
    ZONEWRIGHT_LOG: 'info',
    // No test asks the parents of its domains, unless it has one itself.
    ZONEWRIGHT_RESOLVERS: 'none',
  };
}

const databases = new Map<string, Promise<string>>();

/** Settings for a persistent store of a service with this data folder: the folder itself, or a database of its own. */
export async function storeSettings(data: string): Promise<Record<string, string>> {
  if (inject('engine') === 'sqlite') return {};
  const database = databases.get(data) ?? newDatabase(inject('postgresUrl'));
  databases.set(data, database);
  return { ZONEWRIGHT_DATABASE: await database };
}

export interface CommandOutput {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command that opens the store of a service itself. */
export async function runStoreCommand(data: string, args: readonly string[]): Promise<CommandOutput> {
  const settings = { ...settingsFor(data), ...(await storeSettings(data)) };
  const program = startProgram(args, settings);
  const code = await program.ended();
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** Creates a data folder with an administrative key, as an orchestrator would provide it. */
export function makeDataFolder(key = newApiKey()): string {
  const data = join(makeFolder(), 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'admin.key'), `${key}\n`, { mode: 0o600 });
  return data;
}

/** Creates an empty folder that is removed after all tests. */
export function makeFolder(): string {
  return mkdtempSync(join(inject('testFolder'), 'folder-'));
}

interface Addresses {
  readonly http: string;
  readonly https: string;
  readonly dns: string;
}

function describeService(program: Program, data: string, addresses: Addresses, key: string): Service {
  const http = new HttpClient(addresses.http, key);
  const dns = new DnsClient(addresses.dns);
  const finish = async (): Promise<void> => {
    await program.ended();
    http.close();
    dns.close();
    if (process.env['TEST_SHOW_LOG'] !== undefined) console.log(program.stderr());
  };
  return {
    http,
    dns,
    key,
    httpAddress: addresses.http,
    httpsAddress: addresses.https,
    dnsAddress: addresses.dns,
    data,
    pid: program.pid,
    output: () => `${program.stderr()}${program.stdout()}`,
    ended: () => program.ended(),
    signal: (name) => program.signal(name),
    stop: async () => {
      try {
        return await stopProgram(program);
      } finally {
        await finish();
      }
    },
    kill: async () => {
      program.signal('SIGKILL');
      await finish();
    },
  };
}

async function waitForLine(program: Program, message: 'ready' | 'serving'): Promise<Addresses> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && !program.hasEnded()) {
    const line = findReadyLine(program.stderr(), message);
    if (line !== undefined) return { http: line.http, https: line.https ?? '', dns: line.dns[0] ?? '' };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const why = program.hasEnded() ? 'ended' : `was not there after ${READY_TIMEOUT_MS / 1_000} s`;
  throw new Error(
    `the service did not become ${message}, it ${why}:\n${program.stderr()}${program.stdout()}`,
  );
}
