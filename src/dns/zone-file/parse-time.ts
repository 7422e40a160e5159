import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../clip.ts';

/** RFC 2181 section 8: a TTL has 31 bits. */
const MAX_TIME_SECONDS = 0x7fffffff;

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

const TIME = /^(?:\d+|(?:\d+[smhdw])+)$/i;

/** Returns true for a word in the place of a TTL that begins like one. */
export function looksLikeTime(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 0x30 && code <= 0x39 && TIME.test(text);
}

/** Parses `3600`, or BIND's units: `1h`, `1W2D`, `1h30m`. Returns seconds, at most 31 bits. */
export function parseTime(text: string): Parsed<number> {
  if (!TIME.test(text))
    return malformed(`${clip(text)} is not a time: write seconds, or units such as 1h30m`);
  let seconds = 0;
  for (const [, digits, unit] of text.matchAll(/(\d+)([smhdw]?)/gi)) {
    seconds += Number(digits) * (unitSeconds[unit.toLowerCase()] ?? 1);
  }
  if (seconds > MAX_TIME_SECONDS) return malformed(`${clip(text)} is more than ${MAX_TIME_SECONDS} seconds`);
  return parsed(seconds);
}
