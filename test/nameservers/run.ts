// Asks BIND, Knot, NSD, PowerDNS and us the same questions about the same zones, and compares the answers.
//
//   node --import tsx test/nameservers/run.ts [--seeds 20] [--first 1] [--seed N] [--only bind,knot] [--zones corners]
//
//   zones of the seeds and zone files ─▶ master files ─▶ four servers on loopback ─▶ questions ─▶ judge ─▶ one line a zone
//
// Exits 1 where we differ, or a server is missing that was not left out with --only.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../harness/random.ts';
import { everyQuery, generateQueries } from './generate-queries.ts';
import { generateZone } from './generate-zone.ts';
import { judge } from './judge.ts';
import type { Query } from './message.ts';
import { serveZones, type OwnAnswers } from './own-answers.ts';
import { isInstalled, startPeer, zoneFileName, type Peer, type PeerKind } from './peer.ts';
import { bind } from './peers/bind.ts';
import { knot } from './peers/knot.ts';
import { nsd } from './peers/nsd.ts';
import { powerdns } from './peers/powerdns.ts';
import { showAnswer, showQuery } from './show.ts';
import { formatZone, readZoneFile, type TestZone } from './test-zone.ts';

const peerKinds = [bind, knot, nsd, powerdns];
const SEEDS = 20;
const ZONES_A_SEED = 10;
const QUERIES_A_ZONE = 120;
/** Questions under way at each server at a time: below what its socket buffer holds. */
const WINDOW = 40;
/** Of failures of one kind, so many are shown in full. */
const SHOWN_OF_A_KIND = 1;

interface TestCase {
  readonly title: string;
  readonly zone: TestZone;
  readonly queries: readonly Query[];
}

interface Tally {
  cases: number;
  questions: number;
  failed: number;
  readonly met: Map<string, number>;
  /** How often each kind of failure came. */
  readonly kinds: Map<string, number>;
}

const zonesFolder = join(import.meta.dirname, 'zones');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: String(SEEDS) },
      first: { type: 'string', default: '1' },
      seed: { type: 'string' },
      only: { type: 'string' },
      zones: { type: 'string' },
      all: { type: 'boolean', default: false },
    },
  });
  const kinds = peerKinds.filter(
    ({ name }) => values.only === undefined || values.only.split(',').includes(name),
  );
  const missing = kinds.filter((kind) => !isInstalled(kind));
  if (missing.length > 0) {
    print(`Missing: ${missing.map(({ name }) => name).join(', ')}. Install with:`);
    const packages = missing.flatMap(({ debianPackages }) => debianPackages).join(' ');
    print(`  sudo apt-get install --yes --no-install-recommends ${packages}`);
    return 1;
  }
  const first = Number(values.seed ?? values.first);
  const seeds = Array.from(
    { length: values.seed === undefined ? Number(values.seeds) : 1 },
    (_, i) => first + i,
  );
  const startedMs = performance.now();
  const tally: Tally = { cases: 0, questions: 0, failed: 0, met: new Map(), kinds: new Map() };
  const folders =
    values.seed !== undefined
      ? []
      : readdirSync(zonesFolder).filter((name) => [undefined, name].includes(values.zones));
  for (const folder of folders) await runGroup(kinds, zoneFileCases(folder), tally, values.all);
  if (values.zones === undefined) await runGroup(kinds, seeds.flatMap(seedCases), tally, values.all);
  for (const [title, times] of [...tally.met].sort()) print(`known difference, met ${times} times: ${title}`);
  for (const [kind, times] of [...tally.kinds].sort((a, b) => b[1] - a[1]))
    print(`FAILED  ${times} times: ${kind}`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  print(`${tally.cases} zones, ${tally.questions} questions, ${tally.failed} differences in ${seconds} s`);
  return tally.failed === 0 ? 0 : 1;
}

function zoneFileCases(folder: string): TestCase[] {
  const files = readdirSync(join(zonesFolder, folder)).filter((name) => name.endsWith('.zone'));
  return files.map((file) => {
    const zone = readZoneFile(join(zonesFolder, folder, file));
    return { title: `${folder}/${file}`, zone, queries: everyQuery(seededRandom(1), zone) };
  });
}

function seedCases(seed: number): TestCase[] {
  const random = seededRandom(seed);
  return Array.from({ length: ZONES_A_SEED }, (_, i) => {
    const apex = `s${seed}-${i}.test.`;
    const zone = generateZone(random, apex, apex);
    return { title: `seed ${seed}, ${apex}`, zone, queries: generateQueries(random, zone, QUERIES_A_ZONE) };
  });
}

/** One set of servers for all zones of the group. */
async function runGroup(
  kinds: readonly PeerKind[],
  cases: readonly TestCase[],
  tally: Tally,
  showAll: boolean,
): Promise<void> {
  const zones = cases.map(({ zone }) => zone);
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-nameservers-'));
  const peers: Peer[] = [];
  try {
    const started = await Promise.allSettled(
      kinds.map((kind) => startIn(kind, join(folder, kind.name), zones)),
    );
    for (const result of started) if (result.status === 'fulfilled') peers.push(result.value);
    for (const result of started) if (result.status === 'rejected') throw result.reason;
    const own = serveZones(zones);
    for (const testCase of cases) await runCase(testCase, zones, peers, own, tally, showAll);
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

function startIn(kind: PeerKind, folder: string, zones: readonly TestZone[]): Promise<Peer> {
  mkdirSync(folder);
  for (const zone of zones) writeFileSync(join(folder, zoneFileName(zone)), formatZone(zone));
  return startPeer(kind, folder, zones);
}

async function runCase(
  { title, zone, queries }: TestCase,
  zones: readonly TestZone[],
  allPeers: readonly Peer[],
  own: OwnAnswers,
  tally: Tally,
  showAll: boolean,
): Promise<void> {
  const peers = allPeers.filter(({ name }) => !zone.without.includes(name));
  let failures = 0;
  for (let i = 0; i < queries.length; i += WINDOW) {
    await Promise.all(
      queries.slice(i, i + WINDOW).map(async (query) => {
        const replies = await Promise.all(
          peers.map(async (peer) => [peer.name, await peer.ask(query)] as const),
        );
        const answers = {
          peers: new Map(replies),
          own: own.ask(query),
          whole: own.ask({ ...query, tcp: true }),
        };
        const { problems, met } = judge(query, zone, zones, answers);
        for (const difference of met) tally.met.set(difference, (tally.met.get(difference) ?? 0) + 1);
        if (problems.length === 0) return;
        failures++;
        const kind = problems.map((problem) => problem.replace(/: \S+ \d+ .*/, '')).join('; ');
        tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
        if (!showAll && (tally.kinds.get(kind) ?? 0) > SHOWN_OF_A_KIND) return;
        print(`\n${title}: ${showQuery(query)}\n${problems.map((problem) => `  ! ${problem}`).join('\n')}`);
        print(`;; ZONE\n${formatZone(zone)}`);
        for (const [name, bytes] of [...replies, ['zonewright', answers.own] as const])
          print(`${name}\n${indent(showAnswer(bytes))}`);
      }),
    );
  }
  tally.cases++;
  tally.questions += queries.length;
  tally.failed += failures;
  print(
    `${failures === 0 ? 'ok    ' : 'FAILED'}  ${title}: ${queries.length} questions${failures === 0 ? '' : `, ${failures} differences`}`,
  );
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exitCode = await main();
