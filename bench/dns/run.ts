/**
 * `npm run bench:dns` compares Zonewright with Knot, NSD, BIND and PowerDNS, as far as they are installed. Each server is
 * pinned to one core with one thread, and dnsperf to the other. Prints the medians of interleaved rounds and the server's
 * CPU time per query.
 *
 *     npm run bench:dns                       100,000 zones of ten records and the hot zone
 *     npm run bench:dns -- --zones 1000       fewer
 *     npm run bench:dns -- --only zonewright,knot
 *     npm run bench:dns -- --also ../before   another built checkout too, for example of the version before
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printTable } from '../print-table.ts';
import { fillStore, fillStoreOf, storeFolder } from './fill-store.ts';
import { serverKinds, startServer, type BenchServer } from './server.ts';
import { loads, smallApex, writeZoneFiles, writeQueryFiles, type Load } from './zones.ts';

const SECONDS = 4;
const WARM_UP_SECONDS = 2;
/** Share of a processor that a server takes without queries, at most, before it is measured. */
const SETTLED_SHARE = 0.05;
const MAX_SETTLE_SECONDS = 30;
const SECONDS_PER_ZONE = 0.000_15;

const { values } = parseArgs({
  options: {
    zones: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    also: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '3' },
  },
});
const rounds = Number(values.rounds);
const zones = Number(values.zones);
const only = values.only.split(',');
const checkouts = values.also.map((folder) => resolve(folder));
const kinds = serverKinds(checkouts).filter(({ name }) => values.only === '' || only.includes(name));
const folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-dns-'));
try {
  say(`filling stores with ${zones} zones`);
  fillStore(storeFolder(folder), zones);
  for (const checkout of checkouts)
    await fillStoreOf(checkout, storeFolder(folder, basename(checkout)), zones);
  const others = kinds.some(({ name }) => name !== 'zonewright');
  const apexes = others ? writeZoneFiles(folder, zones) : [];
  const queries = await writeQueryFiles(folder, zones);
  const microseconds = new Map<string, number[]>();
  const facts: string[][] = [];
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      const server = await startServer(kind, folder, apexes, `host-1.${smallApex(zones - 1)}`);
      const afterMb = await measure(server, queries, microseconds);
      if (round === 0)
        facts.push([kind.name, server.startSeconds.toFixed(1), mb(server.residentMb), mb(afterMb)]);
      await server.stop();
      say(`round ${round + 1}: ${kind.name} done`);
    }
  }
  printResults(microseconds, facts);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs every load once; returns the resident memory afterwards. */
async function measure(
  server: BenchServer,
  queries: Record<Load, string>,
  microseconds: Map<string, number[]>,
): Promise<number> {
  for (const load of loads) {
    await dnsperf(server, queries[load], load, warmUpSeconds(load));
    await settle(server);
    const before = server.processorSeconds();
    const completed = await dnsperf(server, queries[load], load, SECONDS);
    const each = ((server.processorSeconds() - before) / completed) * 1e6;
    const key = `${load}/${server.name}`;
    microseconds.set(key, [...(microseconds.get(key) ?? []), each]);
  }
  return server.residentNowMb();
}

/** A service goes on starting for some seconds after its first answer, and compiles what it has just run. */
async function settle(server: BenchServer): Promise<void> {
  for (let second = 0; second < MAX_SETTLE_SECONDS; second++) {
    const before = server.processorSeconds();
    await sleep(1000);
    if (server.processorSeconds() - before < SETTLED_SHARE) return;
  }
}

/** The other servers load all zones at startup; Zonewright loads them on demand. */
function warmUpSeconds(load: Load): number {
  return load === 'random zones' ? WARM_UP_SECONDS + Math.ceil(zones * SECONDS_PER_ZONE) : WARM_UP_SECONDS;
}

/** @returns the number of completed queries */
async function dnsperf(server: BenchServer, file: string, load: Load, seconds: number): Promise<number> {
  const args = ['-c', '1', 'dnsperf', '-s', '127.0.0.1', '-p', String(server.port), '-d', file];
  args.push(
    '-l',
    String(seconds),
    '-c',
    '20',
    '-q',
    '500',
    '-T',
    '1',
    '-e',
    '-m',
    load === 'TCP' ? 'tcp' : 'udp',
  );
  const output = await new Promise<string>((resolve, reject) => {
    execFile('taskset', args, { maxBuffer: 2 ** 26 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error('dnsperf failed', { cause: error }));
    });
  });
  const completed = Number(/Queries completed:\s+(\d+)/.exec(output)?.[1] ?? 0);
  const lost = Number(/Queries lost:\s+(\d+)/.exec(output)?.[1] ?? 0);
  const wanted = load === 'NXDOMAIN flood' ? 'NXDOMAIN' : 'NOERROR';
  if (!output.includes(`${wanted} ${completed} (100.00%)`))
    throw new Error(`${server.name}, ${load}:\n${output}`);
  if (lost > completed / 100) say(`${server.name}, ${load}: ${lost} of ${completed} queries lost`);
  return completed;
}

function printResults(
  microseconds: ReadonlyMap<string, readonly number[]>,
  facts: readonly string[][],
): void {
  const names = kinds.map(({ name }) => name);
  console.log(`\n${cpus()[0].model}, Node ${process.versions.node}, ${zones} zones of ten records\n`);
  console.log('Server CPU microseconds a query, and the ratio to Knot:\n');
  const rows = loads.map((load) => {
    const medians = names.map((name) => median(microseconds.get(`${load}/${name}`) ?? []));
    const knot = medians[names.indexOf('knot')];
    return [load, ...medians.map((each) => each.toFixed(2) + (knot ? ` (${(each / knot).toFixed(2)})` : ''))];
  });
  printTable(['load', ...names], rows);
  console.log('\n');
  printTable(
    [
      'server',
      'start to first correct answer, s',
      'resident at that time, MB',
      'resident after all loads, MB',
    ],
    facts,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function mb(megabytes: number): string {
  return megabytes.toFixed(0);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
