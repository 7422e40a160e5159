import type { Random } from '../harness/random.ts';
import { pause } from '../kill/victim.ts';
import type { Machine } from './cluster.ts';

/*
 * Kills running machines at random, each at least once, and restarts them some time later while others are killed. Damages
 * the zone copies of some of them meanwhile.
 */

/** With two of five machines down, most combinations occur. */
const MOST_DOWN = 2;
const KILLED_WHILE_STARTING = 0.15;
const SPOILED = 0.6;

/** Resolves when the time is over and all machines are up again. Returns the kills by machine. */
export async function killAtRandom(
  machines: readonly Machine[],
  random: Random,
  seconds: number,
): Promise<ReadonlyMap<string, number>> {
  const kills = new Map<string, number>();
  const endMs = Date.now() + seconds * 1_000;
  const count = ({ name }: Machine): Map<string, number> => kills.set(name, (kills.get(name) ?? 0) + 1);
  const bringBack = async (machine: Machine): Promise<void> => {
    await pause(random.below(1_200));
    if (random.next() < SPOILED) machine.spoil?.(random);
    if (random.next() < KILLED_WHILE_STARTING) {
      await machine.killWhileStarting(50 + random.below(600));
      count(machine);
    }
    await machine.start();
  };
  const restarts = new Set<Promise<void>>();
  while (Date.now() < endMs) {
    await pause(50 + random.below(800));
    while (restarts.size >= MOST_DOWN) await Promise.race(restarts);
    const up = machines.filter((each) => each.isUp());
    const unmet = up.filter(({ name }) => !kills.has(name));
    const machine = random.pick(unmet.length > 0 ? unmet : up);
    await machine.kill();
    count(machine);
    const restart = bringBack(machine).finally(() => restarts.delete(restart));
    restarts.add(restart);
  }
  await Promise.all(restarts);
  return kills;
}
