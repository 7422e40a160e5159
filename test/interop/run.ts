// `npm run test:clients [-- suite …]`, a part of `npm run test:interop`, runs real, unmodified clients against the built service.
//
//   requirements ─▶ service on random ports ─▶ fixtures ─▶ one suite after the other ─▶ SIGTERM ─▶ dig again after a restart ─▶ tally
//
// Everything runs on loopback in a temporary folder without special rights, and is ended by pid. Exits with 1 if anything failed or is missing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApi } from './api.ts';
import { ansibleSuite } from './clients/ansible.ts';
import { answersSuite } from './clients/answers.ts';
import { browserSuite } from './clients/browser.ts';
import { govultrSuite } from './clients/govultr.ts';
import { haproxySuite } from './clients/haproxy.ts';
import { kdigSuite } from './clients/kdig.ts';
import { legoSuite } from './clients/lego.ts';
import { lexiconSuite } from './clients/lexicon.ts';
import { libcloudSuite } from './clients/libcloud.ts';
import { movingSignedSuite } from './clients/moving-signed.ts';
import { movingSuite } from './clients/moving.ts';
import { packetsSuite } from './clients/packets.ts';
import { recordTypesSuite } from './clients/record-types.ts';
import { replaySuite } from './clients/replay.ts';
import { shellsSuite } from './clients/shells.ts';
import { signedZoneSuite } from './clients/signed-zone.ts';
import { signallingSuite } from './clients/signalling.ts';
import { signingJourneySuite } from './clients/signing-journey.ts';
import { unboundSuite } from './clients/unbound.ts';
import { vultrNodeSuite } from './clients/vultr-node.ts';
import { createDig } from './dig.ts';
import { expectEqual } from './expect.ts';
import { createFixtures } from './fixtures.ts';
import { formatMissing, missingRequirements } from './requirements.ts';
import { killEverythingStarted } from './run-program.ts';
import { startService } from './service.ts';
import { print, runSuite, type Bench, type Suite, type Tally } from './suite.ts';
import { createTestAuthority } from './test-certificates.ts';
import { openVultrGateway } from './vultr-gateway.ts';
import { openWireTap } from './wire-tap.ts';
import { zoneFilesSuite } from './zone-files/zone-files.ts';

const suites: readonly Suite[] = [
  answersSuite,
  kdigSuite,
  unboundSuite,
  packetsSuite,
  recordTypesSuite,
  vultrNodeSuite,
  govultrSuite,
  libcloudSuite,
  lexiconSuite,
  ansibleSuite,
  legoSuite,
  replaySuite,
  shellsSuite,
  browserSuite,
  haproxySuite,
  zoneFilesSuite,
  movingSuite,
  movingSignedSuite,
  signedZoneSuite,
  signingJourneySuite,
  signallingSuite,
];

const checkout = fileURLToPath(new URL('../..', import.meta.url));

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    print(`There is no suite ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}`);
    return 1;
  }
  const missing = missingRequirements();
  if (missing.length > 0) {
    print(formatMissing(missing));
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-interop-'));
  const cleanUp = (): void => {
    killEverythingStarted();
    // A process that was just killed may still have open files.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      cleanUp();
      process.exit(1);
    });
  try {
    return await runAll(
      names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name)),
      folder,
    );
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    cleanUp();
  }
}

async function runAll(chosen: readonly Suite[], folder: string): Promise<number> {
  const tally: Tally = { passed: 0, failed: [] };
  const startedMs = performance.now();
  const authority = await createTestAuthority(folder);
  const service = await startService(checkout, folder);
  const tap = await openWireTap(service.httpPort);
  const gateway = await openVultrGateway(authority, tap);
  const api = createApi(`http://127.0.0.1:${service.httpPort}`, service.key);
  const bench: Bench = { service, api, dig: createDig(service.dnsPort), tap, gateway, authority, folder };
  await createFixtures(api);
  for (const suite of chosen) await runSuite(suite, bench, tally);
  await runSuite(stopSuite, bench, tally);
  let log = service.log();
  if (chosen.includes(answersSuite)) log += await runAfterRestart(bench, tally);
  print(`\n${tally.passed} ok, ${tally.failed.length} failed in ${secondsSince(startedMs)} s`);
  for (const name of tally.failed) print(`  FAILED  ${name}`);
  if (tally.failed.length > 0)
    print(`What the service logged last:\n${log.split('\n').slice(-20).join('\n')}`);
  return tally.failed.length === 0 ? 0 : 1;
}

/** Checks that all data is served from the store after a restart. Returns the log. */
async function runAfterRestart(bench: Bench, tally: Tally): Promise<string> {
  const service = await startService(checkout, bench.folder);
  const restarted = { ...bench, service, dig: createDig(service.dnsPort) };
  await runSuite({ ...answersSuite, name: 'dig after a restart' }, restarted, tally);
  await runSuite(stopSuite, restarted, tally);
  return service.log();
}

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1000).toFixed(0);
}

const stopSuite: Suite = {
  name: 'service',
  run: (runCase, { service }) =>
    runCase('SIGTERM ends it with status 0', async () => {
      expectEqual(await service.stop(), 0, 'exit code');
      return 'exit 0';
    }),
};

// Ends explicitly, because sockets can still be open after a failure.
process.exit(await main(process.argv.slice(2)));
