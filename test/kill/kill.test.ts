import { afterAll, expect, test } from 'vitest';
import { createDomain, listDomains, listRecords } from '../harness/fixtures.ts';
import type { Service } from '../harness/service.ts';
import { chooseSeed, seededRandom } from '../harness/random.ts';
import { checkDomain, runDomainWriter, runSharedWriter, type SharedRecords } from './domain-writer.ts';
import { checkSet, runRecordWriter, type SavedRecord, type WriterContext } from './record-writer.ts';
import { pause, startVictim } from './victim.ts';

/*
 * Sixteen writers against a process that is killed with SIGKILL again and again. Whatever was answered must be there
 * afterwards, once, and served; whatever was deleted must not come back; serials must never go back.
 */

const KILLS = 20;
const KILLS_WHILE_STARTING = 4;
const RECORD_WRITERS = 12;
const SHARED_WRITERS = 3;
const DOMAINS = 4;
const SERIAL_INTERVAL_MS = 15;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const victim = await startVictim();
afterAll(() => victim.end());

test('rules 9 and 35: after 24 times SIGKILL under 16 writers nothing answered is missing, doubled, back or unserved', async () => {
  const random = seededRandom(seed);
  const faults: string[] = [];
  let stopping = false;
  const domains: string[] = [];
  for (let i = 0; i < DOMAINS; i++) domains.push(await createDomain(victim.current()));
  const context = (writer: number): WriterContext => ({
    victim,
    domains,
    random: seededRandom(seed + writer + 1),
    writer,
    faults,
    stopped: () => stopping,
  });
  const shared: SharedRecords = new Map();
  const recordWriters = Array.from({ length: RECORD_WRITERS }, (_, i) => runRecordWriter(context(i)));
  const sharedWriters = Array.from({ length: SHARED_WRITERS }, (_, i) =>
    runSharedWriter(context(20 + i), shared),
  );
  const domainWriter = runDomainWriter(context(30));
  const watchers = domains.map((domain) => watchSerial(domain, faults, () => stopping));

  for (let kill = 0; kill < KILLS; kill++) {
    await pause(80 + random.below(700));
    await victim.kill();
    if (kill % (KILLS / KILLS_WHILE_STARTING) === 2) await victim.killWhileStarting(30 + random.below(400));
    await victim.restart();
  }
  await pause(200);
  stopping = true;
  const results = await Promise.all(recordWriters);
  const sharedAnswers = await Promise.all(sharedWriters);
  const { domains: churned, acknowledged } = await domainWriter;
  await Promise.all(watchers);
  await victim.kill();
  await victim.restart();

  const saved = new Map(results.flatMap((result) => [...result.saved]));
  for (const result of results) {
    for (const set of result.touched) await checkSet({ victim, faults }, saved, set, 'at the end');
  }
  for (const [domain, exists] of churned) await checkDomain({ victim, faults }, domain, exists, 'at the end');
  faults.push(...(await compareLists(victim.current(), domains, saved, shared)));
  const listed = (await listDomains(victim.current())).map(({ domain }) => domain).sort();
  const expected = [
    ...domains,
    ...[...churned].filter(([, exists]) => exists).map(([domain]) => domain),
  ].sort();
  const answers = [...results.map((result) => result.acknowledged), ...sharedAnswers, acknowledged];
  const total = answers.reduce((sum, count) => sum + count, 0);
  console.log(
    `${total} answered writes, ${saved.size} records and ${shared.size} shared ones left, ${victim.generation()} restarts`,
  );
  expect(faults).toEqual([]);
  expect(listed).toEqual(expected);
  expect(victim.generation()).toBeGreaterThanOrEqual(KILLS);
  expect(total).toBeGreaterThan(1_000);
}, 120_000);

/** Every record once, as it was last acknowledged; nothing else. */
async function compareLists(
  service: Service,
  domains: readonly string[],
  saved: ReadonlyMap<string, SavedRecord>,
  shared: SharedRecords,
): Promise<string[]> {
  const faults: string[] = [];
  for (const domain of domains) {
    const listed = (await listRecords(service, domain)).filter(({ type }) => type !== 'NS');
    const ids = new Set(listed.map(({ id }) => id));
    if (ids.size !== listed.length) faults.push(`${domain}: an id is listed twice`);
    const contents = listed.map(({ name, type, data, priority }) => `${name} ${type} ${priority} ${data}`);
    if (new Set(contents).size !== contents.length) faults.push(`${domain}: a record is there twice`);
    for (const record of listed) {
      const isShared = shared.get(`${domain}|${record.name}`) === record.id;
      const expected = saved.get(record.id);
      if (isShared) continue;
      if (expected === undefined)
        faults.push(`${domain}: ${JSON.stringify(record)} is back or was never acknowledged`);
      else if (!sameRecord(expected, domain, record)) {
        faults.push(`${domain}: ${JSON.stringify(record)} was saved as ${JSON.stringify(expected.body)}`);
      }
    }
    const missing = [...saved.values()].filter(
      (record) => record.domain === domain && !ids.has(record.body.id),
    );
    for (const { body } of missing) faults.push(`${domain}: ${JSON.stringify(body)} is missing`);
    for (const [key, id] of shared) {
      if (key.startsWith(`${domain}|`) && !ids.has(id)) faults.push(`${key} is missing`);
    }
  }
  return faults;
}

function sameRecord(expected: SavedRecord, domain: string, record: SavedRecord['body']): boolean {
  const members = ['id', 'type', 'name', 'data', 'priority', 'ttl'] as const;
  return expected.domain === domain && members.every((member) => expected.body[member] === record[member]);
}

/** Asks for the serial all the time; it may stand or rise (RFC 1982), never fall. */
async function watchSerial(domain: string, faults: string[], stopped: () => boolean): Promise<void> {
  let last: number | undefined;
  while (!stopped()) {
    const serial = await victim.ask((dns, options) => dns.serial(domain, options));
    const step = last === undefined ? 0 : (serial - last) | 0;
    if (step < 0) faults.push(`the serial of ${domain} went from ${String(last)} back to ${serial}`);
    last = serial;
    await pause(SERIAL_INTERVAL_MS);
  }
}
