// The two installations under test: one process with an embedded store, and an API and a nameserver process on a
// PostgreSQL of their own. All on loopback; `stop` ends them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '../harness/api-key.ts';
import { DnsClient } from '../harness/dns-client.ts';
import { HttpClient } from '../harness/http-client.ts';
import { startPostgresServer } from '../harness/postgres-server.ts';
import { findReadyLine } from '../harness/ready-line.ts';
import { spawnProgram, type Program } from '../harness/program.ts';
import type { WatchedProcess } from './sample-process.ts';

export interface Installation {
  readonly name: string;
  readonly http: HttpClient;
  readonly dns: DnsClient;
  /** True if the process that takes a write also serves it at once. */
  readonly servesOwnWrites: boolean;
  readonly processes: readonly WatchedProcess[];
}

interface Started {
  readonly program: Program;
  readonly http: HttpClient;
  readonly dns: DnsClient | undefined;
}

/**
 * Every thread collects garbage continuously, so that memory shows what is retained and not when V8 chose to collect:
 * otherwise a heap varies by 50 MB within minutes.
 */
const COLLECT_GARBAGE = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  setInterval(runInNewContext('gc'), 2_000).unref();`;

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

export async function startInstallations(
  folder: string,
): Promise<{ readonly installations: readonly Installation[]; readonly stop: () => Promise<void> }> {
  const key = newApiKey();
  const started: Started[] = [];
  const server = await startPostgresServer();
  const stop = async (): Promise<void> => {
    for (const { program, http, dns } of started.reverse()) {
      http.close();
      dns?.close();
      program.signal('SIGTERM');
      await program.ended();
    }
    await server.remove();
  };
  const start = async (name: string, database: string, role: string): Promise<Started> => {
    const each = await startService(folder, name, key, {
      ZONEWRIGHT_DATABASE: database,
      ZONEWRIGHT_ROLE: role,
    });
    started.push(each);
    return each;
  };
  try {
    const both = await start('embedded', 'sqlite:', 'both');
    const database = await server.newDatabase();
    const api = await start('api', database, 'api');
    const nameserver = await start('nameserver', database, 'nameserver');
    const installations = [
      describe('embedded', true, both, both, [['embedded', both]]),
      describe('postgres', false, api, nameserver, [
        ['api', api],
        ['nameserver', nameserver],
      ]),
    ];
    return { installations, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function describe(
  name: string,
  servesOwnWrites: boolean,
  { http }: Started,
  { dns }: Started,
  processes: readonly (readonly [string, Started])[],
): Installation {
  if (dns === undefined) throw new Error(`${name} serves no DNS`);
  const watched = processes.map(([title, each]) => ({
    name: title,
    pid: each.program.pid,
    http: each.http,
  }));
  return { name, http, dns, servesOwnWrites, processes: watched };
}

async function startService(
  folder: string,
  name: string,
  key: string,
  settings: Readonly<Record<string, string>>,
): Promise<Started> {
  const data = join(folder, name);
  mkdirSync(data);
  writeFileSync(join(data, 'admin.key'), `${key}\n`, { mode: 0o600 });
  const program = spawnProgram(folder, ['serve'], {
    ZONEWRIGHT_HTTP: '127.0.0.1:0',
    ZONEWRIGHT_DNS: '127.0.0.1:0',
    ZONEWRIGHT_DATA: data,
    ZONEWRIGHT_RATE_LIMIT: '0',
    ZONEWRIGHT_NAMESERVERS: 'ns1.soak.example,ns2.soak.example',
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(COLLECT_GARBAGE)}`,
    ...settings,
  });
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadlineMs && !program.hasEnded()) {
    const line = findReadyLine(program.stderr());
    if (line !== undefined) {
      const client = line.dns.length === 0 ? undefined : new DnsClient(line.dns[0]);
      return { program, http: new HttpClient(line.http, key), dns: client };
    }
    await sleep(POLL_MS);
  }
  program.signal('SIGKILL');
  await program.ended();
  throw new Error(`${name} did not become ready:\n${program.stderr()}`);
}
