import type { ZoneKey } from '../../dnssec/zone-key.ts';

/** The step of the rollover, and whether a TTL passes: `published`, or `published, waiting`; `none` without a rollover. */
export function showStep(keys: readonly ZoneKey[]): string {
  const rollover = keys.find((key) => key.rollover !== null)?.rollover;
  if (rollover === undefined || rollover === null) return 'none';
  return rollover.untilSeconds === null ? rollover.step : `${rollover.step}, waiting`;
}
