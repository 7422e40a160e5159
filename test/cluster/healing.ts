/*
 * How long a nameserver needs until it is equal again after its zone copy was damaged. `HEALED_WITHIN_SECONDS=5` makes a
 * longer time a fault; without it, the time is only printed, because it depends on the machine.
 */

const { HEALED_WITHIN_SECONDS } = process.env;
const LIMIT_MS = HEALED_WITHIN_SECONDS === undefined ? Infinity : Number(HEALED_WITHIN_SECONDS) * 1000;

/** Returns a sentence if it took too long. */
export function checkHealing(what: string, tookMs: number): string[] {
  return tookMs > LIMIT_MS ? [`${what}: equal only after ${Math.round(tookMs)} ms`] : [];
}
