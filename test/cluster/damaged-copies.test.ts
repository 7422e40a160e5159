import { afterAll, expect, test } from 'vitest';
import { DnsUnanswered, type Seen } from '../harness/dns-client.ts';
import { startPostgresServer } from '../harness/postgres-server.ts';
import { chooseSeed, seededRandom } from '../harness/random.ts';
import { pause } from '../kill/victim.ts';
import { askNode, readFrom, requestAnyOf, startCluster, type Node } from './cluster.ts';
import { checkHealing } from './healing.ts';
import { damageCopy, damages, keepCopy, type Damage } from './damage-copy.ts';

/*
 * The copies of nameservers are damaged while the cluster writes: no answer that the store never held, no `current` that
 * is not, and all equal in the end.
 */

const DOMAINS = 30;

/** Records of each domain that never change. */
const FIXED_RECORDS = 5;

/** All are equal within five seconds; the rest is for a loaded machine. */
const EQUAL_WITHIN_MS = 60_000;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const random = seededRandom(seed);
const server = await startPostgresServer();
afterAll(() => server.remove());
const cluster = await startCluster(await server.newDatabase());
afterAll(() => cluster.end());
const { apis, nameservers } = cluster;
const request = requestAnyOf(apis, random);
const names = Array.from({ length: DOMAINS }, (_, index) => `copy${index}.example`);

interface Written {
  readonly id: string;
  /** Every text that was ever sent. */
  readonly texts: Set<string>;
}

test('damaged, restored, mixed and deleted copies give no wrong answer and no wrong claim, and heal', async () => {
  const written = new Map<string, Written>();
  for (const name of names) written.set(name, await createWritten(name));
  await untilEqual();
  for (const node of nameservers) {
    await node.stop();
    keepCopy(node.data);
    await node.start();
  }
  const faults: string[] = [];
  let isStopped = false;
  const stopped = (): boolean => isStopped;
  const work = [write(written, stopped), ...nameservers.map((node) => watch(node, written, faults, stopped))];
  const rounds = nameservers.flatMap((node) => damages.map((damage) => ({ node, damage })));
  for (const { node, damage } of rounds) await spoil(node, damage, faults);
  isStopped = true;
  await Promise.all(work);
  await untilEqual();
  for (const node of nameservers) faults.push(...(await findUnserved(node)));
  expect(faults).toEqual([]);
}, 600_000);

/** Ends a nameserver, damages its copy, starts it, and compares what is claimed of it until it is current for all. */
async function spoil(node: Node, damage: Damage, faults: string[]): Promise<void> {
  await pause(500);
  // A process that ends in order leaves everything in the file; for a mixed copy the log is needed.
  await (damage === 'mixed' ? node.kill() : node.stop());
  damageCopy(node.data, damage, random);
  await node.start();
  const startMs = performance.now();
  for (let waiting = names; waiting.length > 0;) {
    if (performance.now() - startMs > EQUAL_WITHIN_MS)
      throw new Error(`${node.name} did not heal after ${damage}:\n${node.current().output()}`);
    const left: string[] = [];
    for (const name of waiting) {
      const claims = await readClaims(node, name);
      if (claims.length === 0 || claims.some(({ current }) => !current)) left.push(name);
      const served = await ask(node, name, 'SOA');
      const soa = served.packet.answers[0]?.data as { serial: number } | undefined;
      for (const { current, serial } of claims) {
        if (current && (soa === undefined || ((soa.serial - (serial ?? 0)) | 0) < 0))
          faults.push(`${node.name} serves ${name} with ${soa?.serial}, not ${serial}, after ${damage}`);
      }
    }
    waiting = left;
  }
  const what = `${node.name}, ${damage}`;
  const tookMs = performance.now() - startMs;
  console.log(`${what}: equal after ${Math.round(tookMs)} ms`);
  faults.push(...checkHealing(what, tookMs));
}

interface Claim {
  readonly name: string;
  readonly serial: number | null;
  readonly live: boolean;
  readonly current: boolean;
}

/** Reads the claims about live processes with the name of this one; a former id of it would be one of them. */
async function readClaims(node: Node, name: string): Promise<Claim[]> {
  const { text } = await readFrom(apis[0], `/v2/domains/${name}/propagation`);
  const { propagation } = JSON.parse(text) as { propagation: { nameservers: readonly Claim[] } };
  return propagation.nameservers.filter((claim) => claim.name === node.name && claim.live);
}

