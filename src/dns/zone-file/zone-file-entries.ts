/**
 * Cuts a master file (RFC 1035 section 5.1) into entries: the words and strings of one logical line, which parentheses
 * stretch over several. Comments and empty lines are dropped. A line that cannot be cut is one problem, and reading goes
 * on behind it. Knows neither directives nor records.
 */
import { scanToken, type Token } from '../tokens.ts';

export interface ZoneFileEntry {
  /** The first line begins with a blank: the owner of the entry before stands (RFC 1035 section 5.1). */
  readonly isIndented: boolean;
  /** Made by $GENERATE: the data may stand in quotes as a whole. */
  readonly isGenerated?: true;
  /** At least one. */
  readonly tokens: readonly EntryToken[];
}

export interface EntryToken {
  /** As it stands in the file, of strings with their quotes. */
  readonly source: string;
  readonly isQuoted: boolean;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** One sentence about one place of the file. */
export interface ZoneFileProblem {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Longest entry: an RRSIG or TXT of 65,535 octets, each spelled `\DDD`, in words of 60 characters. */
const MAX_ENTRY_TOKENS = 8192;

/** Longest line: a TXT of 65,535 octets, each spelled `\DDD`, with room for quotes and what stands before. */
const MAX_LINE_CHARACTERS = 300_000;

const BLANK = /^[ \t]/;

/** How lines inside parentheses begin, as people and tools write them. */
const CONTINUATION = /^(?:[ \t);\r]|$)/;

/** @param lines without their line feeds; a carriage return at the end is a blank. */
export function* readEntries(lines: Iterable<string>): Generator<ZoneFileEntry | ZoneFileProblem> {
  const entry = new OpenEntry();
  let lineNumber = 0;
  for (const line of lines) {
    lineNumber++;
    const problem = entry.addLine(line, lineNumber);
    if (problem !== undefined) {
      entry.drop();
      yield problem;
    } else if (entry.isWhole) {
      if (entry.tokens.length > 0) yield { isIndented: entry.isIndented, tokens: entry.tokens };
      entry.clear();
    }
  }
  if (entry.opened !== undefined) yield { ...entry.opened, message: 'the parenthesis is not closed' };
}

export function isProblem(item: object): item is ZoneFileProblem {
  return 'message' in item;
}

/** The entry that is being put together; it goes on while a parenthesis is open. */
class OpenEntry {
  tokens: EntryToken[] = [];
  isIndented = false;
  /** Where the outermost open parenthesis stands. */
  opened: { readonly line: number; readonly column: number } | undefined;
  private depth = 0;
  /** What is left of a spoilt entry would be read as nonsense: it is passed over. */
  private isSkipping = false;

  get isWhole(): boolean {
    return this.depth === 0;
  }

  /** Forgets an entry with a problem, and the lines that still belong to it. */
  drop(): void {
    this.isSkipping = this.depth > 0;
    this.clear();
  }

  clear(): void {
    this.tokens = [];
    this.depth = 0;
    this.opened = undefined;
  }

  addLine(line: string, lineNumber: number): ZoneFileProblem | undefined {
    if (this.isSkipping && CONTINUATION.test(line)) {
      this.isSkipping = !line.includes(')');
      return undefined;
    }
    this.isSkipping = false;
    if (this.depth === 0) this.isIndented = BLANK.test(line);
    if (line.length > MAX_LINE_CHARACTERS) {
      const message = `the line has ${line.length} characters, more than ${MAX_LINE_CHARACTERS}`;
      return { line: lineNumber, column: 1, message };
    }
    for (let position = 0; ;) {
      const scanned = scanToken(line, position);
      if (scanned === undefined) return undefined;
      if (!scanned.ok) return problemInLine(scanned.problem, lineNumber, position + 1);
      const problem = this.addToken(scanned.value, line, lineNumber);
      if (problem !== undefined) {
        return { line: lineNumber, column: scanned.value.start + 1, message: problem };
      }
      position = scanned.value.end;
    }
  }

  private addToken({ kind, start, end }: Token, line: string, lineNumber: number): string | undefined {
    switch (kind) {
      case 'open':
        if (this.depth++ === 0) this.opened = { line: lineNumber, column: start + 1 };
        return undefined;
      case 'close':
        if (this.depth === 0) return 'the parenthesis was not opened';
        if (--this.depth === 0) this.opened = undefined;
        return undefined;
      case 'comment':
      case 'newline':
        return undefined;
      case 'word':
      case 'quoted':
        if (this.tokens.length === MAX_ENTRY_TOKENS)
          return `the entry has more than ${MAX_ENTRY_TOKENS} words`;
        this.tokens.push({
          source: line.slice(start, end),
          isQuoted: kind === 'quoted',
          line: lineNumber,
          column: start + 1,
        });
        return undefined;
    }
  }
}

/** What is said about a text names the character; here that is the problem's column. */
function problemInLine(sentence: string, line: number, column: number): ZoneFileProblem {
  const place = / at character (\d+)/.exec(sentence);
  if (place === null) return { line, column, message: sentence };
  return { line, column: Number(place[1]), message: sentence.replace(place[0], '') };
}
