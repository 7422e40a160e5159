// Asks BIND, Knot, NSD, PowerDNS and our nameserver the same questions about the same zones, and compares the answers.
//
//   node --import tsx test/comparison/run.ts                  the zone files, the built service, and twenty seeds
//     --seed 7  only this seed  │  --seeds 100 --first 21  other seeds  │  --zones corners  one folder of zone files
//     --only bind,knot  if the others are not installed  │  --all  every difference in full, not one of each kind
//     --signed  signed zones of the built service, and zones that BIND has signed for it, with NSEC and with NSEC3;
//               two seeds
//
//   zones ─▶ zone files ─▶ four servers on loopback ─▶ questions ─▶ judge ─▶ one line per zone
//
// Exits 1 if we differ, or if a server is missing that --only does not exclude.

import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../harness/random.ts';
import { Comparison, type TestCase } from './comparison.ts';
import { everyQuery, generateQueries } from './generate-queries.ts';
import { generateZone } from './generate-zone.ts';
import { serveZones } from './own-answers.ts';
import { serveOverHttp } from './own-service.ts';
import { servePresigned } from './presigned-service.ts';
import { isInstalled } from './peer.ts';
import { bind } from './peers/bind.ts';
import { knot } from './peers/knot.ts';
import { nsd } from './peers/nsd.ts';
import { powerdns } from './peers/powerdns.ts';
import { print } from './show.ts';
import { originOf, readZoneFile, type Denial } from './test-zone.ts';

const peerKinds = [bind, knot, nsd, powerdns];
const denials = ['nsec', 'nsec3'] as const satisfies readonly Denial[];
/**
 * Folders and files without signed zones: the service has no root zone and no TTL of 0 in JSON, and a DNAME or delegation
 * at a wildcard is undefined (RFC 4592 sections 4.2 and 4.4).
 */
const unsigned = ['rfc1034', 'apex-only.test.zone', 'wild-cuts.test.zone', 'wild-dname.test.zone'];
/** PowerDNS serves and signs what a DNAME hides (RFC 6672 section 2.4), so that it has another zone. */
const unlikeInPowerdns = ['below-dname.test.zone'];
const SEEDS = 20;
const SIGNED_SEEDS = 2;
const ZONES_A_SEED = 10;
const QUERIES_A_ZONE = 120;
/** The zones of this seed are also served by the built service, over HTTP and real sockets. */
const SERVICE_SEED = 1;
const zonesFolder = join(import.meta.dirname, 'zones');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      first: { type: 'string', default: '1' },
      zones: { type: 'string' },
      only: { type: 'string' },
      all: { type: 'boolean', default: false },
      signed: { type: 'boolean', default: false },
    },
  });
  const { seed, zones, only, signed } = values;
  const kinds = peerKinds.filter(({ name }) => only === undefined || only.split(',').includes(name));
  const folders = readdirSync(zonesFolder).filter((name) => zones === undefined || name === zones);
  if (kinds.length === 0 || folders.length === 0) {
    print(`There is no ${kinds.length === 0 ? `server ${only}` : `folder ${zones}`}`);
    return 1;
  }
  const missing = kinds.filter((kind) => !isInstalled(kind));
  if (missing.length > 0) {
    print(`Missing: ${missing.map(({ name }) => name).join(', ')}. Install with:`);
    const packages = missing.flatMap(({ debianPackages }) => debianPackages).join(' ');
    print(`  sudo apt-get install --yes --no-install-recommends ${packages}`);
    return 1;
  }
  const { seeds = signed ? SIGNED_SEEDS : SEEDS, first } = values;
  const allSeeds = Array.from({ length: Number(seeds) }, (_, i) => Number(first) + i);
  const comparison = new Comparison(kinds, values.all);
  const inProcess = serveInProcess;
  if (signed) {
    const signedSeeds = seed !== undefined ? [Number(seed)] : zones === undefined ? allSeeds : [];
    for (const denial of denials)
      for (const serve of [serveOverHttp, servePresigned]) {
        await comparison.runGroup(signedCases(seed === undefined ? folders : [], signedSeeds, denial), serve);
      }
  } else if (seed !== undefined) await comparison.runGroup(seedCases(Number(seed)), inProcess);
  else {
    for (const folder of folders) await comparison.runGroup(zoneFileCases(folder), inProcess);
    if (zones === undefined) {
      await comparison.runGroup(
        allSeeds.flatMap((each) => seedCases(each)),
        inProcess,
      );
      await comparison.runGroup(seedCases(SERVICE_SEED), serveOverHttp);
    }
  }
  return comparison.finish();
}

const serveInProcess: Parameters<Comparison['runGroup']>[1] = (_folder, zones) =>
  Promise.resolve({ name: 'in process', zones, ...serveZones(zones), stop: () => Promise.resolve() });

function zoneFileCases(folder: string): TestCase[] {
  const files = readdirSync(join(zonesFolder, folder)).filter((name) => name.endsWith('.zone'));
  return files.map((file) => {
    const zone = readZoneFile(join(zonesFolder, folder, file));
    return { title: `${folder}/${file}`, zone, queries: everyQuery(seededRandom(1), zone) };
  });
}

/** Zones of the files and of the seeds, on one set of servers. */
function signedCases(folders: readonly string[], seeds: readonly number[], denial: Denial): TestCase[] {
  const paths = folders
    .filter((folder) => !unsigned.includes(folder))
    .flatMap((folder) =>
      readdirSync(join(zonesFolder, folder)).map((file) => join(zonesFolder, folder, file)),
    )
    .filter((path) => !unsigned.includes(basename(path)));
  const ofFiles = paths.map((path) => {
    const origin = originOf(path);
    // The service has no domains of a single label.
    const apex = /^[^.]+\.$/.test(origin) ? `${basename(dirname(path))}.test.` : origin;
    const read = readZoneFile(path, apex);
    const without = unlikeInPowerdns.includes(basename(path))
      ? [...read.without, powerdns.name]
      : read.without;
    const zone = { ...read, without, denial };
    return { title: `${denial} ${apex}`, zone, queries: everyQuery(seededRandom(1), zone) };
  });
  return [...ofFiles, ...seeds.flatMap((seed) => seedCases(seed, denial))];
}

function seedCases(seed: number, denial?: Denial): TestCase[] {
  const random = seededRandom(seed);
  return Array.from({ length: ZONES_A_SEED }, (_, i) => {
    const apex = `s${seed}-${i}.test.`;
    const zone = { ...generateZone(random, apex), ...(denial !== undefined && { denial }) };
    const title = `${denial ?? ''} seed ${seed}, ${apex}`.trim();
    return { title, zone, queries: generateQueries(random, zone, QUERIES_A_ZONE) };
  });
}

process.exitCode = await main();
