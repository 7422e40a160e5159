import { parseTime } from '../../../src/dns/zone-file/parse-time.ts';

/** The units of zone files, as people write them. */
const units: readonly (readonly [RegExp, string])[] = [
  [/^s(?:ec(?:onds?)?)?$/, 's'],
  [/^m(?:ins?|inutes?)?$/, 'm'],
  [/^h(?:rs?|ours?)?$/, 'h'],
  [/^d(?:ays?)?$/, 'd'],
  [/^w(?:ks?|eeks?)?$/, 'w'],
];

/**
 * Reads `300`, `86,400`, `5 min`, `1 h`, `1h30m`; undefined for anything else. Seconds have no fraction, so that a comma or dot in
 * them groups thousands; with a unit it could mean either (`1.500 h`).
 */
export function parseTtl(input: string): number | undefined {
  const written = input.trim().toLowerCase();
  const time = /^\d{1,3}(?:[\s,.’]\d{3})+$/.test(written) ? written.replaceAll(/\D/g, '') : inUnits(written);
  const seconds = time === undefined ? undefined : parseTime(time);
  return seconds?.ok === true && seconds.value >= 1 ? seconds.value : undefined;
}

/** `1 hr 30 min` as `1h30m`. */
function inUnits(written: string): string | undefined {
  if (/^\d+$/.test(written)) return written;
  if (!/^(?:\d+\s*[a-z]+\s*)+$/.test(written)) return undefined;
  const parts = Array.from(written.matchAll(/(\d+)\s*([a-z]+)/g), ([, count = '', word = '']) => {
    const unit = units.find(([pattern]) => pattern.test(word));
    return unit && `${count}${unit[1]}`;
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}
