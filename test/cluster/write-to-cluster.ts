import { createDomain } from '../harness/fixtures.ts';
import { seededRandom, type Random } from '../harness/random.ts';
import { checkDomain, checkSet } from '../kill/checks-in-dns.ts';
import { compareLists, isSameRecord } from '../kill/compare-lists.ts';
import type { Target } from '../kill/record-writer.ts';
import { pause } from '../kill/victim.ts';
import { startWriters, WRITERS, type Acknowledged } from '../kill/writers.ts';
import { askNode, readFrom, requestAnyOf, type Cluster, type Node } from './cluster.ts';
import { CONTESTANTS, startContest, type Contest } from './contested-domains.ts';
import { checkObservations, observeVersions, type Observation } from './observe-versions.ts';
import { checkClaims, expectAllCurrent, watchClaims } from './propagation-claims.ts';
import { startVersionedDomain, type VersionedDomain, type VersionedWriter } from './versioned-domain.ts';

/*
 * Sixteen writers on a cluster while its machines are killed. Acknowledged writes must exist exactly once, at every
 * API process and every nameserver; no answer may mix two versions of a zone; no serial may ever decrease.
 */

const DOMAINS = 4;
const VERSIONED_DOMAINS = 2;
const ORDINARY_WRITERS = WRITERS - VERSIONED_DOMAINS - CONTESTANTS;
const READ_AFTER_WRITE = 0.2;

export interface ClusterReport {
  /** Sentences about faults. */
  readonly faults: readonly string[];
  /** Acknowledged writes: of all writers, and by writer for those whose order is known. */
  readonly acknowledged: number;
  readonly versions: readonly number[];
  /** Time from the last answer until all nameservers were current. */
  readonly currentMs: number;
  /** For the test report. */
  readonly figures: string;
}

export async function writeToCluster(
  cluster: Cluster,
  seed: number,
  happen: () => Promise<void>,
): Promise<ClusterReport> {
  const { apis, nameservers } = cluster;
  const setting = await prepare(cluster, seed);
  await expectAllCurrent(apis[0], nameservers, setting.all);
  const stop = startWork(cluster, seed, setting);
  await happen();
  await pause(200);
  const { acknowledged, versions, contested, observed, claims, currentMs } = await stop();

  const faults = [...setting.faults, ...observed.flatMap(checkObserved)];
  const { domains, versioned, all } = setting;
  const versionedNames = versioned.map(({ domain }) => domain.name);
  for (const api of apis) {
    faults.push(...(await compareLists(api.current(), domains, acknowledged, versionedNames)));
    faults.push(...(await checkClaims(api, nameservers, all)));
  }
  for (const nameserver of nameservers) faults.push(...(await checkNameserver(nameserver, acknowledged)));
  faults.push(...(await setting.contest.check()));
  const total = sum([acknowledged.total, contested, ...versions]);
  const figures =
    `${total} acknowledged writes (${versions.join(' and ')} in known order, ${contested} contested), ` +
    `${sum(observed.map(({ observations }) => observations.length))} answers and ${sum(claims)} claims compared meanwhile, ` +
    `all current after ${currentMs} ms`;
  return { faults, acknowledged: total, versions, currentMs, figures };
}

/** The domains of the test, and the writers besides the ordinary ones. */
interface Setting {
  readonly request: Target['request'];
  readonly domains: readonly string[];
  readonly versioned: readonly VersionedWriter[];
  /** Domains of both kinds. */
  readonly all: readonly string[];
  readonly contest: Contest;
  readonly faults: string[];
}

async function prepare({ apis }: Cluster, seed: number): Promise<Setting> {
  const faults: string[] = [];
  const domains: string[] = [];
  for (let i = 0; i < DOMAINS; i++) domains.push(await createDomain(apis[0].current()));
  const request = requestAnyOf(apis, seededRandom(seed + 100));
  const versioned: VersionedWriter[] = [];
  for (let i = 0; i < VERSIONED_DOMAINS; i++) {
    const random = seededRandom(seed + 200 + i);
    versioned.push(await startVersionedDomain(`versions${i}.example`, { request }, random, faults));
  }
  const contest = await startContest(request, seededRandom(seed + 400), faults);
  const all = [...domains, ...versioned.map(({ domain }) => domain.name)];
  return { request, domains, versioned, all, contest, faults };
}

