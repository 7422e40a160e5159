// A registry that supports RFC 9615, and an operator who vouches for the domains on its nameservers. The parent zone is on BIND
// and Knot; the signalling domains are delegated from it, with DS records. The work of the registry is done here, with Unbound
// as its validating resolver: the CDS and CDNSKEY records of the domain, asked at its nameserver, and those below each signalling
// domain, which have to validate, must be the same; then the DS record is made of them. Afterwards, the copies disappear.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rrType } from '../../../src/dns/codes.ts';
import { readMessage } from '../../../src/dns/message/read-message.ts';
import { formatDomainName } from '../../../src/dns/name.ts';
import { freePort } from '../../harness/free-port.ts';
import { commandLine, type CommandLine } from '../command-line.ts';
import { rdataOf, readDigOutput } from '../dig.ts';
import { expectEqual, expectMatch } from '../expect.ts';
import { REGISTRY, startParentZone, type ParentZone } from '../moving/parent-zone.ts';
import { startValidatingResolver, type ValidatingResolver } from '../moving/validating-resolver.ts';
import { runProgram } from '../run-program.ts';
import { startService } from '../service.ts';
import { createMovingClock, type MovingClock } from '../signed/moving-clock.ts';
import type { Suite } from '../suite.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** Other than those of the nameservers of the parent zone, because a delegation names no ports. */
const OWN_HOST = '127.0.0.3';
const hosts = ['dns1', 'dns2'];
const nameservers = hosts.map((host) => `${host}.${REGISTRY}`);
const signalling = nameservers.map((name) => `_signal.${name}`);

/** A pass of the service begins twice a minute; each round here moves its clock on by so much. */
const ROUND_SECONDS = 50;

/** Looks at a parent zone are at most six hours apart. */
const MAX_ROUNDS = 500;

/** A pass of the service begins twice a minute. */
const MAX_REAL_SECONDS = 120;

const DSYNC_ZONE = `_dsync.${REGISTRY}`;
const SCANNER_HOST = '127.0.0.4';
const SCANNER_PORT = await freePort();

/** The bit of answers in the third octet of a message. */
const RESPONSE = 0x80;

const signalTypes = ['CDS', 'CDNSKEY'] as const;

export const signallingSuite: Suite = {
  name: 'signalling',
  run: async (runCase, { folder }) => {
    await runCase('a registry takes the first DS record of a domain by itself', () =>
      vouch(mkdtempSync(join(folder, 'signalling-'))),
    );
  },
};

interface Place {
  readonly zonewright: CommandLine;
  readonly parent: ParentZone;
  readonly resolver: ValidatingResolver;
  readonly clock: MovingClock;
  /** The domains that the registry was told of. */
  readonly notified: readonly string[];
  /** The port of the service's nameserver. */
  readonly dnsPort: string;
}

async function vouch(home: string): Promise<string> {
  const started: { stop(): Promise<unknown> }[] = [];
  try {
    const place = await setUp(home, started);
    const delegations = await delegateSignalling(place);
    // The nameservers of the parent zone do not all know the type, so that a part of it is here.
    await place.zonewright(0, 'domain', 'create', DSYNC_ZONE);
    const target = `CDS NOTIFY ${SCANNER_PORT} scanner.${REGISTRY}.`;
    await place.zonewright(0, 'record', 'create', DSYNC_ZONE, '*', 'DSYNC', target);
    const [kept, deleted] = ['shop', 'tools'].map((label) => `${label}.${REGISTRY}`);
    for (const domain of [kept, deleted]) {
      await place.zonewright(0, 'domain', 'create', domain, '--dnssec');
      if (domain === kept) await isTold(place, domain);
      await until(place, () => isSignalled(place, domain));
    }
    const ds = await bootstrap(place, kept);
    await place.parent.publish([...delegations, `shop DS ${ds}`]);
    await until(place, async () => !(await isSignalled(place, kept)));
    expectEqual(await isSignalled(place, deleted), true, 'the other domain is still signalled');
    expectEqual(await place.resolver.ask([kept, 'SOA']), ['NOERROR ad'], 'the domain is secure');
    await place.zonewright(0, 'domain', 'delete', deleted, '--yes');
    await until(place, async () => !(await isSignalled(place, deleted)));
    return `DS ${ds.slice(0, 24)}… was taken, and the copies went`;
  } finally {
    for (const one of started.toReversed()) await one.stop();
  }
}

