import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { newApiKey } from './api-key.ts';
import { DnsClient } from './dns-client.ts';
import { HttpClient } from './http-client.ts';
import { newDatabase } from './postgres-server.ts';
import { findReadyLine } from './ready-line.ts';
import { spawnProgramme, type HandedSocket, type Programme } from './programme.ts';

/*
 * Runs the built programme as its users do: a process of its own, settings by environment, a fresh data folder.
 * Never imports the service's code. `TEST_SHOW_LOG=1` prints what each service wrote.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** What the project's services hold their data in, where a test does not say it. */
    readonly engine: 'sqlite' | 'postgres';
  }
}

export interface Service {
  readonly http: HttpClient;
  readonly dns: DnsClient;
  /** The administrative key; empty with role nameserver. */
  readonly key: string;
  readonly httpAddress: string;
  /** Empty with role api. */
  readonly dnsAddress: string;
  readonly data: string;
  readonly pid: number;
  /** All that the process wrote so far. */
  output(): string;
  /** Resolves with the exit code when the process has ended, by whatever cause. */
  ended(): Promise<number | null>;
  signal(name: 'SIGTERM' | 'SIGINT'): void;
  /** SIGTERM; resolves with the exit code. The data folder stays until all tests have ended. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** An existing data folder; otherwise a new one is made. */
  readonly data?: string;
  /** URL of a database of PostgreSQL; otherwise the project's engine, with a database for each data folder. */
  readonly database?: string;
  readonly role?: 'both' | 'api' | 'nameserver';
  /** The administrative key to bring, the same for all processes on one database; otherwise the data folder's. */
  readonly key?: string;
  /** The log line to wait for. `serving`: DNS answers and HTTP listens, the database may be away. */
  readonly until?: 'ready' | 'serving';
  /** Bound for it, in the place of ports that it opens. */
  readonly sockets?: readonly HandedSocket[];
}

export interface Finished {
  readonly code: number | null;
  /** What it wrote to stdout and stderr. */
  readonly said: string;
}

export const NAMESERVERS = ['ns1.zonewright.example', 'ns2.zonewright.example'];
/**
 * Within 10 seconds of SIGTERM the service ends with 0, and with the 7 it gives to requests it comes close to that: a
 * loaded machine gets five more.
 */
const STOP_TIMEOUT_MS = 15_000;
/** A start takes half a second; a loaded machine gets the rest. */
const READY_TIMEOUT_MS = 60_000;
/** Between two looks for the line that says `ready`. */
const POLL_MS = 5;

/** A service for one test file: started now, stopped after the file's last test, whatever happens. */
export async function startForFile(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await startService({ settings });
  afterAll(() => service.stop());
  return service;
}

/** Starts a service and waits until it says that it is ready, or serving. The caller stops it. */
export async function startService(options: StartOptions = {}): Promise<Service> {
  const { settings = {}, database, role, until = 'ready' } = options;
  const data = options.data ?? makeDataFolder(options.key);
  const all = {
    ...settingsFor(data),
    ...(database === undefined ? await storeSettings(data) : { ZONEWRIGHT_DATABASE: database }),
    ...(role === undefined ? {} : { ZONEWRIGHT_ROLE: role }),
    ...settings,
  };
  const programme = startProgramme(['serve'], all, options.sockets);
  try {
    const addresses = await waitForLine(programme, until);
    const keyFile = settings['ZONEWRIGHT_ADMIN_KEY_FILE'] ?? join(data, 'admin.key');
    const key = role === 'nameserver' ? '' : (options.key ?? readFileSync(keyFile, 'utf8').trim());
    return describeService(programme, data, addresses, key);
  } catch (error) {
    programme.signal('SIGKILL');
    await programme.ended();
    throw error;
  }
}

/** Runs the programme to its end: for starts that must fail. */
export async function runProgramme(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Finished> {
  const programme = startProgramme(args, settings);
  const timer = setTimeout(() => programme.signal('SIGKILL'), READY_TIMEOUT_MS);
  const code = await programme.ended();
  clearTimeout(timer);
  return { code, said: `${programme.stdout()}${programme.stderr()}` };
}

/** SIGTERM; resolves with the exit code, null where the signal itself ended it. One that has to be killed is an error. */
export async function stopProgramme(programme: Programme): Promise<number | null> {
  const overdue = new AbortController();
  const timer = setTimeout(() => {
    overdue.abort();
    programme.signal('SIGKILL');
  }, STOP_TIMEOUT_MS);
  programme.signal('SIGTERM');
  const code = await programme.ended();
  clearTimeout(timer);
  if (overdue.signal.aborted)
    throw new Error(`SIGTERM did not end it in ${STOP_TIMEOUT_MS / 1_000} s:\n${programme.stderr()}`);
  return code;
}

/** Starts the programme without waiting for it, e.g. to kill it while it starts. */
export function startProgramme(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  sockets: readonly HandedSocket[] = [],
): Programme {
  return spawnProgramme(inject('testFolder'), args, settings, sockets);
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

const databases = new Map<string, Promise<string>>();

/** Where the data of a service with this folder is, start after start: in the folder itself, or in a database of its own. */
export async function storeSettings(data: string): Promise<Record<string, string>> {
  if (inject('engine') === 'sqlite') return {};
  const database = databases.get(data) ?? newDatabase(inject('postgresUrl'));
  databases.set(data, database);
  return { ZONEWRIGHT_DATABASE: await database };
}

/** A data folder that already holds the administrative key, as an orchestrator would bring it. */
export function makeDataFolder(key = newApiKey()): string {
  const data = join(makeFolder(), 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'admin.key'), `${key}\n`, { mode: 0o600 });
  return data;
}

/** An empty folder that is removed when all tests have ended. */
export function makeFolder(): string {
  return mkdtempSync(join(inject('testFolder'), 'folder-'));
}

interface Addresses {
  readonly http: string;
  readonly dns: string;
}

function describeService(programme: Programme, data: string, addresses: Addresses, key: string): Service {
  const http = new HttpClient(addresses.http, key);
  const dns = new DnsClient(addresses.dns);
  const finish = async (): Promise<void> => {
    await programme.ended();
    http.close();
    dns.close();
    if (process.env['TEST_SHOW_LOG'] !== undefined) console.log(programme.stderr());
  };
  return {
    http,
    dns,
    key,
    httpAddress: addresses.http,
    dnsAddress: addresses.dns,
    data,
    pid: programme.pid,
    output: () => `${programme.stderr()}${programme.stdout()}`,
    ended: () => programme.ended(),
    signal: (name) => programme.signal(name),
    stop: async () => {
      try {
        return await stopProgramme(programme);
      } finally {
        await finish();
      }
    },
    kill: async () => {
      programme.signal('SIGKILL');
      await finish();
    },
  };
}

async function waitForLine(programme: Programme, message: 'ready' | 'serving'): Promise<Addresses> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && !programme.hasEnded()) {
    const line = findReadyLine(programme.stderr(), message);
    if (line !== undefined) return { http: line.http, dns: line.dns[0] ?? '' };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const why = programme.hasEnded() ? 'ended' : `was not there after ${READY_TIMEOUT_MS / 1_000} s`;
  throw new Error(
    `the service did not become ${message}, it ${why}:\n${programme.stderr()}${programme.stdout()}`,
  );
}
