/**
 * BIND's `$GENERATE`: one line of text for many records. `$` stands for a number that runs from start to stop;
 * `${offset,width,base}` for that number shifted, padded and in base d, o, x, X, n or N (nibbles, as in ip6.arpa). `\$`
 * and `$$` are dollar signs. Data of several words may be quoted: `MX "10 mail$"`.
 */
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../clip.ts';
import type { EntryToken } from './zone-file-entries.ts';

export interface GenerateDirective {
  /** Number of records it generates. */
  readonly count: number;
  /** Their total length, estimated from the last record. */
  readonly characters: number;
  /** Yields the words of one entry after another. */
  entries(): Generator<readonly EntryToken[]>;
}

interface GeneratedRange {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly count: number;
}

/** Limit per file: four records for each address of a /16. More is more likely a mistake or an attack than intended. */
export const MAX_GENERATED_RECORDS = 262_144;

/** Limit per file: 256 for each address of a /16. Keeps short lines from costing more than long files. */
export const MAX_GENERATED_CHARACTERS = 65_536 * 256;

const MAX_NUMBER = 0x7fffffff;
const MAX_WIDTH = 100;

/** @param tokens the directive and its arguments. A problem comes with the wrong word. */
export function parseGenerate(
  tokens: readonly EntryToken[],
):
  | { readonly ok: true; readonly value: GenerateDirective }
  | { readonly ok: false; readonly problem: string; readonly token: EntryToken } {
  const [directive, rangeToken, ...template] = tokens;
  const fail = (problem: string, token: EntryToken) => ({ ok: false, problem, token }) as const;
  if (template.length < 3) return fail('$GENERATE needs a range, an owner, a type and data', directive);
  const range = parseRange(rangeToken.source);
  if (!range.ok) return fail(range.problem, rangeToken);
  const makers: ((value: number) => string)[] = [];
  for (const token of template) {
    const maker = parseTemplate(token.source);
    if (!maker.ok) return fail(maker.problem, token);
    makers.push(maker.value);
  }
  const { start, stop, step, count } = range.value;
  function* entries(): Generator<readonly EntryToken[]> {
    for (let value = start; value <= stop; value += step) {
      yield template.map((token, at) => ({ ...token, source: makers[at](value) }));
    }
  }
  const lastLength = makers.reduce((sum, make) => sum + make(stop).length, 0);
  return { ok: true, value: { count, characters: count * lastLength, entries } };
}

/** Returns the words inside data that is quoted as a whole. */
export function unquoteData(tokens: readonly EntryToken[]): readonly EntryToken[] {
  const [token] = tokens;
  if (tokens.length !== 1 || !token.isQuoted) return tokens;
  const inside = token.source.slice(1, -1);
  const source = inside.replace(/\\(.)/g, (escape, character) => (character === '"' ? '"' : escape));
  return [{ ...token, source, isQuoted: false }];
}

function parseRange(text: string): Parsed<GeneratedRange> {
  const match = /^(\d{1,10})-(\d{1,10})(?:\/(\d{1,10}))?$/.exec(text);
  if (match === null) return malformed(`${clip(text)} is not a range: write start-stop or start-stop/step`);
  const [start, stop, step] = [Number(match[1]), Number(match[2]), Number(match.at(3) ?? 1)];
  if (stop > MAX_NUMBER || step === 0 || start > stop) {
    return malformed(`the range ${text} does not ascend between 0 and ${MAX_NUMBER} in steps of at least 1`);
  }
  return parsed({ start, stop, step, count: Math.floor((stop - start) / step) + 1 });
}

/** Returns a function that expands the text for one number of the range. */
function parseTemplate(text: string): Parsed<(value: number) => string> {
  const parts: (string | Modifier)[] = [];
  let plainFrom = 0;
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', plainFrom)) {
    if (isEscaped(text, at)) {
      parts.push(text.slice(plainFrom, at + 1));
      plainFrom = at + 1;
      continue;
    }
    parts.push(text.slice(plainFrom, at));
    if (text.charAt(at + 1) === '$') {
      parts.push('\\$');
      plainFrom = at + 2;
      continue;
    }
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
  /** Its length in characters after the `$`. */
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
  // As in C, negative numbers are 32-bit patterns in all bases except decimal.
  const digits = (radix: number): string => (number < 0 ? number + 2 ** 32 : number).toString(radix);
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
      return number < 0
        ? `-${String(-number).padStart(width - 1, '0')}`
        : String(number).padStart(width, '0');
  }
}

/**
 * Least significant nibble first, separated by dots; the width counts the dots too, and an even width ends with a dot.
 */
function nibbles(hex: string, width: number): string {
  const digits = Array.from(hex).reverse();
  const count = Math.max(digits.length, Math.ceil(width / 2));
  while (digits.length < count) digits.push('0');
  return digits.join('.') + (width === 2 * count ? '.' : '');
}
