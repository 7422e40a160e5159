/**
 * `npm run bench:dns` compares Zonewright with Knot, NSD, BIND and PowerDNS, as far as they are installed. Each server is
 * pinned to one core with one thread, and dnsperf to the other. Prints the medians of interleaved rounds and the server's
 * CPU time per query. All servers run at the same time, but only one is asked.
 *
 *     npm run bench:dns                       100,000 zones of ten records and the hot zone
 *     npm run bench:dns -- --zones 1000       fewer
 *     npm run bench:dns -- --signed           signed zones, asked with DO, one of them with a million names: nine minutes
 *     npm run bench:dns -- --signed --names 0 without that large one
 *     npm run bench:dns -- --load NXDOMAIN    only rows whose name contains the word
 *     npm run bench:dns -- --only zonewright,knot
 *     npm run bench:dns -- --also ../before   another built checkout too, for example of the version before
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { printTable } from '../print-table.ts';
import { benchSigning, fillStore, fillStoreOf, storeFolder } from './fill-store.ts';
import { signedLoads, unsignedLoads, writeQueryFile, type Load } from './loads.ts';
import { runDnsperf } from './run-dnsperf.ts';
import { serverKinds, startServer, type BenchServer } from './server.ts';
import { writeZoneFiles } from './zone-files.ts';
import { lastHost, zonesOf, type ZoneSet } from './zones.ts';

const WARM_UP_SECONDS = 2;
/** Share of a processor that a server takes without queries, at most, before it is measured. */
const SETTLED_SHARE = 0.05;
const MAX_SETTLE_SECONDS = 30;
const SECONDS_PER_ZONE = 0.000_15;

const { values } = parseArgs({
  options: {
    signed: { type: 'boolean', default: false },
    zones: { type: 'string', default: '100000' },
    names: { type: 'string', default: '1000000' },
    load: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    also: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const names = Number(values.names);
const loads = (values.signed ? signedLoads : unsignedLoads).filter(
  ({ name, isLarge }) => name.includes(values.load) && (isLarge !== true || names > 0),
);
if (loads.length === 0) throw new Error(`no row has "${values.load}" in its name`);
const zoneSet: ZoneSet = values.signed ? 'signed' : 'unsigned';
/** Without a row that asks for the large zone, it is left out. */
const wantedNames = loads.some(({ isLarge }) => isLarge) ? names : 0;
const count = values.signed ? wantedNames : Number(values.zones);
const only = values.only.split(',');
const checkouts = values.also.map((folder) => resolve(folder));
const kinds = serverKinds(checkouts)
  .filter(({ name }) => values.only === '' || only.includes(name))
  // PowerDNS keeps signed zones in a database, not in files.
  .filter(({ name }) => !values.signed || name !== 'powerdns');
const folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-dns-'));
const servers: BenchServer[] = [];
try {
  const apexes = await prepareZones();
  const facts: string[][] = [];
  for (const kind of kinds) {
    const server = await startServer(kind, folder, apexes, lastHost(zoneSet, count));
    servers.push(server);
    facts.push([kind.name, server.startSeconds.toFixed(1), mb(server.residentMb)]);
    say(`${kind.name} answers`);
  }
  const microseconds = await measureAll();
  servers.forEach((server, i) => facts[i].push(mb(server.residentNowMb())));
  printResults(microseconds, facts);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
}

/** Fills the stores and writes the zone files; returns the apexes. */
async function prepareZones(): Promise<string[]> {
  say(`filling stores with ${describeZones()}`);
  const signing = benchSigning();
  fillStore(storeFolder(folder), count, zoneSet, signing);
  for (const checkout of checkouts)
    await fillStoreOf(checkout, storeFolder(folder, basename(checkout)), count, zoneSet);
  if (kinds.every(({ isOwn }) => isOwn)) return [];
  return writeZoneFiles(folder, zonesOf(zoneSet, count), signing);
}

/** Every load runs on all servers in turn, and each round begins with the server that ended the last. */
async function measureAll(): Promise<Map<string, number[]>> {
  const microseconds = new Map<string, number[]>();
  for (const load of loads) {
    const file = await writeQueryFile(folder, load, count);
    for (const server of servers) await runDnsperf(server, file, load, warmUpSeconds(load));
    await Promise.all(servers.map(settle));
    const order = [...servers];
    for (let round = 0; round < rounds; round++) {
      for (const server of order) {
        const key = `${load.name}/${server.name}`;
        const each = await measure(server, file, load);
        microseconds.set(key, [...(microseconds.get(key) ?? []), each]);
      }
      order.reverse();
    }
    say(`measured: ${load.name}`);
  }
  return microseconds;
}

/** Microseconds of the server's CPU for a query. */
async function measure(server: BenchServer, file: string, load: Load): Promise<number> {
  const before = server.processorSeconds();
  const { completed, lost } = await runDnsperf(server, file, load, seconds);
  if (lost > completed / 100) say(`${server.name}, ${load.name}: ${lost} of ${completed} queries lost`);
  return ((server.processorSeconds() - before) / completed) * 1e6;
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
function warmUpSeconds({ isCold }: Load): number {
  return isCold === true ? WARM_UP_SECONDS + Math.ceil(count * SECONDS_PER_ZONE) : WARM_UP_SECONDS;
}

function printResults(
  microseconds: ReadonlyMap<string, readonly number[]>,
  facts: readonly string[][],
): void {
  const kindNames = kinds.map(({ name }) => name);
  console.log(`\n${cpus()[0].model}, Node ${process.versions.node}, ${describeZones()}\n`);
  console.log('Server CPU microseconds a query, and the ratio to Knot:\n');
  const rows = loads.map(({ name: load }) => {
    const medians = kindNames.map((name) => median(microseconds.get(`${load}/${name}`) ?? []));
    const knot = medians[kindNames.indexOf('knot')];
    return [load, ...medians.map((each) => each.toFixed(2) + (knot ? ` (${(each / knot).toFixed(2)})` : ''))];
  });
  printTable(['load', ...kindNames], rows);
  console.log('\n');
  printTable(
    [
      'server',
      'start to first correct answer, s',
      'resident when started, MB',
      'resident after all loads, MB',
    ],
    facts,
  );
}

function describeZones(): string {
  if (!values.signed) return `${count} zones of ten records`;
  return count === 0 ? 'signed zones' : `signed zones, one of ${count} names`;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
}

function mb(megabytes: number): string {
  return megabytes.toFixed(0);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
