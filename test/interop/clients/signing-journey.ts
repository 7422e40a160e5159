// The way of a signed domain as a new user goes it, with the command line alone: signed, its DS record handed to a parent zone
// on BIND and Knot, secure; its key exchanged, then for one of another algorithm; signing switched off and on again. That takes
// a week, which a moved clock makes short (the parent zone stays in the present, where its signatures last for a month). All
// the while, two validating resolvers are asked, and none ever fails:
//
//   Unbound with a cache, which validates what it gets ─▶ nameservers
//   Unbound, which keeps little and validates ─▶ Unbound with a cache, which does not ─▶ nameservers
//
// The second one validates with what was cached long ago, and so notices signatures that outlive their keys. After each step
// that was seen, the service is killed with SIGKILL and started again.

import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../harness/free-port.ts';
import { chooseSeed, seededRandom } from '../../harness/random.ts';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { createApi, type Api } from '../api.ts';
import { commandLine, type CommandLine } from '../command-line.ts';
import { expectEqual, expectMatch } from '../expect.ts';
import { REGISTRY, startParentZone, type ParentZone } from '../moving/parent-zone.ts';
import { startValidatingResolver, type ValidatingResolver } from '../moving/validating-resolver.ts';
import { startService, type Service } from '../service.ts';
import { followResolvers, type Following, type Question, type Trust } from '../signed/follow-resolvers.ts';
import { createMovingClock } from '../signed/moving-clock.ts';
import { print, type Suite } from '../suite.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

const LABEL = 'shop';
const DOMAIN = `${LABEL}.${REGISTRY}`;

/** Other than those of the nameservers of the parent zone, because a delegation names no ports. */
const OWN_HOST = '127.0.0.3';
const nameservers = [`dns1.${REGISTRY}`, `dns2.${REGISTRY}`];

/** The parent zone has DS records with this TTL. */
const DS_TTL_SECONDS = 6 * 3600;

/** The longest TTL of the domain. */
const DAY_SECONDS = 86_400;

/** A failure is not repaired by asking again, and every algorithm of the DS set has to sign. */
const strict = ['harden-algo-downgrade: yes', 'val-max-restart: 0', 'aggressive-nsec: yes'];

export const signingJourneySuite: Suite = {
  name: 'signing-journey',
  run: async (runCase, { folder }) => {
    const seed = chooseSeed();
    print(`TEST_SEED=${seed}`);
    await runCase('signed, rolled, switched off and on', () =>
      travel(mkdtempSync(join(folder, 'journey-')), seed),
    );
  },
};

interface Journey {
  readonly zonewright: CommandLine;
  readonly parent: ParentZone;
  readonly following: Following;
  readonly stateOf: () => Promise<string>;
  /** Goes on until the domain has this state, with the step of a rollover behind it, and has it still after a SIGKILL. */
  readonly reach: (state: string, trust: Trust) => Promise<void>;
}

type Started = { stop(): Promise<unknown> }[];

async function travel(home: string, seed: number): Promise<string> {
  const started: Started = [];
  try {
    const journey = await setOut(home, seed, started);
    await sign(journey);
    await cancelOnce(journey);
    await roll(journey);
    await roll(journey, '15');
    await switchOff(journey);
    await switchOn(journey);
    return `${journey.following.answers()} answers of validating resolvers, none failed`;
  } finally {
    for (const one of started.toReversed()) await one.stop();
  }
}

async function setOut(home: string, seed: number, started: Started): Promise<Journey> {
  const clock = createMovingClock(home);
  const { env } = clock;
  const parent = await startParentZone(home, delegation([]));
  started.push(parent);
  const own = `${OWN_HOST}:${await freePort()}`;
  const resolvers = await startResolvers(home, parent, own, env, started);
  const start = (httpPort: number): Promise<Service> =>
    startService(checkout, home, {
      ...env,
      ZONEWRIGHT_HTTP: `127.0.0.1:${httpPort}`,
      ZONEWRIGHT_DNS: own,
      ZONEWRIGHT_NAMESERVERS: nameservers.join(),
      ZONEWRIGHT_RESOLVERS: resolvers[0].address,
      ZONEWRIGHT_PRIVATE_PARENTS: [...parent.addresses, own].join(),
    });
  let service = await start(0);
  const { httpPort, key } = service;
  const url = `http://127.0.0.1:${httpPort}`;
  const api = createApi(url, key);
  started.push({ stop: () => service.stop() }, { stop: () => Promise.resolve(api.close()) });
  const stateOf = (): Promise<string> => readState(api);
  const following = followResolvers(resolvers, clock, seededRandom(seed), questions);
  return {
    parent,
    zonewright: commandLine(home, { ...env, ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: key }),
    following,
    stateOf,
    reach: async (state, trust) => {
      await following.until(state, trust, async () => (await stateOf()) === state);
      await service.kill();
      service = await start(httpPort);
      expectEqual(await stateOf(), state, 'the state after a SIGKILL');
    },
  };
}

/** The state, and behind it the step of a rollover. */
async function readState(api: Api): Promise<string> {
  // A connection that was kept open would be closed when the clock moves.
  const path = `/v2/domains/${DOMAIN}/dnssec/status`;
  const { text } = await api.send('GET', path, undefined, { Connection: 'close' });
  const { dnssec } = JSON.parse(text) as { dnssec: SigningStatusJson };
  return dnssec.rollover === null ? dnssec.state : `${dnssec.state} ${dnssec.rollover.step}`;
}

