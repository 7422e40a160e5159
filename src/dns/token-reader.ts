/**
 * The tokens of one record's data, one after the other. Parentheses group and are skipped (line ends count as blanks
 * between them); comments are refused, since data is kept and shown as it was written.
 */
import type { DomainName } from './name.ts';
import { scanToken, type Token } from './tokens.ts';

export class TokenReader {
  /** What relative names are relative to; undefined: names are absolute. */
  readonly origin: DomainName | undefined;
  /** Set when the text can't be cut into tokens; `next` gives nothing from then on. */
  problem: string | undefined;
  /** Index of the word that was read last, of joined words the first; undefined: the text has ended. */
  lastStart: number | undefined;
  private readonly text: string;
  private position = 0;
  private depth = 0;

  constructor(text: string, origin?: DomainName) {
    this.text = text;
    this.origin = origin;
  }

  /** The next word or quoted string; undefined at the end, or when there is a problem. */
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

  /** All words that are left, joined (base64 and hex are written in groups); undefined when one of them is quoted. */
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
        return this.depth > 0 ? undefined : `the line ends ${place}: data is one line`;
      case 'comment':
        return this.depth > 0 && this.text.includes('\n', token.start)
          ? undefined
          : `the semicolon ${place} begins a comment: text with semicolons stands in quotes`;
      default:
        return undefined;
    }
  }
}
