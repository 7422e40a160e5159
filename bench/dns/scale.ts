/**
 * `npm run bench:scale` measures a large installation of zones of ten records: size on disk, time from start to the first
 * correct answer, resident memory, latency of the first and second query of a zone, and a walk through more zones than fit
 * in memory.
 *
 *     npm run bench:scale                   100,000 and 1,000,000 zones, about five minutes and 2 GB of disk
 *     npm run bench:scale -- --zones 20000
 *     npm run bench:scale -- --signed       each also signed: twice the records, and three times the disk
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dnsperfLatencies } from '../dnsperf-latencies.ts';
import { percentile } from '../percentile.ts';
import { printTable } from '../print-table.ts';
import { fillStore, storeFolder } from './fill-store.ts';
import { serverKinds, startServer, type BenchServer } from './server.ts';
import { smallApex, type ZoneSet } from './zones.ts';

const LOOK_UPS = 10_000;
/** A cold look-up takes up to half a millisecond of one processor. At more than half its capacity, latencies would be those of a queue. */
const LOOK_UPS_PER_SECOND = 1000;
const WALK_SECONDS = 60;
/** The rate at which the main thread can load zones; more queries would only be lost. */
const WALK_PER_SECOND = 4000;

const { values } = parseArgs({
  options: {
    zones: { type: 'string', default: '100000,1000000' },
    signed: { type: 'boolean', default: false },
  },
});
const sets: readonly ZoneSet[] = values.signed ? ['unsigned', 'signed-small'] : ['unsigned'];
const rows: string[][] = [];
for (const zones of values.zones.split(',').map(Number)) {
  for (const set of sets) {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-scale-'));
    try {
      rows.push(await measureScale(folder, zones, set));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
const heads = [
  'zones × 10 records',
  'fill the store, s',
  'start to first answer, s',
  'resident when started, MB',
];
heads.push('cold look-up p50 / p99, ms', 'CPU of a cold look-up, µs');
heads.push('warm p50 / p99, ms', 'resident after the walk, MB');
printTable(heads, rows);

async function measureScale(folder: string, zones: number, set: ZoneSet): Promise<string[]> {
  const startMs = performance.now();
  fillStore(storeFolder(folder), zones, set);
  const fillSeconds = (performance.now() - startMs) / 1000;
  const [ours] = serverKinds();
  const server = await startServer(ours, folder, [], `host-1.${smallApex(zones - 1)}`);
  try {
    const names = randomNames(zones, LOOK_UPS);
    const before = server.processorSeconds();
    const cold = await lookUps(server, names, LOOK_UPS / LOOK_UPS_PER_SECOND, LOOK_UPS_PER_SECOND);
    const coldUs = ((server.processorSeconds() - before) / LOOK_UPS) * 1e6;
    const warm = await lookUps(server, names, LOOK_UPS / LOOK_UPS_PER_SECOND, LOOK_UPS_PER_SECOND);
    await lookUps(server, randomNames(zones, WALK_SECONDS * WALK_PER_SECOND), WALK_SECONDS, WALK_PER_SECOND);
    const figures = [fillSeconds.toFixed(0), server.startSeconds.toFixed(2), server.residentMb.toFixed(0)];
    const title = zones.toLocaleString('en') + (set === 'unsigned' ? '' : ', signed');
    return [title, ...figures, cold, coldUs.toFixed(0), warm, server.residentNowMb().toFixed(0)];
  } finally {
    await server.stop();
  }
}

async function lookUps(
  server: BenchServer,
  names: readonly string[],
  seconds: number,
  perSecond: number,
): Promise<string> {
  const service = { host: '127.0.0.1', dnsPort: server.port };
  const latenciesMs = await dnsperfLatencies(service, names, perSecond, seconds);
  if (latenciesMs === undefined) throw new Error('dnsperf is not installed: apt-get install dnsperf');
  return [50, 99].map((percent) => percentile(latenciesMs, percent).toFixed(2)).join(' / ');
}

function randomNames(zones: number, count: number): string[] {
  return Array.from({ length: count }, () => `host-1.${smallApex(Math.floor(Math.random() * zones))}`);
}
