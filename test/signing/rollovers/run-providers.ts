// Carries out rollovers of our key beside another provider of the same zone (RFC 8901 model 2), with real validating resolvers
// before both: none may ever fail, whichever keys it has from one provider and records from the other. The stages are in
// `provider-scenarios.ts`, the programs in `provider-scene.ts`.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_FLAGS, type ZoneKey } from '../../../src/dnssec/zone-key.ts';
import { nameOf } from '../../../src/dnssec/zone-records.test-support.ts';
import { formatWantedDs } from '../../../src/signer/match-ds.ts';
import { print } from '../../comparison/show.ts';
import {
  startValidatingResolver,
  type ValidatingResolver,
} from '../../interop/moving/validating-resolver.ts';
import type { Report } from '../exported-zones.ts';
import type { Cache } from './caches.ts';
import { checkAnswers, checkWithDelv } from './check-answers.ts';
import { checkFiles } from './check-files.ts';
import { REGISTRY } from './parent-zone.ts';
import type { ProviderStage, Which } from './provider-scenarios.ts';
import {
  openProviderScene,
  type Crossing,
  type ProviderScenario,
  type ProviderScene,
  type Side,
} from './provider-scene.ts';
import { roundsOf, type Current } from './rounds-of.ts';

export async function checkProviders(parentFolder: string, report: Report): Promise<void> {
  const folder = join(parentFolder, 'providers');
  mkdirSync(folder);
  const stops: (() => Promise<void>)[] = [];
  try {
    await carryOut(await openProviderScene(folder, stops), report);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function carryOut(scene: ProviderScene, report: Report): Promise<void> {
  const { parent, scenarios, crossings } = scene;
  const ds = new Map<string, readonly string[]>();
  let answers = 0;
  for (const [round, current] of roundsOf(scenarios).entries()) {
    for (const { scenario, stage } of current) {
      await stage.enter?.();
      ds.set(scenario.zone.apex, dsOf(scenario, stage.ds));
    }
    await parent.publish(ds);
    answers += await checkRound(current, round, scene, report);
    for (const crossing of crossings) await prepare(crossing, current);
    for (const { scenario, stage } of current) await passTime(scenario, stage, report);
  }
  print(`${scenarios.length} rollovers beside another provider: ${answers} answers of validating resolvers`);
}

/** Returns how many answers were looked at. */
async function checkRound(
  current: readonly Current<ProviderScenario>[],
  round: number,
  { folder: home, crossings, plan, delvAnchor }: ProviderScene,
  report: Report,
): Promise<number> {
  const folder = join(home, `round-${round}`);
  mkdirSync(folder);
  const resolver = await startValidatingResolver({ ...plan, folder });
  let answers = 0;
  try {
    for (const { scenario, stage } of current) {
      const { zone, hosting } = scenario;
      const title = `${scenario.title}, ${stage.name}`;
      const found = await askAll(scenario, resolver, round === 0 ? [] : crossings);
      answers += found.asked;
      if (stage.isBroken) {
        const isNoticed = found.problems.some((problem) => problem.includes('SERVFAIL'));
        report(`${title}: Unbound`, isNoticed ? [] : ['no answer fails']);
        continue;
      }
      report(`${title}: Unbound`, found.problems);
      report(`${title}: delv`, await checkWithDelv(zone, 'secure', resolver, delvAnchor, REGISTRY));
      await checkFiles(title, zone, dsOf(scenario, [stage.cds]), { folder, port: hosting.port, report });
    }
  } finally {
    await resolver.stop();
  }
  return answers;
}

/** Asks everything, without a cache, and with what one provider has answered at the stage before. */
async function askAll(
  { questions }: ProviderScenario,
  resolver: ValidatingResolver,
  crossings: readonly Crossing[],
): Promise<{ readonly asked: number; readonly problems: readonly string[] }> {
  const fresh = await checkAnswers(questions, 'secure', resolver);
  let { asked } = fresh;
  const problems = fresh.problems.map((problem) => `without a cache: ${problem}`);
  for (const { from, to, caches } of crossings) {
    for (const cache of caches) {
      const found = await checkAnswers(questions, 'secure', cache.resolver);
      asked += found.asked;
      problems.push(...found.problems.map((problem) => `from ${from} to ${to}, ${cache.name}: ${problem}`));
    }
  }
  return { asked, problems };
}

/** Fills the caches from one provider, and then has them ask at the other end of the crossing. */
async function prepare(
  { from, to, caches }: Crossing,
  current: readonly Current<ProviderScenario>[],
): Promise<void> {
  const content = current.map(({ scenario: { zone, questions } }) => ({ apex: zone.apex, questions }));
  const redirect = async (cache: Cache, side: Side): Promise<void> => {
    for (const { scenario } of current) await cache.redirect(scenario.zone.apex, scenario.addresses[side]);
  };
  for (const cache of caches) {
    await redirect(cache, from);
    await cache.prepare(REGISTRY, content);
    await redirect(cache, to);
  }
}

async function passTime(
  { title, watch }: ProviderScenario,
  stage: ProviderStage,
  report: Report,
): Promise<void> {
  for (const [seconds, step, says] of stage.looks) {
    const found = await watch.lookAfter(seconds);
    const problems = found === step ? [] : [`the rollover is at the step "${found}", and not "${step}"`];
    const told = says === undefined ? '' : await watch.nextStep();
    if (says !== undefined && !told.includes(says)) problems.push(`the owner is not told "${says}"`);
    report(
      `${title}, ${stage.name}: the step after ${seconds} s`,
      problems.length === 0 ? [] : [...problems, `next step: ${await watch.nextStep()}`],
    );
  }
}

/** Returns the DS data of keys of this side, and of those of the other provider that have DS records. */
function dsOf({ zone, old, incoming, other }: ProviderScenario, sides: readonly Which[]): string[] {
  const own = sides.map((which): ZoneKey => (which === 'old' ? old : incoming));
  const theirs = other.keys.filter(({ flags }) => flags === KEY_FLAGS);
  return [...own, ...theirs].map((key) => formatWantedDs(nameOf(zone.apex), key));
}
