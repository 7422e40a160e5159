// Asks validating resolvers about one zone, round after round, while the clock moves between the rounds: whatever happens to
// the signatures, keys and DS records meanwhile, no question may fail, and answers have to be secure from one point on.

import type { Random } from '../../harness/random.ts';
import type { ValidatingResolver } from '../moving/validating-resolver.ts';
import type { MovingClock } from './moving-clock.ts';

/** `secure`: every answer has the AD bit; `insecure`: none has; `either`: while caches differ. */
export type Trust = 'secure' | 'insecure' | 'either';

/** No longer than most TTLs of the zone, so that rounds meet what was cached before a change. */
const LONGEST_JUMP_SECONDS = 3600;

/** Longer than any step of a rollover takes. */
const PATIENCE_SECONDS = 5 * 86_400;

/** A name, a type, and the status that every answer has. */
export type Question = readonly [name: string, type: string, status: 'NOERROR' | 'NXDOMAIN'];

export interface Following {
  /** Counts the answers of all resolvers. */
  answers(): number;
  /** Asks again and again, with the clock moving on, until something has happened. */
  until(what: string, trust: Trust, hasHappened: () => Promise<boolean>): Promise<void>;
  /** Asks again and again until this time has passed. */
  pass(seconds: number, trust: Trust): Promise<void>;
}

/** @param questions of a round, by its number */
export function followResolvers(
  resolvers: readonly ValidatingResolver[],
  clock: MovingClock,
  random: Random,
  questions: (round: number) => readonly Question[],
): Following {
  let rounds = 0;
  let answers = 0;
  const askAll = async (trust: Trust): Promise<void> => {
    const asked = questions(rounds++);
    const found = await Promise.all(
      resolvers.map((resolver) => resolver.ask(...asked.map(([name, type]) => [name, type] as const))),
    );
    for (const [i, statuses] of found.entries()) {
      const problem = findProblem(asked, statuses, trust);
      if (problem !== undefined)
        throw new Error(`resolver ${i + 1}, ${clock.aheadSeconds()} s after the start: ${problem}`);
      answers += statuses.length;
    }
  };
  const advance = (atMost: number): void =>
    clock.advance(Math.min(atMost, 1 + random.below(LONGEST_JUMP_SECONDS)));
  return {
    answers: () => answers,
    async until(what, trust, hasHappened) {
      const end = clock.aheadSeconds() + PATIENCE_SECONDS;
      for (;;) {
        await askAll(trust);
        if (await hasHappened()) return;
        if (clock.aheadSeconds() > end) throw new Error(`it did not happen in days: ${what}`);
        advance(LONGEST_JUMP_SECONDS);
      }
    },
    async pass(seconds, trust) {
      const end = clock.aheadSeconds() + seconds;
      while (clock.aheadSeconds() < end) {
        await askAll(trust);
        advance(end - clock.aheadSeconds());
      }
    },
  };
}

function findProblem(
  asked: readonly Question[],
  statuses: readonly string[],
  trust: Trust,
): string | undefined {
  if (statuses.length !== asked.length)
    return `${statuses.length} of ${asked.length} questions were answered`;
  for (const [i, [name, type, status]] of asked.entries()) {
    const allowed: readonly string[] = {
      secure: [`${status} ad`],
      insecure: [status],
      either: [status, `${status} ad`],
    }[trust];
    if (!allowed.includes(statuses[i]))
      return `${name} ${type} was answered ${statuses[i]} and not ${allowed.join(' or ')}`;
  }
  return undefined;
}
