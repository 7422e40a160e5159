// The moving guide for signed zones: the DS record leaves the parent zone before the delegation changes. Meanwhile a
// validating resolver with a cache is asked without a pause and must never answer SERVFAIL.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { commandLine } from '../command-line.ts';
import { expectEqual, expectMatch } from '../expect.ts';
import { findDs } from '../moving/find-ds.ts';
import { before, formatOldZone } from '../moving/old-zone.ts';
import {
  POLICY_KEY_TTL_SECONDS,
  signingServerKinds,
  startOldServer,
  type OldServerKind,
} from '../moving/old-servers.ts';
import { DS_TTL_SECONDS, REGISTRY, startParentZone } from '../moving/parent-zone.ts';
import { startValidatingResolver, type ValidatingResolver } from '../moving/validating-resolver.ts';
import type { Bench, Suite } from '../suite.ts';

/** Longer than all TTLs, with time for a busy machine. */
const PATIENCE_MS = 90_000;

const POLL_MS = 50;

/** Without the old nameserver. */
const ROUNDS_AFTERWARDS = 10;

export const movingSignedSuite: Suite = {
  name: 'moving-signed',
  run: async (runCase, bench) => {
    for (const kind of signingServerKinds) await runCase(kind.name, () => moveSigned(bench, kind));
  },
};

async function moveSigned({ service, folder }: Bench, kind: OldServerKind): Promise<string> {
  const label = kind.name.toLowerCase();
  const zone = `${label}.${REGISTRY}`;
  const home = mkdtempSync(join(folder, 'ds-'));
  const started: { stop(): Promise<void> }[] = [];
  try {
    const text = formatOldZone(`${zone}.`, before);
    const old = await startOldServer({ kind, folder: join(home, 'old'), zone, text, isSigned: true });
    started.push(old);
    const delegation = [`${label} NS ns.${label}`, `ns.${label} A 127.0.0.1`];
    const signedDelegation = [...delegation, ...(await waitForDs(zone, old.port))];
    const parent = await startParentZone(home, signedDelegation);
    started.push(parent);
    const here = `127.0.0.1:${service.dnsPort}`;
    const resolve = async (name: string, childAt: string): Promise<ValidatingResolver> => {
      mkdirSync(join(home, name));
      const zones = { [REGISTRY]: parent.addresses, [zone]: [childAt] };
      const resolver = await startValidatingResolver({
        folder: join(home, name),
        anchorFile: parent.anchorFile,
        zones,
      });
      started.push(resolver);
      return resolver;
    };
    const resolver = await resolve('r', old.address);
    const zonewright = commandLine(home, {
      ZONEWRIGHT_URL: `http://127.0.0.1:${service.httpPort}`,
      ZONEWRIGHT_KEY: service.key,
      ZONEWRIGHT_RESOLVERS: resolver.address,
      ZONEWRIGHT_PRIVATE_PARENTS: parent.addresses.join(),
    });
    const times = new RegExp(`\\(${DS_TTL_SECONDS} s\\).* keys \\(${POLICY_KEY_TTL_SECONDS} s\\)`);
    const verify = ['verify', zone, '--against', old.address, '--server', here, '--axfr'];
    await until('the zone is validated', async () => (await look(resolver, zone)) === 'NOERROR ad');

    const watch = startWatch(resolver, zone);
    started.push(watch);
    const copied = await zonewright(0, 'copy', '--from', `axfr:${old.address}`, '--domains', zone, '--yes');
    expectMatch(
      copied.stderr,
      /is signed there, but not here: the parent zone registry\.example has/,
      'the note',
    );
    expectMatch((await zonewright(10, ...verify)).stderr, times, 'the TTLs');
    // Without the wait, the move would be the outage that the sentence speaks of.
    expectEqual(await look(await resolve('s', here), zone), 'SERVFAIL', 'a move with the DS record in place');

    await parent.publish(delegation, 0);
    expectMatch(
      (await zonewright(10, ...verify)).stderr,
      /1 of the 2 nameservers/,
      'a registry that is not done',
    );
    await parent.publish(delegation);
    await watch.until('verify agrees', async () => (await zonewright(undefined, ...verify)).code === 0);
    await resolver.redirect(zone, here);
    // A name that is new would be hidden for a while by NSEC records in the cache (RFC 8198).
    writeFileSync(join(home, 'more.zone'), 'always 0 A 192.0.2.42\n');
    await zonewright(0, 'zonefile', 'import', zone, join(home, 'more.zone'), '--yes');
    await watch.until(
      'the resolver asks here',
      async () => (await resolver.addressesOf(`always.${zone}`)).length === 2,
    );
    await old.stop();
    const rounds = watch.rounds() + ROUNDS_AFTERWARDS;
    await watch.until('the last answers', () => Promise.resolve(watch.rounds() >= rounds));
    return `${rounds} rounds of questions, never SERVFAIL`;
  } finally {
    for (const one of started.toReversed()) await one.stop();
  }
}

/** The DS record for the keys that a nameserver has, once it has them. */
async function waitForDs(zone: string, port: number): Promise<readonly string[]> {
  let found: readonly string[] = [];
  await until('the zone is signed', async () => {
    found = await findDs(zone, port);
    return found.length > 0;
  });
  return found.map((data) => `${zone}. ${DS_TTL_SECONDS} DS ${data}`);
}

/** Asks for a record of TTL 0, which no cache keeps. */
async function look(resolver: ValidatingResolver, zone: string): Promise<string> {
  return (await resolver.ask([`always.${zone}`, 'A']))[0] ?? 'no answer';
}

interface Watch {
  rounds(): number;
  /** Fails at once if a round failed. */
  until(what: string, isSo: () => Promise<boolean>): Promise<void>;
  stop(): Promise<void>;
}

/** Asks the resolver for several names of the zone, one round after the other; most of them are in no cache. */
function startWatch(resolver: ValidatingResolver, zone: string): Watch {
  const wanted = ['NOERROR', 'NOERROR', 'NOERROR', 'NXDOMAIN'];
  let rounds = 0;
  let failure: string | undefined;
  let isOver = false;
  const loop = async (): Promise<void> => {
    while (!isOver && failure === undefined) {
      const found = await resolver.ask(
        [`always.${zone}`, 'A'],
        [zone, 'MX'],
        [`any-${rounds}.wild.${zone}`, 'A'],
        [`missing-${rounds}.${zone}`, 'A'],
      );
      const isRight =
        found.length === wanted.length && found.every((status, i) => status.startsWith(wanted[i]));
      if (isRight) rounds++;
      else failure = found.join(', ');
    }
  };
  const running = loop();
  return {
    rounds: () => rounds,
    until: (what, isSo) =>
      until(what, async () => {
        if (failure !== undefined)
          throw new Error(`after ${rounds} rounds, the resolver answered ${failure}`);
        return await isSo();
      }),
    async stop() {
      isOver = true;
      await running;
    },
  };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it did not happen: ${what}`);
    await setTimeout(POLL_MS);
  }
}
