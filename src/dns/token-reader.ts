/**
 * Reads the tokens of one record's data in order. Parentheses only group, and line ends inside them count as blanks.
 * Comments are rejected, because data is stored and shown as it was written.
 */
import type { DomainName } from './name.ts';
import { scanToken, type Token } from './tokens.ts';

export class TokenReader {
  /** The origin of relative names; undefined: names are absolute. */
  readonly origin: DomainName | undefined;
  /** Set if the text cannot be split into tokens; `next` then returns nothing. */
  problem: string | undefined;
  /** Index of the word read last, or of the first of joined words; undefined at the end of the text. */
  lastStart: number | undefined;
  private readonly text: string;
  private position = 0;
  private depth = 0;

  constructor(text: string, origin?: DomainName) {
    this.text = text;
    this.origin = origin;
  }

  /** The next word or quoted string; undefined at the end, or after a problem. */
  next(): Token | undefined {
    while (this.problem === undefined) {
      const scanned = scanToken(this.text, this.position);
      if (scanned === undefined) {
        if (this.depth > 0) this.problem = 'a parenthesis is not closed';
        this.lastStart = undefined;
        return undefined;
      }
      if (!scanned.ok) {
        this.problem = scanned.problem;
        return undefined;
      }
      const token = scanned.value;
      this.position = token.end;
      if (token.kind === 'word' || token.kind === 'quoted') {
        this.lastStart = token.start;
        return token;
      }
      this.problem = this.punctuate(token);
    }
    return undefined;
  }

  /** Joins all remaining words (base64 and hex are written in groups); undefined if one of them is quoted. */
  joinWords(): string | undefined {
    let joined = '';
    let first: number | undefined;
    for (let token = this.next(); token !== undefined; token = this.next()) {
      if (token.kind === 'quoted') return undefined;
      joined += token.text;
      first ??= token.start;
    }
    this.lastStart = first;
    return joined;
  }

  private punctuate(token: Token): string | undefined {
    const place = `at character ${token.start + 1}`;
    switch (token.kind) {
      case 'open':
        this.depth++;
        return undefined;
      case 'close':
        this.depth--;
        return this.depth < 0 ? `the parenthesis ${place} was not opened` : undefined;
      case 'newline':
        return this.depth > 0 ? undefined : `the line ends ${place}: data must be on one line`;
      case 'comment':
        return this.depth > 0 && this.text.includes('\n', token.start)
          ? undefined
          : `the semicolon ${place} begins a comment: write text with semicolons in quotes`;
      default:
        return undefined;
    }
  }
}