async function setUp(home: string, started: { stop(): Promise<unknown> }[]): Promise<Place> {
  const clock = createMovingClock(home);
  const { env } = clock;
  const scanner = await startScanner();
  started.push(scanner);
  const parent = await startParentZone(home, delegation([]));
  started.push(parent);
  const dnsPort = String(await freePort());
  const own = `${OWN_HOST}:${dnsPort}`;
  const folder = join(home, 'resolver');
  mkdirSync(folder);
  const ours = [...signalling, DSYNC_ZONE, `shop.${REGISTRY}`, `tools.${REGISTRY}`];
  const resolver = await startValidatingResolver({
    folder,
    anchorFile: parent.anchorFile,
    zones: { [REGISTRY]: parent.addresses, ...Object.fromEntries(ours.map((zone) => [zone, [own]])) },
    settings: ['cache-max-ttl: 1', 'cache-max-negative-ttl: 1'],
    env,
  });
  started.push(resolver);
  const service = await startService(checkout, home, {
    ...env,
    ZONEWRIGHT_DNS: own,
    ZONEWRIGHT_NAMESERVERS: nameservers.join(),
    ZONEWRIGHT_RESOLVERS: resolver.address,
    ZONEWRIGHT_PRIVATE_PARENTS: [...parent.addresses, own, `${SCANNER_HOST}:${SCANNER_PORT}`].join(),
  });
  started.push(service);
  const url = `http://127.0.0.1:${service.httpPort}`;
  const zonewright = commandLine(home, { ...env, ZONEWRIGHT_URL: url, ZONEWRIGHT_KEY: service.key });
  const { notified } = scanner;
  return { zonewright, parent, resolver, clock, dnsPort, notified };
}

/** The program of the registry that is told of new CDS records (RFC 9859). */
async function startScanner(): Promise<{ readonly notified: readonly string[]; stop(): Promise<void> }> {
  const notified: string[] = [];
  const socket = createSocket('udp4', (bytes, { port, address }) => {
    const message = readMessage(bytes);
    if (message.ok && message.value.question?.type === rrType.CDS)
      notified.push(formatDomainName(message.value.question.name).slice(0, -1));
    bytes[2] |= RESPONSE;
    socket.send(bytes, port, address);
  });
  socket.bind(SCANNER_PORT, SCANNER_HOST);
  await once(socket, 'listening');
  return { notified, stop: () => Promise.resolve(void socket.close()) };
}

/** @param more records of the parent zone, relative to it */
function delegation(more: readonly string[]): string[] {
  const delegated = [...hosts.map((host) => `_signal.${host}`), '_dsync', 'shop', 'tools'];
  return [
    ...nameservers.map((name) => `${name}. A ${OWN_HOST}`),
    `scanner A ${SCANNER_HOST}`,
    ...delegated.flatMap((zone) => nameservers.map((name) => `${zone} NS ${name}.`)),
    ...more,
  ];
}

/** Creates and signs the signalling domains, and makes them secure. Returns the records of the parent zone. */
async function delegateSignalling({ zonewright, parent, resolver }: Place): Promise<readonly string[]> {
  const ds: string[] = [];
  for (const [i, domain] of signalling.entries()) {
    await zonewright(0, 'domain', 'create', domain, '--dnssec');
    const { stdout } = await zonewright(0, 'domain', 'dnssec', 'show', domain);
    ds.push(`_signal.${hosts[i]} DS ${/ IN DS (.*)/.exec(stdout)?.[1] ?? ''}`);
  }
  const lines = delegation(ds);
  await parent.publish(lines);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  for (const domain of signalling) {
    expectEqual(await resolver.ask([domain, 'SOA']), ['NOERROR ad'], `${domain} is secure`);
  }
  return lines;
}

/** Does the work of a registry (RFC 9615 section 4.2). Returns the data of the DS record. */
async function bootstrap({ resolver, dnsPort }: Place, domain: string): Promise<string> {
  let ds = '';
  for (const type of signalTypes) {
    const asked = ['-r', `@${OWN_HOST}`, '-p', dnsPort, '+norecurse', '+nosplit', domain, type];
    const { stdout } = await runProgram('dig', asked);
    const own = rdataOf(readDigOutput(stdout).answer, type);
    expectEqual(own.length, 1, `the ${type} records of ${domain}`);
    for (const zone of signalling) {
      const name = `_dsboot.${domain}.${zone}`;
      const [answer] = await resolver.lookUp([[name, type]]);
      expectEqual(rdataOf(answer.answer, type), own, `${name} ${type}`);
      expectEqual(answer.flags.includes('ad'), true, `${name} ${type} is validated`);
    }
    if (type === 'CDS') ds = own[0];
  }
  expectMatch(ds, /^\d+ 13 2 [0-9A-F ]+$/, 'the CDS record');
  return ds;
}

/** Whether all copies stand. Fails if only some do, or if one does not validate. */
async function isSignalled({ resolver }: Place, domain: string): Promise<boolean> {
  const names = signalling.flatMap((zone) =>
    signalTypes.map((type) => [`_dsboot.${domain}.${zone}`, type] as const),
  );
  const answers = await resolver.ask(...names);
  const standing = answers.filter((answer) => answer === 'NOERROR ad').length;
  expectEqual(
    answers.filter((answer) => answer !== 'NOERROR ad' && answer !== 'NXDOMAIN ad'),
    [],
    'answers that are neither the records nor the proof that there are none',
  );
  return standing === names.length;
}

/** In real time, because a notification would time out when the clock moves on. */
async function isTold({ notified }: Place, domain: string): Promise<void> {
  for (let second = 0; second < MAX_REAL_SECONDS; second++) {
    if (notified.includes(domain)) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error('the registry was not told of the new domain');
}

async function until({ clock }: Place, hasHappened: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (await hasHappened()) return;
    clock.advance(ROUND_SECONDS);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('it did not happen in hours');
}
