import { afterAll, expect, test } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { findChild, residentMb } from '../harness/process-family.ts';
import { chooseSeed, seededRandom, type Random } from '../harness/random.ts';
import { startService } from '../harness/service.ts';
import { pause } from './victim.ts';

/*
 * The process that speaks HTTP is killed, stopped, and killed whenever it takes more than 512 MB, while it imports large
 * zones: every DNS query gets the right answer. `SUFFER_SECONDS=60` makes each of the three last longer, with larger zones.
 */

const USUAL_SECONDS = 5;
const SECONDS = Number(process.env['SUFFER_SECONDS'] ?? USUAL_SECONDS);
const MOST_MEMORY_MB = 512;
const MEMORY_INTERVAL_MS = 10;

const DOMAINS = 10;
const QUERY_INTERVAL_MS = 3;
/** One attempt: a query that is lost fails the test. Answers take a millisecond; the rest is for a busy machine. */
const ONE_ATTEMPT = { attempts: 1, timeoutMs: 20_000 };

const IMPORTS_AT_ONCE = 6;
const IMPORTED_RECORDS = SECONDS > USUAL_SECONDS ? 190_000 : 30_000;
/** An import whose process was killed is never answered. */
const IMPORT_TIMEOUT_MS = 1000 * Math.min(SECONDS, 30);

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const random = seededRandom(seed);
const service = await startService();
afterAll(() => service.stop());
const domains: string[] = [];
for (let index = 0; index < DOMAINS; index++)
  domains.push(await createDomain(service, undefined, `192.0.2.${index}`));

test.each([
  ['killed', killAtRandom],
  ['stopped', stopAtRandom],
  [`limited to ${MOST_MEMORY_MB} MB`, limitMemory],
] as const)(
  'every DNS query is answered while the HTTP process is %s under imports',
  async (what, happen) => {
    const end = AbortSignal.timeout(SECONDS * 1000);
    const importing = Array.from({ length: IMPORTS_AT_ONCE }, (_, index) => importAgain(index, end));
    const asking = askAll(end);
    const happened = await happen(random, end);
    const { right, wrong, slowestMs } = await asking;
    await Promise.all(importing);
    console.log(`${what} ${happened} times: ${right} right answers, the slowest after ${slowestMs} ms`);
    expect(wrong).toEqual([]);
    expect(right).toBeGreaterThan(SECONDS);
  },
  SECONDS * 1000 + 240_000,
);

/** Replaces a large zone again and again; requests may fail in any way. */
async function importAgain(index: number, end: AbortSignal): Promise<void> {
  for (let round = 0; !end.aborted; round++) {
    const made = `$GENERATE 1-${IMPORTED_RECORDS + (round % 2)} h$ 60 A 192.0.2.1`;
    const text = `@ 60 A 192.0.2.${index}\n${made}\n`;
    const path = `/v2/domains/${domains[index]}/zonefile`;
    await service.http.put(path, text, { timeoutMs: IMPORT_TIMEOUT_MS }).catch(() => pause(50));
  }
}

async function askAll(end: AbortSignal) {
  const wrong: unknown[] = [];
  let right = 0;
  let slowestMs = 0;
  const ask = async (index: number): Promise<void> => {
    const startMs = performance.now();
    const seen = await service.dns.look(domains[index] ?? '', 'A', ONE_ATTEMPT).catch(String);
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - startMs));
    if (String(seen) === `192.0.2.${index}`) right++;
    else wrong.push(seen);
  };
  const asked: Promise<void>[] = [];
  for (let turn = 0; !end.aborted; turn++) {
    asked.push(ask(turn % DOMAINS));
    await pause(QUERY_INTERVAL_MS);
  }
  await Promise.all(asked);
  return { right, wrong, slowestMs };
}

/** Each of these returns how often it has happened. */
async function killAtRandom(chance: Random, end: AbortSignal): Promise<number> {
  let kills = 0;
  while (!end.aborted) {
    await pause(200 + chance.below(1000));
    kills += signalHttp('SIGKILL');
  }
  return kills;
}

async function stopAtRandom(chance: Random, end: AbortSignal): Promise<number> {
  let stops = 0;
  while (!end.aborted) {
    await pause(100 + chance.below(500));
    stops += signalHttp('SIGSTOP');
    await pause(100 + chance.below(1500));
    signalHttp('SIGCONT');
  }
  return stops;
}

/** Like the limit of a container, which kills the process that exceeds it. */
async function limitMemory(_: Random, end: AbortSignal): Promise<number> {
  let kills = 0;
  while (!end.aborted) {
    const pid = findChild(service.pid, 'http');
    if (pid !== undefined && residentMb(pid) > MOST_MEMORY_MB) kills += signalHttp('SIGKILL');
    await pause(MEMORY_INTERVAL_MS);
  }
  return kills;
}

function signalHttp(name: NodeJS.Signals): number {
  const pid = findChild(service.pid, 'http');
  try {
    if (pid === undefined) return 0;
    process.kill(pid, name);
    return 1;
  } catch {
    // It has just ended.
    return 0;
  }
}
