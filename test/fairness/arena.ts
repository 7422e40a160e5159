// The service under attack: one command with default settings, on the embedded store or on PostgreSQL, with an
// attacker's two accounts and the neighbour's.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '../harness/api-key.ts';
import { HttpClient } from '../harness/http-client.ts';
import { newDatabase } from '../harness/postgres-server.ts';
import { spawnProgram, type Program } from '../harness/program.ts';
import { findReadyLine, type ReadyLine } from '../harness/ready-line.ts';

export interface Arena {
  readonly httpAddress: string;
  readonly dnsAddress: string;
  readonly keys: { readonly attacker: string; readonly accomplice: string; readonly neighbour: string };
  /** True if the service ended by itself. */
  hasEnded(): boolean;
  /** Resident memory of all its processes, in octets. */
  memoryBytes(): number;
  dataBytes(): number;
  /** Ends the service in order and starts it again; throws if it does not become ready. */
  restart(): Promise<void>;
  log(): string;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 20;

/** @param postgresUrl of a server; undefined: the embedded store */
export async function startArena(
  settings: Readonly<Record<string, string>>,
  postgresUrl: string | undefined,
): Promise<Arena> {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-fairness-'));
  const data = join(folder, 'data');
  const key = newApiKey();
  mkdirSync(data);
  writeFileSync(join(data, 'admin.key'), `${key}\n`, { mode: 0o600 });
  const all = {
    ZONEWRIGHT_HTTP: '127.0.0.1:0',
    ZONEWRIGHT_DNS: '127.0.0.1:0',
    ZONEWRIGHT_DATA: data,
    ZONEWRIGHT_NAMESERVERS: 'ns1.fairness.example,ns2.fairness.example',
    ...(postgresUrl === undefined ? {} : { ZONEWRIGHT_DATABASE: await newDatabase(postgresUrl) }),
    ...settings,
  };
  let program: Program;
  let addresses: ReadyLine;
  const start = async (): Promise<void> => {
    program = spawnProgram(folder, ['serve'], all);
    addresses = await waitUntilReady(program);
  };
  const end = async (): Promise<void> => {
    program.signal('SIGTERM');
    await program.ended();
  };
  await start();
  const admin = new HttpClient(addresses!.http, key);
  const keys = {
    attacker: await createAccount(admin, 'mallory'),
    accomplice: await createAccount(admin, 'mallet'),
    neighbour: await createAccount(admin, 'bob'),
  };
  admin.close();
  return {
    get httpAddress() {
      return addresses.http;
    },
    get dnsAddress() {
      return addresses.dns[0] ?? '';
    },
    keys,
    hasEnded: () => program.hasEnded(),
    memoryBytes: () => familyOf(program.pid).reduce((sum, pid) => sum + residentBytes(pid), 0),
    dataBytes: () => folderBytes(data),
    log: () => program.stderr(),
    restart: async () => {
      await end();
      await start();
    },
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function waitUntilReady(program: Program): Promise<ReadyLine> {
  for (const deadlineMs = Date.now() + READY_TIMEOUT_MS; Date.now() < deadlineMs && !program.hasEnded();) {
    const line = findReadyLine(program.stderr());
    if (line !== undefined) return line;
    await sleep(POLL_MS);
  }
  program.signal('SIGKILL');
  await program.ended();
  throw new Error(`the service did not become ready:\n${program.stderr().slice(-4000)}`);
}

async function createAccount(admin: HttpClient, name: string): Promise<string> {
  const { status, text, json } = await admin.post('/v2/accounts', { name, email: `${name}@example.com` });
  if (status !== 201) throw new Error(`creating an account was answered ${status} ${text}`);
  return json.key!.key;
}

/** The process and all processes that it started. */
export function familyOf(pid: number): number[] {
  const children = readIfThere(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function folderBytes(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0);
}
