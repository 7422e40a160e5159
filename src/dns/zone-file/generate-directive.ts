/**
 * `$GENERATE` as BIND has it: one line of text for many records. `$` in it stands for a number that runs from start to
 * stop; `${offset,width,base}` for that number moved, padded and in base d, o, x, X, n or N (nibbles, as in ip6.arpa).
 * `\$` is a dollar sign.
 */
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../clip.ts';

export interface GeneratedRange {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** One line may make the addresses of a /16; more is more likely a slip than a wish. */
const MAX_GENERATED_RECORDS = 65_536;

const MAX_NUMBER = 0x7fffffff;
const MAX_WIDTH = 100;

export function parseRange(text: string): Parsed<GeneratedRange> {
  const match = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text);
  if (match === null) return malformed(`${clip(text)} is not a range: write start-stop or start-stop/step`);
  const [start, stop, step] = [Number(match[1]), Number(match[2]), Number(match.at(3) ?? 1)];
  if (stop > MAX_NUMBER || step === 0 || start > stop) {
    return malformed(`the range ${text} does not go upwards from 0 to ${MAX_NUMBER} in steps of at least 1`);
  }
  const count = Math.floor((stop - start) / step) + 1;
  if (count > MAX_GENERATED_RECORDS) {
    return malformed(`the range ${text} makes ${count} records, more than ${MAX_GENERATED_RECORDS}`);
  }
  return parsed({ start, stop, step });
}

/** What stands in the text for one number of the range, as a function of it. */
export function parseTemplate(text: string): Parsed<(value: number) => string> {
  const parts: (string | Modifier)[] = [];
  let plainFrom = 0;
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', plainFrom)) {
    if (isEscaped(text, at)) {
      parts.push(`${text.slice(plainFrom, at - 1)}$`);
      plainFrom = at + 1;
      continue;
    }
    parts.push(text.slice(plainFrom, at));
    const modifier = parseModifier(text, at + 1);
    if (!modifier.ok) return modifier;
    parts.push(modifier.value);
    plainFrom = at + 1 + modifier.value.length;
  }
  parts.push(text.slice(plainFrom));
  return parsed((value) =>
    parts.map((part) => (typeof part === 'string' ? part : formatNumber(value, part))).join(''),
  );
}

interface Modifier {
  readonly offset: number;
  readonly width: number;
  readonly base: string;
  /** Characters it takes behind the `$`. */
  readonly length: number;
}

const MODIFIER = /\{(-?\d{1,10})(?:,(\d{1,3})(?:,([doxXnN]))?)?\}/y;

function parseModifier(text: string, at: number): Parsed<Modifier> {
  if (text.charAt(at) !== '{') return parsed({ offset: 0, width: 0, base: 'd', length: 0 });
  MODIFIER.lastIndex = at;
  const match = MODIFIER.exec(text);
  const width = Number(match?.[2] ?? 0);
  if (match === null || width > MAX_WIDTH) {
    return malformed(
      `\${ in ${clip(text)} is not followed by offset,width,base}: base is one of d o x X n N, width at most ${MAX_WIDTH}`,
    );
  }
  return parsed({ offset: Number(match[1]), width, base: match.at(3) ?? 'd', length: match[0].length });
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function formatNumber(value: number, { offset, width, base }: Modifier): string {
  const number = value + offset;
  const digits = (radix: number): string => `${number < 0 ? '-' : ''}${Math.abs(number).toString(radix)}`;
  switch (base) {
    case 'o':
      return digits(8).padStart(width, '0');
    case 'x':
      return digits(16).padStart(width, '0');
    case 'X':
      return digits(16).toUpperCase().padStart(width, '0');
    case 'n':
      return nibbles(digits(16), width);
    case 'N':
      return nibbles(digits(16).toUpperCase(), width);
    default:
      return digits(10).padStart(width, '0');
  }
}

/** Least significant first, with dots between; the width counts the dots too. */
function nibbles(hex: string, width: number): string {
  const count = Math.max(hex.length, Math.ceil(width / 2));
  return Array.from(hex.padStart(count, '0')).reverse().join('.');
}
