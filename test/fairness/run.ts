/**
 * `npm run test:fairness`: carries out the attacks of one customer while another uses the service, on both engines, with
 * default settings. Prints what the neighbour experienced and the memory that the service took; exits with 1 if a limit
 * was exceeded or the service ended.
 *
 *     npm run test:fairness
 *     npm run test:fairness -- --engine sqlite --only checks --only unreadExports --seconds 30
 */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { percentile } from '../../bench/percentile.ts';
import { printTable } from '../../bench/print-table.ts';
import { DnsClient } from '../harness/dns-client.ts';
import { HttpClient } from '../harness/http-client.ts';
import { startPostgresServer } from '../harness/postgres-server.ts';
import { startArena, type Arena } from './arena.ts';
import { attacks } from './attacks/attacks.ts';
import type { AttackOrder } from './attacker-process.ts';
import { findFaults, prepareNeighbour, useService, type Experience } from './neighbour.ts';

/** Peak memory of the service, all processes together. */
const MOST_MEMORY_BYTES = 1.5 * 2 ** 30;
/** Octets that the neighbour and the log of the store may add to the data folder. */
const OWN_GROWTH_BYTES = 128 * 2 ** 20;
const MEMORY_SAMPLE_MS = 200;
/** After its time, an attack may wait for its last answers. */
const ATTACK_END_MS = 130_000;

const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    only: { type: 'string', multiple: true, default: Object.keys(attacks) },
    seconds: { type: 'string', default: '20' },
  },
});
const unknown = values.only.find((name) => !(name in attacks));
if (unknown !== undefined)
  throw new Error(`--only ${unknown}: choose from ${Object.keys(attacks).join(', ')}`);

const rows: string[][] = [];
const problems: string[] = [];
for (const engine of values.engine) {
  const server = engine === 'postgres' ? await startPostgresServer({ fsync: true }) : undefined;
  try {
    for (const name of values.only) {
      await runOne(name, engine, server?.url()).catch((error: unknown) => {
        problems.push(`${engine}, ${name}: ${String(error)}`);
      });
    }
  } finally {
    await server?.remove();
  }
}
console.log('');
printTable(
  [
    'attack',
    'engine',
    'reads p50 / p99',
    'writes p50 / p99',
    'DNS answered',
    'peak before',
    'peak memory',
    'faults',
  ],
  rows,
);
for (const problem of problems) console.log(`FAILED  ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function runOne(name: string, engine: string, postgresUrl: string | undefined): Promise<void> {
  const { title, settings = {}, mostGrowthBytes } = attacks[name];
  process.stderr.write(`${engine}: ${title}\n`);
  const arena = await startArena(settings, postgresUrl);
  try {
    const { experience, preparedBytes, memoryBytes, growthBytes } = await measure(arena, name);
    const faults = findFaults(experience);
    if (arena.hasEnded()) faults.push(`the service ended:\n${arena.log().slice(-2000)}`);
    else await arena.restart().catch((error: unknown) => faults.push(`no second start: ${String(error)}`));
    if (memoryBytes > MOST_MEMORY_BYTES) faults.push(`the service took ${megabytes(memoryBytes)}`);
    if (mostGrowthBytes !== undefined && growthBytes > mostGrowthBytes + OWN_GROWTH_BYTES)
      faults.push(`the store grew by ${megabytes(growthBytes)}`);
    if (preparedBytes > MOST_MEMORY_BYTES)
      faults.push(`the service took ${megabytes(preparedBytes)} during the preparation`);
    problems.push(...faults.map((fault) => `${engine}, ${title}: ${fault}`));
    const memory = [megabytes(preparedBytes), megabytes(memoryBytes)];
    const row = [title, engine, ...columns(experience), ...memory, String(faults.length)];
    process.stderr.write(`${row.join(' | ')}\n`);
    rows.push(row);
  } finally {
    await arena.stop();
  }
}

interface Measured {
  readonly experience: Experience;
  /** Peak while the attacker filled its own domains. */
  readonly preparedBytes: number;
  /** Peak during the attack. */
  readonly memoryBytes: number;
  readonly growthBytes: number;
}

async function measure(arena: Arena, attack: string): Promise<Measured> {
  const http = new HttpClient(arena.httpAddress, arena.keys.neighbour);
  const dns = new DnsClient(arena.dnsAddress);
  const milliseconds = Number(values.seconds) * 1000;
  const attacker = fork(fileURLToPath(new URL('./attacker-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const ended = new Promise<number | null>((resolve) => attacker.once('exit', resolve));
  let [preparedBytes, memoryBytes] = [0, 0];
  const sampling = setInterval(() => {
    memoryBytes = Math.max(memoryBytes, arena.memoryBytes());
  }, MEMORY_SAMPLE_MS);
  try {
    await prepareNeighbour(http);
    const prepared = new Promise((resolve) => attacker.once('message', resolve));
    const { httpAddress, dnsAddress, keys } = arena;
    attacker.send({ attack, httpAddress, dnsAddress, keys, milliseconds } satisfies AttackOrder);
    await Promise.race([prepared, ended.then(() => Promise.reject(new Error(`${attack} was not prepared`)))]);
    preparedBytes = memoryBytes;
    memoryBytes = 0;
    const before = arena.dataBytes();
    const experience = await useService(http, dns, AbortSignal.timeout(milliseconds));
    const growthBytes = arena.dataBytes() - before;
    const exitCode = await Promise.race([ended, sleep(ATTACK_END_MS, 0, { ref: false })]);
    if (exitCode !== 0) throw new Error(`${attack} was not carried out`);
    return { experience, preparedBytes, memoryBytes, growthBytes };
  } finally {
    clearInterval(sampling);
    attacker.kill('SIGKILL');
    http.close();
    dns.close();
  }
}

function columns({ reads, writes, queries, unanswered }: Experience): string[] {
  return [pair(reads), pair(writes), `${(100 - (unanswered / queries) * 100).toFixed(2)} %`];
}

function pair(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `${percentile(sorted, 50).toFixed(0)} / ${percentile(sorted, 99).toFixed(0)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}