async function createWritten(name: string): Promise<Written> {
  await request((http) => http.post('/v2/domains', { domain: name }));
  const record = { name: 'state', type: 'TXT', data: '"0"', ttl: 60 };
  const { reply } = await request((http) => http.post(`/v2/domains/${name}/records`, record));
  for (let index = 0; index < FIXED_RECORDS; index++) {
    const more = { name: `r${index}`, type: 'A', data: `192.0.2.${index}`, ttl: 60 };
    await request((http) => http.post(`/v2/domains/${name}/records`, more));
  }
  return { id: reply.json.record?.id ?? '', texts: new Set(['0']) };
}

async function write(written: ReadonlyMap<string, Written>, stopped: () => boolean): Promise<void> {
  for (let count = 1; !stopped(); count++) {
    const name = random.pick(names);
    const { id, texts } = written.get(name) ?? { id: '', texts: new Set() };
    texts.add(String(count));
    await request((http) => http.patch(`/v2/domains/${name}/records/${id}`, { data: `"${count}"` }));
    await pause(20);
  }
}

/** Asks all the time; SERVFAIL and REFUSED are no answers. */
async function watch(
  node: Node,
  written: ReadonlyMap<string, Written>,
  faults: string[],
  stopped: () => boolean,
): Promise<void> {
  for (let turn = 0; !stopped(); turn++) {
    const name = names[turn % names.length] ?? '';
    await pause(5);
    if (!node.isUp()) continue;
    try {
      const options = { attempts: 1, timeoutMs: 500 };
      const fixed = random.below(2 * FIXED_RECORDS);
      if (fixed < FIXED_RECORDS) {
        const seen = await node.current().dns.look(`r${fixed}.${name}`, 'A', options);
        if (!isRight(seen, fixed) && seen !== 'SERVFAIL' && seen !== 'REFUSED')
          faults.push(`${node.name} answered r${fixed}.${name} with ${JSON.stringify(seen)}`);
        continue;
      }
      const { packet } = await node.current().dns.ask(`state.${name}`, 'TXT', options);
      const { rcode } = packet as { rcode?: string };
      if (rcode === 'SERVFAIL' || rcode === 'REFUSED') continue;
      const texts = packet.answers.map((answer) => String((answer as { data: unknown }).data));
      const isHeld = texts.length === 1 && written.get(name)?.texts.has(texts[0] ?? '') === true;
      if (!isHeld) faults.push(`${node.name} answered ${name} with ${rcode} ${texts.join()}`);
    } catch (error) {
      if (!(error instanceof DnsUnanswered)) throw error;
    }
  }
}

/** Whether the answer is the address of a record that never changes. */
function isRight(seen: Seen, fixed: number): boolean {
  return JSON.stringify(seen).includes(`192.0.2.${fixed}`);
}

/** Records that never change and are not answered in the end. */
async function findUnserved(node: Node): Promise<string[]> {
  const unserved: string[] = [];
  for (const name of names) {
    for (let fixed = 0; fixed < FIXED_RECORDS; fixed++) {
      const seen = await askNode(node, (dns, options) => dns.look(`r${fixed}.${name}`, 'A', options));
      if (!isRight(seen, fixed))
        unserved.push(`${node.name} ends with ${JSON.stringify(seen)} for r${fixed}.${name}`);
    }
  }
  return unserved;
}

function ask(node: Node, name: string, type: 'SOA' | 'TXT') {
  return askNode(node, (dns, options) => dns.ask(name, type, options));
}

/** Waits until both nameservers answer with the same serial as the interface, for all domains. */
async function untilEqual(): Promise<void> {
  const startMs = performance.now();
  for (const name of names) {
    for (const node of nameservers) {
      for (;;) {
        const { text } = await readFrom(apis[0], `/v2/domains/${name}/propagation`);
        const { serial } = (JSON.parse(text) as { propagation: { serial: number } }).propagation;
        const soa = (await ask(node, name, 'SOA')).packet.answers[0]?.data as { serial: number } | undefined;
        if (soa?.serial === serial) break;
        if (performance.now() - startMs > EQUAL_WITHIN_MS)
          throw new Error(`${node.name} is not equal in ${name}`);
        await pause(20);
      }
    }
  }
}
