import { afterAll, expect, test } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { chooseSeed, seededRandom } from '../harness/random.ts';
import { checkDomain, checkSet } from '../kill/checks-in-dns.ts';
import { compareLists, isSameRecord } from '../kill/compare-lists.ts';
import type { Target, Written } from '../kill/record-writer.ts';
import { pause } from '../kill/victim.ts';
import { startWriters, WRITERS, type Acknowledged } from '../kill/writers.ts';
import { askNode, readFrom, requestAnyOf, startCluster, type Node } from './cluster.ts';
import { killAtRandom } from './kill-at-random.ts';
import { checkObservations, observeVersions } from './observe-versions.ts';
import { checkClaims, expectAllCurrent, watchClaims } from './propagation-claims.ts';
import { startVersionedDomain } from './versioned-domain.ts';

/*
 * PostgreSQL, two API processes and two nameserver processes under 16 writers, all of them killed with SIGKILL and
 * started again at random. What was acknowledged must be there exactly once, at every API process and every nameserver;
 * no answer may be of two versions of a zone, and no serial may ever go back.
 */

const SECONDS = Number(process.env['CLUSTER_SECONDS'] ?? 60);
const DOMAINS = 4;
const VERSIONED_DOMAINS = 2;
const READ_AFTER_WRITE = 0.2;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const cluster = await startCluster();
afterAll(() => cluster.end());
const { apis, nameservers } = cluster;
const faults: string[] = [];

test(
  'what a cluster acknowledges is there once and everywhere, whatever is killed',
  async () => {
    const random = seededRandom(seed);
    const domains: string[] = [];
    for (let i = 0; i < DOMAINS; i++) domains.push(await createDomain(apis[0].current()));
    const request = requestAnyOf(apis, seededRandom(seed + 100));
    const versioned = await Promise.all(
      Array.from({ length: VERSIONED_DOMAINS }, (_, i) =>
        startVersionedDomain(`versions${i}.example`, { request }, seededRandom(seed + 200 + i), faults),
      ),
    );
    const all = [...domains, ...versioned.map(({ domain }) => domain.name)];
    await expectAllCurrent(apis[0], nameservers, all);

    let stopping = false;
    const stopped = (): boolean => stopping;
    const target = { request, ...lookOverHttp(seededRandom(seed + 300)) };
    const writers = startWriters({ target, domains, seed, faults, writers: WRITERS - VERSIONED_DOMAINS });
    const versionedRuns = versioned.map((each) => each.run(stopped));
    const observers = nameservers.flatMap((nameserver) =>
      versioned.map(async ({ domain }) => {
        const observations = await observeVersions(nameserver, domain, stopped);
        return () => checkObservations(domain, observations).map((fault) => `${nameserver.name}: ${fault}`);
      }),
    );
    const watchers = apis.map((api) => watchClaims(api, nameservers, all, faults, stopped));

    const kills = await killAtRandom([cluster.database, ...apis, ...nameservers], random, SECONDS);
    await pause(200);
    stopping = true;
    const acknowledged = await writers.stop();
    const versions = await Promise.all(versionedRuns);
    const currentMs = await expectAllCurrent(apis[1], nameservers, all);
    const claims = await Promise.all(watchers);
    for (const check of await Promise.all(observers)) faults.push(...check());

    for (const api of apis) {
      const versionedNames = versioned.map(({ domain }) => domain.name);
      faults.push(...(await compareLists(api.current(), domains, acknowledged, versionedNames)));
      faults.push(...(await checkClaims(api, nameservers, all)));
    }
    for (const nameserver of nameservers) await checkNameserver(nameserver, acknowledged);
    const total = versions.reduce((sum, count) => sum + count, acknowledged.total);
    console.log(
      `${total} acknowledged writes (${versions.join(' and ')} of them in known order), ` +
        `kills: ${[...kills].map(([name, count]) => `${name} ${count}`).join(', ')}; ` +
        `${claims.reduce((sum, count) => sum + count, 0)} claims compared; all current after ${currentMs} ms`,
    );
    expect(faults).toEqual([]);
    expect(Math.min(...versions)).toBeGreaterThan(SECONDS);
  },
  SECONDS * 1_000 + 120_000,
);

/** What was acknowledged by one API process is read at once at any. */
function lookOverHttp(random: ReturnType<typeof seededRandom>): Omit<Target, 'request'> {
  return {
    lookAtSet: async ({ saved }: Written) => {
      if (saved.size === 0 || random.next() > READ_AFTER_WRITE) return;
      const { domain, body } = random.pick([...saved.values()]);
      const expected = { domain, body, served: '' };
      const api = random.pick(apis);
      const reply = await readFrom(api, `/v2/domains/${domain}/records/${body.id}`);
      if (reply.json.record === undefined || !isSameRecord(expected, domain, reply.json.record))
        faults.push(`${api.name}: ${JSON.stringify(body)} is read as ${reply.status} ${reply.text}`);
    },
    lookAtDomain: async (domain, exists) => {
      const api = random.pick(apis);
      const { status } = await readFrom(api, `/v2/domains/${domain}`);
      if (status !== (exists ? 200 : 404))
        faults.push(`${api.name}: ${domain}, ${exists}, is read as ${status}`);
    },
  };
}

async function checkNameserver(nameserver: Node, { saved, touched, churned }: Acknowledged): Promise<void> {
  const asked = { ask: <T>(question: Parameters<typeof askNode<T>>[1]) => askNode(nameserver, question) };
  const when = `at the end, ${nameserver.name}`;
  for (const set of touched) await checkSet(asked, saved, set, when, faults);
  for (const [domain, exists] of churned) await checkDomain(asked, domain, exists, when, faults);
}
