import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { MAX_CHARACTER_STRING_OCTETS } from '../dns/character-strings.ts';
import { quoteText } from './quote-text.ts';
import type { AsShown } from './record.ts';

/**
 * TXT data as clients write and read it (contract rule 25):
 *
 *     bare text │ "quoted" │ "several" "quoted"  ─▶  content  ─▶  "one pair of quotes around all of it"
 *
 * Data that was shown, parsed again, is shown the same. It means the existing record that is shown in just that way, if
 * there is one, because the shown data has neither the boundaries of the character-strings nor octets that are not UTF-8.
 * The syntax is not that of zone files: a backslash stands for itself, and only `\"` inside quotes is a quote.
 */
interface TxtData {
  readonly content: Uint8Array;
  /** As the interface shows it. */
  readonly data: string;
  readonly asShown: AsShown;
}

/**
 * @param text without half characters (`findHalfCharacter`)
 * @param limitBytes the largest content
 */
export function parseTxtData(text: string, limitBytes: number): Parsed<TxtData> {
  const trimmed = text.trim();
  const spelled = trimmed.startsWith('"') ? joinQuoted(trimmed) : bareContent(trimmed);
  if (!spelled.ok) return spelled;
  const content = toUtf8.encode(spelled.value);
  const data = encloseInQuotes(spelled.value);
  const problem = findProblem(spelled.value, content.length, limitBytes);
  if (problem === undefined) return parsed({ content, data, asShown: writable });
  // Zone files and earlier limits may have led to stored content that is shown in this way.
  return data === trimmed ? parsed({ content: noContent, data, asShown: { problem } }) : malformed(problem);
}

function findProblem(spelled: string, contentBytes: number, limitBytes: number): string | undefined {
  if (spelled.includes('\\"')) return BACKSLASH_BEFORE_QUOTE;
  if (contentBytes <= limitBytes) return undefined;
  return `TXT data has ${contentBytes} bytes of content, more than the limit of ${limitBytes}`;
}

/** Encloses content in quotes. Octets that are not UTF-8 cannot be written through the interface; they show as U+FFFD. */
export function formatTxtData(content: Uint8Array): string {
  return encloseInQuotes(fromUtf8.decode(content));
}

/**
 * Says what happens to the character-strings of new data: several are joined to one text, or a long text is cut. Undefined
 * if DNS gets them as they are spelled.
 *
 * @param text well-formed data
 */
export function findDividing(text: string): 'text_joined' | 'text_cut' | undefined {
  const trimmed = text.trim();
  const strings = trimmed.startsWith('"') ? quotedStrings(trimmed) : parsed([trimmed]);
  if (!strings.ok) return undefined;
  const sizes = strings.value.map((string) => toUtf8.encode(string).length);
  const [last = 0, ...full] = sizes.toReversed();
  const isKept =
    last <= MAX_CHARACTER_STRING_OCTETS && full.every((size) => size === MAX_CHARACTER_STRING_OCTETS);
  if (isKept && (last > 0 || full.length === 0)) return undefined;
  return sizes.length > 1 ? 'text_joined' : 'text_cut';
}

/** The limits that an operator may set for content, in octets; the default is contract rule 25's. */
export const DEFAULT_TXT_LIMIT_BYTES = 4096;
/** With 253 length octets, the longest name and a signature, it still fits into a message, see `MAX_RRSET_OCTETS`. */
export const MAX_TXT_LIMIT_BYTES = 64_500;

/** Contract rule 25 gives this sentence word for word. */
const QUOTE_AT_ONE_END = 'Record data must be enclosed in quotes';
const BACKSLASH_BEFORE_QUOTE =
  'TXT data with a backslash right before a quote cannot be told apart from an escaped quote';

const noContent = new Uint8Array(0);
const writable: AsShown = {};
const toUtf8 = new TextEncoder();
/** A byte order mark is content like any other character. */
const fromUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function encloseInQuotes(content: string): string {
  return `"${content.replaceAll('"', '\\"')}"`;
}

function bareContent(text: string): Parsed<string> {
  return text.endsWith('"') ? malformed(QUOTE_AT_ONE_END) : parsed(text);
}

/** @param text begins with a quote */
function joinQuoted(text: string): Parsed<string> {
  const strings = quotedStrings(text);
  return strings.ok ? parsed(strings.value.join('')) : strings;
}

/** @param text begins with a quote */
function quotedStrings(text: string): Parsed<readonly string[]> {
  const last = text.length - 1;
  if (text.charAt(last) !== '"') return malformed(QUOTE_AT_ONE_END);
  const strings: string[] = [];
  let open = 0;
  while (open < last) {
    const close = closingQuote(text, open);
    strings.push(text.slice(open + 1, close).replaceAll('\\"', '"'));
    open = skipBlanks(text, close + 1);
    if (open < last && text.charAt(open) !== '"') return malformed(strayText(text.slice(open)));
  }
  return open === last ? malformed(QUOTE_AT_ONE_END) : parsed(strings);
}

/** The quote that closes the string opened at `open`. The last quote of the text closes, whatever precedes it. */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at < text.length - 1 && text.charAt(at - 1) === '\\') at = text.indexOf('"', at + 1);
  return at;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (BLANKS.includes(text.charAt(at)) && at < text.length) at++;
  return at;
}

const BLANKS = ' \t\r\n';

function strayText(rest: string): string {
  return `TXT data has ${quoteText(rest)} after a closing quote: write a quote inside quotes as \\"`;
}
