/** The longest TTL (RFC 2181 section 8). */
const MAX_TTL_SECONDS = 0x7fffffff;

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Reads `300`, `5 min`, `1 h`, `1h30m`; undefined for anything else. Commas and spaces between digits group them. */
export function parseTtl(input: string): number | undefined {
  const written = input
    .trim()
    .toLowerCase()
    .replaceAll(/(?<=\d)[\s,.’](?=\d{3}(?!\d))/g, '');
  if (/^\d+$/.test(written)) return within(Number(written));
  if (!/^(?:\d+\s*[a-z]+\s*)+$/.test(written)) return undefined;
  let seconds = 0;
  for (const [, count = '', unit = ''] of written.matchAll(/(\d+)\s*([a-z]+)/g)) {
    if (!/^(?:s(?:ec(?:onds?)?)?|m(?:ins?|inutes?)?|h(?:r|rs|ours?)?|d(?:ays?)?|w(?:k|eeks?)?)$/.test(unit))
      return undefined;
    seconds += Number(count) * (unitSeconds[unit.charAt(0)] ?? NaN);
  }
  return within(seconds);
}

function within(seconds: number): number | undefined {
  return seconds >= 1 && seconds <= MAX_TTL_SECONDS ? seconds : undefined;
}