interface Work {
  readonly acknowledged: Acknowledged;
  readonly versions: readonly number[];
  readonly contested: number;
  readonly observed: readonly Observed[];
  /** Number of comparisons by API process. */
  readonly claims: readonly number[];
  /** Time from the last answer until all nameservers were current. */
  readonly currentMs: number;
}

/** Starts all writers and checks. Returns the function that ends them. */
function startWork({ apis, nameservers }: Cluster, seed: number, setting: Setting): () => Promise<Work> {
  const { request, domains, versioned, all, contest, faults } = setting;
  let stopping = false;
  const stopped = (): boolean => stopping;
  const target = { request, ...lookOverHttp(apis, seededRandom(seed + 300), faults) };
  const writers = startWriters({ target, domains, seed, faults, writers: ORDINARY_WRITERS });
  const writing = Promise.all(versioned.map((each) => each.run(stopped)));
  const contesting = contest.run(stopped);
  const observing = observeAll(nameservers, versioned, stopped);
  const claiming = Promise.all(apis.map((api) => watchClaims(api, nameservers, all, faults, stopped)));
  // Failures are reported at the end; before that, a rejection must not end the test run.
  for (const work of [writing, contesting, observing, claiming]) work.catch(() => undefined);
  return async () => {
    stopping = true;
    const acknowledged = await writers.stop();
    const versions = await writing;
    const contested = await contesting;
    const currentMs = await expectAllCurrent(apis[1], nameservers, all);
    return {
      acknowledged,
      versions,
      contested,
      currentMs,
      observed: await observing,
      claims: await claiming,
    };
  };
}

/** The answers of one nameserver about one versioned domain. */
interface Observed {
  readonly nameserver: string;
  readonly domain: VersionedDomain;
  readonly observations: readonly Observation[];
}

function observeAll(
  nameservers: readonly Node[],
  versioned: readonly VersionedWriter[],
  stopped: () => boolean,
): Promise<Observed[]> {
  const pairs = nameservers.flatMap((nameserver) => versioned.map(({ domain }) => ({ nameserver, domain })));
  return Promise.all(
    pairs.map(async ({ nameserver, domain }) => ({
      nameserver: nameserver.name,
      domain,
      observations: await observeVersions(nameserver, domain, stopped),
    })),
  );
}

/** Runs after the writer's last answer, because a nameserver may serve a version before it is acknowledged. */
function checkObserved({ nameserver, domain, observations }: Observed): string[] {
  return checkObservations(domain, observations).map((fault) => `${nameserver}: ${fault}`);
}

/** Reads each acknowledged write immediately at any API process. */
function lookOverHttp(apis: readonly Node[], random: Random, faults: string[]): Omit<Target, 'request'> {
  return {
    lookAtSet: async ({ saved }) => {
      if (saved.size === 0 || random.next() > READ_AFTER_WRITE) return;
      const expected = random.pick([...saved.values()]);
      const { domain, body } = expected;
      const api = random.pick(apis);
      const reply = await readFrom(api, `/v2/domains/${domain}/records/${body.id}`);
      if (reply.json.record === undefined || !isSameRecord(expected, domain, reply.json.record))
        faults.push(`${api.name}: ${JSON.stringify(body)} is read as ${reply.status} ${reply.text}`);
    },
    lookAtDomain: async (domain, exists) => {
      const api = random.pick(apis);
      const { status } = await readFrom(api, `/v2/domains/${domain}`);
      if (status !== (exists ? 200 : 404))
        faults.push(
          `${api.name}: ${domain} is read as ${status}, though it ${exists ? 'is' : 'is not'} there`,
        );
    },
  };
}

async function checkNameserver(
  nameserver: Node,
  { saved, touched, churned }: Acknowledged,
): Promise<string[]> {
  const faults: string[] = [];
  const asked = { ask: <T>(question: Parameters<typeof askNode<T>>[1]) => askNode(nameserver, question) };
  const when = `at the end, ${nameserver.name}`;
  for (const set of touched) await checkSet(asked, saved, set, when, faults);
  for (const [domain, exists] of churned) await checkDomain(asked, domain, exists, when, faults);
  return faults;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
