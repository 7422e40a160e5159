import { expect } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { seededRandom, type Random } from '../harness/random.ts';
import { checkDomain, checkSet, lookInDns } from './checks-in-dns.ts';
import { compareLists } from './compare-lists.ts';
import { checkSignatures, signDomain } from './signed-domain.ts';
import { pause, type Victim } from './victim.ts';
import { startWriters } from './writers.ts';

/*
 * Sixteen writers against a process that is killed with SIGKILL again and again. Acknowledged writes must exist
 * afterwards, once, and be served; deleted records must not return; serials must never decrease. One of the domains is
 * signed, and its answers must validate.
 */

const DOMAINS = 4;
const SERIAL_INTERVAL_MS = 15;
/** Answers between two kills, however slow the machine: with fewer, the writers would hardly meet the kills. */
const ANSWERS_A_KILL = 12;
const VALIDATED_AFTER_WRITE = 0.3;

/** @param killAll kills and restarts the victim, about `kills` times, each time after `meetWriters` has resolved */
export async function expectNothingLost(
  victim: Victim,
  seed: number,
  kills: number,
  killAll: (random: Random, meetWriters: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const domains: string[] = [];
  for (let i = 0; i < DOMAINS; i++) domains.push(await createDomain(victim.current()));
  const signed = await signDomain(victim, domains[0]);
  let answers = 0;
  const request: Victim['request'] = async (send) => {
    const answered = await victim.request(send);
    answers++;
    return answered;
  };
  const meetWriters = async (): Promise<void> => {
    for (const enough = answers + ANSWERS_A_KILL; answers < enough;) await pause(1);
  };
  const looks = lookInDns(victim, faults);
  const lookAtSet: typeof looks.lookAtSet = async (written, set, random) => {
    await looks.lookAtSet(written, set, random);
    if (random.next() < VALIDATED_AFTER_WRITE)
      await checkSignatures(victim, signed, set, 'after a write', faults);
  };
  const target = { request, ...looks, lookAtSet };
  const writers = startWriters({ target, domains, seed, faults });
  let stopping = false;
  const watchers = domains.map((domain) => watchSerial(victim, domain, faults, () => stopping));

  await killAll(seededRandom(seed), meetWriters);
  await pause(200);
  stopping = true;
  const acknowledged = await writers.stop();
  await Promise.all(watchers);
  await victim.kill();
  await victim.restart();

  const { saved, shared, touched, churned, total } = acknowledged;
  for (const set of touched) {
    await checkSet(victim, saved, set, 'at the end', faults);
    await checkSignatures(victim, signed, set, 'at the end', faults);
  }
  for (const [domain, exists] of churned) await checkDomain(victim, domain, exists, 'at the end', faults);
  faults.push(...(await compareLists(victim.current(), domains, acknowledged)));
  console.log(
    `${total} answered writes, ${saved.size} records and ${shared.size} shared ones left, ${victim.generation()} restarts`,
  );
  expect(faults).toEqual([]);
  expect(victim.generation()).toBeGreaterThanOrEqual(kills);
}

/** Queries the serial all the time; it may stay or rise (RFC 1982) but never fall. */
async function watchSerial(
  victim: Victim,
  domain: string,
  faults: string[],
  stopped: () => boolean,
): Promise<void> {
  let last: number | undefined;
  while (!stopped()) {
    const serial = await victim.ask((dns, options) => dns.serial(domain, options));
    const step = last === undefined ? 0 : (serial - last) | 0;
    if (step < 0) faults.push(`the serial of ${domain} went from ${String(last)} back to ${serial}`);
    last = serial;
    await pause(SERIAL_INTERVAL_MS);
  }
}
