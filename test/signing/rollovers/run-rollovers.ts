// Carries out every rollover and withdrawal with real validating resolvers before the service: none may ever fail.
//
//   store ─▶ publisher ─▶ nameserver ─▶ questions ─▶ zone file ─▶ dnssec-verify, ldns-verify-zone, kzonecheck
//                              │
//                              ├─▶ dnsviz, which trusts what the DS records of the stage name
//                              ├─▶ Unbound without a cache, for each stage ─▶ delv
//   BIND: parent with DS ──────┴─▶ Unbound with caches of the stage before
//
// All scenarios take their stages at the same time, so that few servers have to be started.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rrType } from '../../../src/dns/codes.ts';
import { formatRdata } from '../../../src/dns/rdata/rdata.ts';
import { formatWantedDs } from '../../../src/signer/match-ds.ts';
import { nameOf } from '../../../src/dnssec/zone-records.test-support.ts';
import type { ZoneKey } from '../../../src/dnssec/zone-key.ts';
import { print } from '../../comparison/show.ts';
import {
  startValidatingResolver,
  strict,
  type ResolverPlan,
} from '../../interop/moving/validating-resolver.ts';
import { askWithDnsviz } from '../dnsviz.ts';
import type { Report } from '../exported-zones.ts';
import { startCaches, type Cache } from './caches.ts';
import { checkAnswers, checkWithDelv } from './check-answers.ts';
import { checkFiles } from './check-files.ts';
import { Hosting } from './hosting.ts';
import { NAMESERVER, nastyZone, questionsAbout, type Question } from './nasty-zone.ts';
import {
  formatAnchor,
  makeGrandchildren,
  REGISTRY,
  startParentZone,
  zoneAddresses,
  type GrandchildZone,
  type ParentZone,
} from './parent-zone.ts';
import { roundsOf, type Current } from './rounds-of.ts';
import { openScenario, plans, type Scenario, type Stage } from './scenarios.ts';

interface Scene {
  readonly folder: string;
  readonly hosting: Hosting;
  readonly parent: ParentZone;
  readonly scenarios: readonly Scenario[];
  readonly caches: readonly Cache[];
  readonly report: Report;
  readonly plan: ResolverPlan;
  readonly delvAnchor: string;
}