async function startResolvers(
  home: string,
  parent: ParentZone,
  own: string,
  env: Readonly<Record<string, string>>,
  started: Started,
): Promise<readonly [ValidatingResolver, ValidatingResolver]> {
  const start = async (
    name: string,
    plan: Partial<Parameters<typeof startValidatingResolver>[0]>,
  ): Promise<ValidatingResolver> => {
    const folder = join(home, name);
    mkdirSync(folder);
    const zones = { [REGISTRY]: parent.addresses, [DOMAIN]: [own] };
    const usual = { folder, anchorFile: parent.anchorFile, zones, settings: strict, env };
    const resolver = await startValidatingResolver({ ...usual, ...plan });
    started.push(resolver);
    return resolver;
  };
  const caching = await start('a', {});
  const cache = await start('b', { validates: false });
  const forgetful = { zones: { forwarder: cache.address }, settings: [...strict, 'cache-max-ttl: 1'] };
  return [caching, await start('c', forgetful)];
}

/** @param ds data of DS records */
function delegation(ds: readonly string[]): string[] {
  return [
    ...nameservers.map((name) => `${name}. A ${OWN_HOST}`),
    ...nameservers.map((name) => `${LABEL} NS ${name}.`),
    ...ds.map((data) => `${LABEL} ${DS_TTL_SECONDS} DS ${data}`),
  ];
}

/** A positive answer that is kept for a day and one for minutes, a wildcard, and both kinds of denial. */
function questions(round: number): readonly Question[] {
  return [
    [`www.${DOMAIN}`, 'A', 'NOERROR'],
    [`mail.${DOMAIN}`, 'A', 'NOERROR'],
    [`any-${round}.wild.${DOMAIN}`, 'A', 'NOERROR'],
    [`missing-${round}.${DOMAIN}`, 'A', 'NXDOMAIN'],
    [`mail.${DOMAIN}`, 'MX', 'NOERROR'],
    [DOMAIN, 'SOA', 'NOERROR'],
    [DOMAIN, 'DNSKEY', 'NOERROR'],
  ];
}

/** The data of the DS record that the command line shows: during a rollover, the one that the parent zone has to have next. */
async function shownDs({ zonewright }: Journey): Promise<string> {
  const { stdout } = await zonewright(0, 'domain', 'dnssec', 'show', DOMAIN);
  const [, ds] = / IN DS (.*)/.exec(stdout) ?? [];
  return ds;
}

async function sign(journey: Journey): Promise<void> {
  const { zonewright, following, stateOf } = journey;
  const created = await zonewright(0, 'domain', 'create', DOMAIN, '--dnssec');
  expectMatch(created.stdout + created.stderr, /Next step:/, 'what create says');
  await zonewright(0, 'record', 'create', DOMAIN, 'www', 'A', '192.0.2.1');
  await zonewright(0, 'record', 'create', DOMAIN, 'mail', 'A', '192.0.2.2', '--ttl', `${DAY_SECONDS}`);
  await zonewright(0, 'record', 'create', DOMAIN, '*.wild', 'A', '192.0.2.3');
  expectEqual(await stateOf(), 'waiting_for_ds', 'the state before the DS record');
  await following.pass(DAY_SECONDS, 'insecure');
  await handIn(journey, 'either');
}

/** Hands the DS record in, and waits until every answer is secure. */
async function handIn(journey: Journey, trust: 'secure' | 'either'): Promise<void> {
  const { parent, following, reach } = journey;
  await parent.publish(delegation([await shownDs(journey)]));
  if (trust === 'either') {
    await reach('secure', 'either');
    await following.pass(DAY_SECONDS, 'either');
  }
  await following.pass(3600, 'secure');
}

async function cancelOnce({ zonewright, reach, stateOf }: Journey): Promise<void> {
  await zonewright(0, 'domain', 'dnssec', 'roll', DOMAIN);
  await reach('rolling announced', 'secure');
  await zonewright(0, 'domain', 'dnssec', 'cancel', DOMAIN);
  expectEqual(await stateOf(), 'secure', 'the state after a rollover was cancelled');
}

async function roll(journey: Journey, algorithm = '13'): Promise<void> {
  const { zonewright, reach } = journey;
  const isSame = (await shownDs(journey)).split(' ')[1] === algorithm;
  await zonewright(0, 'domain', 'dnssec', 'roll', DOMAIN, '--algorithm', algorithm);
  for (const step of isSame ? ['published', 'announced'] : ['signing', 'published', 'announced'])
    await reach(`rolling ${step}`, 'secure');
  const status = await zonewright(0, 'domain', 'dnssec', 'status', DOMAIN);
  expectMatch(status.stdout, /Enter this DS record at the registrar/, 'what status says');
  await handIn(journey, 'secure');
  await zonewright(0, 'record', 'create', DOMAIN, `rolled-to-${algorithm}`, 'A', '192.0.2.4');
  for (const state of [`rolling ${isSame ? 'signed' : 'unpublished'}`, 'secure'])
    await reach(state, 'secure');
  expectMatch(await shownDs(journey), new RegExp(`^\\d+ ${algorithm} 2 `), 'the DS record afterwards');
}

async function switchOff({ zonewright, parent, following, reach }: Journey): Promise<void> {
  await zonewright(0, 'domain', 'dnssec', 'off', DOMAIN);
  await reach('going_insecure withdrawing', 'secure');
  await following.pass(DAY_SECONDS, 'secure');
  await parent.publish(delegation([]));
  await reach('unsigned', 'either');
  await following.pass(DAY_SECONDS, 'either');
  await following.pass(3600, 'insecure');
}

async function switchOn(journey: Journey): Promise<void> {
  const { zonewright, following, stateOf } = journey;
  const done = await zonewright(0, 'domain', 'dnssec', 'on', DOMAIN);
  expectMatch(done.stdout + done.stderr, /Next step:/, 'what switching on says');
  expectEqual(await stateOf(), 'waiting_for_ds', 'the state after switching on');
  await following.pass(DAY_SECONDS, 'insecure');
  await handIn(journey, 'either');
}
