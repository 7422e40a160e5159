import { afterAll, expect, test } from 'vitest';
import { createDomain } from '../harness/fixtures.ts';
import { chooseSeed, seededRandom } from '../harness/random.ts';
import { readSignedState } from './signed-state.ts';
import { runSigningWriter } from './signing-writer.ts';
import { pause, startVictim } from './victim.ts';

/*
 * The service is killed while domains are signed, their keys exchanged, and signing is switched off and on: keys, rollovers
 * and wishes that were acknowledged stay, and each zone is signed completely at every moment.
 */

const KILLS = 10;
const WRITERS = 6;
/** Changes between two kills: with fewer, the kills would hardly meet any. */
const CHANGES_A_KILL = 10;

const seed = chooseSeed();
console.log(`TEST_SEED=${seed}`);
const victim = await startVictim();
afterAll(() => victim.end());

test('rules 62 to 66: SIGKILLs while keys are exchanged lose no key, no rollover and no signature', async () => {
  const random = seededRandom(seed);
  const faults: string[] = [];
  let changes = 0;
  let stopping = false;
  const domains: string[] = [];
  for (let i = 0; i < WRITERS; i++) domains.push(await createDomain(victim.current()));
  const writers = domains.map((domain, i) => {
    const context = { victim, domain, random: seededRandom(seed + i + 1), faults };
    return runSigningWriter({ ...context, stopped: () => stopping, onChange: () => changes++ });
  });
  for (let kill = 0; kill < KILLS; kill++) {
    for (const enough = changes + CHANGES_A_KILL; changes < enough;) await pause(1);
    await pause(random.below(400));
    await victim.kill();
    await victim.restart();
  }
  stopping = true;
  const results = await Promise.all(writers);
  await victim.kill();
  await victim.restart();
  for (const [i, { state }] of results.entries())
    expect(await readSignedState(victim, domains[i], faults)).toEqual(state);
  const counts = new Map<string, number>();
  for (const { counts: own } of results)
    for (const [words, count] of own) counts.set(words, (counts.get(words) ?? 0) + count);
  console.log([...counts].map(([words, count]) => `${words}: ${count}`).join(', '));
  expect(faults).toEqual([]);
}, 300_000);