export async function checkRollovers(parentFolder: string, report: Report): Promise<void> {
  const folder = join(parentFolder, 'rollovers');
  for (const name of ['', 'store', 'parent', 'below']) mkdirSync(join(folder, name));
  const stops: (() => Promise<void>)[] = [];
  try {
    const hosting = await Hosting.open(join(folder, 'store'));
    stops.push(() => hosting.close());
    const scenarios: Scenario[] = [];
    const grandchildren: GrandchildZone[] = [];
    for (const plan of plans) {
      const apex = `${plan.name}.${REGISTRY}.`;
      const { zones, ds } = await makeGrandchildren(join(folder, 'below'), apex);
      grandchildren.push(...zones);
      const zone = nastyZone(apex, ds);
      await hosting.create(zone);
      scenarios.push(openScenario(plan, zone, hosting));
    }
    const parent = await startParentZone(join(folder, 'parent'), grandchildren);
    stops.push(() => parent.stop());
    const at = [`127.0.0.1:${hosting.port}`];
    const zones = zoneAddresses(
      parent,
      scenarios.map(({ zone }) => ({ ...zone, at })),
    );
    const plan = { folder, anchorFile: parent.anchorFile, zones, settings: strict };
    const caches = await startCaches(plan);
    for (const cache of caches) stops.push(() => cache.stop());
    const delvAnchor = join(folder, 'delv-anchor');
    writeFileSync(delvAnchor, formatAnchor(parent));
    await carryOut({ folder, hosting, parent, scenarios, caches, report, plan, delvAnchor });
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function carryOut(scene: Scene): Promise<void> {
  const { hosting, parent, scenarios, caches } = scene;
  const ds = new Map<string, readonly string[]>();
  let answers = 0;
  for (const [round, current] of roundsOf(scenarios).entries()) {
    for (const { scenario, stage } of current) {
      await stage.enter?.(hosting);
      ds.set(
        scenario.zone.apex,
        stage.ds.map((which) => dsOf(scenario, which)),
      );
    }
    await parent.publish(ds);
    answers += await checkRound(current, round, scene);
    const content = current.map(({ scenario, stage }) => {
      return { apex: scenario.zone.apex, questions: questionsAt(scenario, stage) };
    });
    for (const cache of caches) await cache.prepare(REGISTRY, content);
  }
  print(`${scenarios.length} rollovers and withdrawals: ${answers} answers of validating resolvers`);
}

/** Returns how many answers were looked at. */
async function checkRound(
  current: readonly Current<Scenario>[],
  round: number,
  scene: Scene,
): Promise<number> {
  const { hosting, caches, report, plan, delvAnchor } = scene;
  const folder = join(scene.folder, `round-${round}`);
  mkdirSync(folder);
  const resolver = await startValidatingResolver({ ...plan, folder });
  let answers = 0;
  try {
    for (const { scenario, stage } of current) {
      const title = `${scenario.title}, ${stage.name}`;
      const seen = askDnsviz(scenario, stage, hosting.port, folder);
      const questions = questionsAt(scenario, stage);
      const fresh = await checkAnswers(questions, stage.fresh, resolver);
      report(`${title}: Unbound`, fresh.problems);
      answers += fresh.asked;
      const { zone } = scenario;
      report(`${title}: delv`, await checkWithDelv(zone, stage.fresh, resolver, delvAnchor, REGISTRY));
      if (stage.cds !== undefined && stage.enter !== undefined) {
        const place = { folder, port: hosting.port, report };
        await checkFiles(title, zone, [cdsOf(scenario, stage.cds)], place);
      }
      // In the first round, caches are empty.
      for (const cache of round === 0 ? [] : caches) {
        const cached = await checkAnswers(questions, stage.cached, cache.resolver);
        report(`${title}: Unbound, ${cache.name}`, cached.problems);
        answers += cached.asked;
      }
      report(`${title}: dnsviz`, await seen);
    }
  } finally {
    await resolver.stop();
  }
  return answers;
}

function questionsAt({ zone }: Scenario, { cds }: Stage): readonly Question[] {
  return questionsAbout(zone, cds !== undefined);
}

/** Names of the zone that lie outside its delegations. */
const dnsvizNames = ['@', 'www', 'under.empty', 'one.wild', 'first', 'host.moved'];

/** In these steps of a change of algorithm, there are signatures of a key that is not in the DNSKEY set (RFC 6781 section 4.1.4). */
const stepsWithForeignSignatures: readonly string[] = ['signing', 'unpublished'];

/**
 * Asks as a validator does that trusts the keys that the DS records name. Needs a few seconds, in which others can ask, too; a
 * zone that is unsigned or has no DS is not asked for.
 */
async function askDnsviz(
  { zone, old, incoming }: Scenario,
  { name, cds, ds }: Stage,
  port: number,
  folder: string,
): Promise<readonly string[]> {
  if (cds === undefined || ds.length === 0) return [];
  const domain = zone.apex.slice(0, -1);
  const keys = ds.map((which) => formatKey(zone.apex, which === 'old' ? old : incoming));
  const names = dnsvizNames.map((owner) => (owner === '@' ? domain : `${owner}.${domain}`));
  const asked = { domain, keys, names, nameserver: NAMESERVER.slice(0, -1), port };
  const found = await askWithDnsviz(asked, folder);
  if (!stepsWithForeignSignatures.includes(name)) return found;
  return found.filter((problem) => !problem.endsWith(': INDETERMINATE_NO_DNSKEY'));
}

function formatKey(apex: string, { dnskey }: ZoneKey): string {
  return `${apex} 3600 IN DNSKEY ${formatRdata(rrType.DNSKEY, dnskey)}`;
}

/** The data that removes all DS records (RFC 8078 section 4). */
const DELETE_CDS = '0 0 0 00';

function cdsOf(scenario: Scenario, which: 'old' | 'new' | 'delete'): string {
  return which === 'delete' ? DELETE_CDS : dsOf(scenario, which);
}

function dsOf({ zone, old, incoming }: Scenario, which: 'old' | 'new'): string {
  return formatWantedDs(nameOf(zone.apex), which === 'old' ? old : incoming);
}
