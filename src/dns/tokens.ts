/**
 * Splits presentation text (RFC 1035 section 5.1) into tokens with their positions, for record data and zone files.
 * Escapes stay as written, because names and character-strings read them differently. One pass, character by character.
 */
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { escapedOctet, escapeLength } from './escape.ts';

export interface Token {
  /**
   * `word`: contiguous text; it may end in a quoted part right after a `=` (`alpn="h2,h3"`, RFC 9460 section 2.1).
   * `quoted`: a string in quotes. The rest is punctuation.
   */
  readonly kind: 'word' | 'quoted' | 'open' | 'close' | 'comment' | 'newline';
  /** As written; without the quotes of `quoted` and the semicolon of `comment`. */
  readonly text: string;
  /** Index of the first character, and the index after the last one. */
  readonly start: number;
  readonly end: number;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const OPEN = 0x28;
const CLOSE = 0x29;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

/**
 * The first token at or after `from`, or undefined at the end of the text. Problems name the character, counted from 1.
 */
export function scanToken(text: string, from: number): Parsed<Token> | undefined {
  let start = from;
  while (isBlank(text.charCodeAt(start))) start++;
  if (start >= text.length) return undefined;
  switch (text.charCodeAt(start)) {
    case LINE_FEED:
      return punctuation('newline', text, start);
    case OPEN:
      return punctuation('open', text, start);
    case CLOSE:
      return punctuation('close', text, start);
    case SEMICOLON:
      return scanComment(text, start);
    case QUOTE:
      return scanQuoted(text, start);
    default:
      return scanWord(text, start);
  }
}

function punctuation(kind: Token['kind'], text: string, start: number): Parsed<Token> {
  return parsed({ kind, text: text.charAt(start), start, end: start + 1 });
}

function scanComment(text: string, start: number): Parsed<Token> {
  const lineEnd = text.indexOf('\n', start);
  const end = lineEnd < 0 ? text.length : lineEnd;
  return parsed({ kind: 'comment', text: text.slice(start + 1, end), start, end });
}

function scanQuoted(text: string, start: number): Parsed<Token> {
  const close = closingQuote(text, start);
  if (!close.ok) return close;
  return parsed({ kind: 'quoted', text: text.slice(start + 1, close.value), start, end: close.value + 1 });
}

function scanWord(text: string, start: number): Parsed<Token> {
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) {
      if (escapedOctet(text, end) < 0) return malformed(badEscape(end));
      end += escapeLength(text, end) - 1;
    } else if (code === QUOTE) {
      if (end === start || text.charCodeAt(end - 1) !== EQUALS) return malformed(strayQuote(end));
      const close = closingQuote(text, end);
      if (!close.ok) return close;
      end = close.value + 1;
      break;
    } else if (endsWord(code)) break;
  }
  return parsed({ kind: 'word', text: text.slice(start, end), start, end });
}

/** Index of the quote that closes the one at `open`. It must be followed by a blank, punctuation or another string. */
function closingQuote(text: string, open: number): Parsed<number> {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const next = text.charCodeAt(at + 1);
      const ended = at + 1 === text.length || next === QUOTE || endsWord(next);
      return ended
        ? parsed(at)
        : malformed(`there is no space after the closing quote at character ${at + 1}`);
    }
    if (code !== BACKSLASH) continue;
    if (escapedOctet(text, at) < 0) return malformed(badEscape(at));
    at += escapeLength(text, at) - 1;
  }
  return malformed(`the quote at character ${open + 1} is not closed`);
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === CARRIAGE_RETURN;
}

function endsWord(code: number): boolean {
  return isBlank(code) || code === LINE_FEED || code === OPEN || code === CLOSE || code === SEMICOLON;
}

function badEscape(at: number): string {
  return `the escape at character ${at + 1} is broken: write \\DDD from \\000 to \\255, or \\ and one character`;
}

function strayQuote(at: number): string {
  return `there is a quote inside a word at character ${at + 1}: write it as \\"`;
}
