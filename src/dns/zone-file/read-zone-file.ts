/**
 * Reads zone files as they occur in practice (RFC 1035 section 5, RFC 2308 section 4, RFC 3597 section 5):
 *
 *     lines ─▶ entries ─▶ directive: $ORIGIN, $TTL, $GENERATE │ record: [owner] [TTL] [class] type data ─▶ items
 *
 * Every problem is an item of its own and invalidates only its own entry. Never opens a file: $INCLUDE is rejected. The
 * caller decides whether a record belongs to the zone.
 */
import { malformed, parsed, type Parsed } from '../../base/parsed.ts';
import { clip } from '../clip.ts';
import { rrType } from '../codes.ts';
import type { DomainName } from '../name.ts';
import { isBeyondAscii, type ToAscii } from '../name-to-ascii.ts';
import { wordToAscii } from '../rdata/data-to-ascii.ts';
import { parseRdata } from '../rdata/rdata.ts';
import { parseRecordType } from '../rdata/record-type-registry.ts';
import {
  MAX_GENERATED_CHARACTERS,
  MAX_GENERATED_RECORDS,
  parseGenerate,
  unquoteData,
} from './generate-directive.ts';
import { looksLikeTime, parseTime } from './parse-time.ts';
import { parseWrittenName, type WrittenName } from './written-name.ts';
import {
  isProblem,
  readEntries,
  type EntryToken,
  type ZoneFileEntry,
  type ZoneFileProblem,
} from './zone-file-entries.ts';

export interface ZoneFileRecord {
  /** The complete name with its case as written. */
  readonly owner: DomainName;
  /** The complete name with its U-labels as written; undefined if it has none. */
  readonly ownerText?: string | undefined;
  readonly type: number;
  /**
   * Seconds: the entry's own TTL, else $TTL (RFC 2308 section 4), else the last stated TTL (RFC 1035 section 5.1); null
   * if the file has stated none so far. A SOA record before any TTL makes its minimum the file's $TTL, as in BIND.
   */
  readonly ttl: number | null;
  readonly rdata: Uint8Array;
  /** Names in the data were written with U-labels. */
  readonly hasULabels?: true;
  /** Position of the entry's first word, from 1. */
  readonly line: number;
  readonly column: number;
}

export type ZoneFileItem = ZoneFileRecord | ZoneFileProblem;

/**
 * @param origin the origin of `@` and relative names until the file changes it
 * @param toAscii converts U-labels, in owner names, in `$ORIGIN` and in data; without it, they are problems
 */
export function* readZoneFile(
  lines: Iterable<string>,
  origin: DomainName,
  toAscii?: ToAscii,
): Generator<ZoneFileItem> {
  const reader = new ZoneFileReader(origin, toAscii);
  for (const entry of readEntries(lines)) {
    if (isProblem(entry)) yield entry;
    else yield* reader.read(entry);
  }
}

/** Yields the lines of a text in memory. */
export function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed === -1 ? text.length : lineFeed;
    yield text.slice(start, end);
    start = end + 1;
  }
}

export { isProblem, type ZoneFileProblem };

/** The last 32 bits of a SOA's data (RFC 1035 section 3.3.13). */
const SOA_MINIMUM_OCTETS = 4;

/** The parts of an entry that make a record. */
type RecordEntry = Pick<ZoneFileEntry, 'isIndented' | 'isGenerated' | 'tokens'>;

/** State carried from one entry to the next. */
class ZoneFileReader {
  private origin: WrittenName;
  private owner: WrittenName | undefined;
  /** The last owner text, valid for the current origin: most entries repeat it. */
  private ownerSource = '';
  private defaultTtl: number | null = null;
  private lastTtl: number | null = null;
  /** Totals of all $GENERATE directives so far. */
  private generatedRecords = 0;
  private generatedCharacters = 0;

  private readonly toAscii: ToAscii | undefined;

  constructor(origin: DomainName, toAscii: ToAscii | undefined) {
    this.origin = { name: origin };
    this.toAscii = toAscii;
  }

  *read(entry: ZoneFileEntry): Generator<ZoneFileItem> {
    const first = entry.tokens[0];
    if (!entry.isIndented && first.source.startsWith('$')) yield* this.readDirective(entry.tokens);
    else yield this.readRecord(entry);
  }

  private *readDirective(tokens: readonly EntryToken[]): Generator<ZoneFileItem> {
    const [directive, argument] = tokens;
    switch (directive.source.toUpperCase()) {
      case '$GENERATE':
        yield* this.generate(tokens);
        return;
      case '$INCLUDE':
        yield problemAt(directive, '$INCLUDE is not supported: insert the contents of that file instead');
        return;
      case '$ORIGIN':
      case '$TTL': {
        const problem = this.readSetting(tokens);
        if (problem !== undefined) yield problemAt(tokens.length > 1 ? argument : directive, problem);
        return;
      }
      default:
        yield problemAt(directive, `the directive ${clip(directive.source)} is unknown`);
    }
  }

  private readSetting([directive, argument, extra]: readonly (EntryToken | undefined)[]): string | undefined {
    const name = directive?.source.toUpperCase() ?? '';
    if (argument === undefined) return `${name} needs an argument`;
    if (extra !== undefined) return `${name} takes only one argument`;
    if (argument.isQuoted) return `the argument of ${name} must not be in quotes`;
    if (name === '$TTL') {
      const ttl = parseTime(argument.source);
      if (!ttl.ok) return ttl.problem;
      this.defaultTtl = ttl.value;
      return undefined;
    }
    const origin = parseWrittenName(argument.source, this.origin, this.toAscii);
    if (!origin.ok) return origin.problem;
    this.origin = origin.value;
    this.ownerSource = '';
    return undefined;
  }

  private readRecord({ isIndented, isGenerated, tokens }: RecordEntry): ZoneFileItem {
    const first = tokens[0];
    if (!isIndented) {
      const owner = this.readOwner(first);
      if (!owner.ok) return problemAt(first, owner.problem);
    }
    if (this.owner === undefined) return problemAt(first, 'the first record of the file has no owner name');
    const typeAt = this.readHeader(tokens, isIndented ? 0 : 1);
    if (!typeAt.ok) return problemAt(typeAt.token ?? first, typeAt.problem);
    const { at, ttl } = typeAt;
    const data = tokens.slice(at + 1);
    return this.makeRecord(this.owner, ttl, tokens[at], isGenerated ? unquoteData(data) : data, first);
  }

  private readOwner({ source, isQuoted }: EntryToken): Parsed<WrittenName> {
    if (this.owner !== undefined && source === this.ownerSource) return parsed(this.owner);
    const owner = isQuoted
      ? malformed('the owner name must not be in quotes')
      : parseWrittenName(source, this.origin, this.toAscii);
    this.owner = owner.ok ? owner.value : undefined;
    this.ownerSource = owner.ok ? source : '';
    return owner;
  }

  /** TTL and class, in any order and at most once each, precede the type. */
  private readHeader(tokens: readonly EntryToken[], from: number): Header {
    let ttl: number | null = null;
    let hasClass = false;
    for (let at = from; at < tokens.length; at++) {
      const token = tokens[at];
      if (ttl === null && looksLikeTime(token.source)) {
        const time = parseTime(token.source);
        if (!time.ok) return { ok: false, token, problem: time.problem };
        ttl = time.value;
      } else if (!hasClass && CLASS.test(token.source)) {
        if (!INTERNET_CLASS.test(token.source)) {
          return { ok: false, token, problem: `the class ${clip(token.source)} is not IN` };
        }
        hasClass = true;
      } else {
        if (ttl !== null) this.lastTtl = ttl;
        return { ok: true, at, ttl };
      }
    }
    return { ok: false, token: tokens.at(-1), problem: 'the record has no type' };
  }

  private makeRecord(
    { name: owner, text: ownerText }: WrittenName,
    ttl: number | null,
    typeToken: EntryToken,
    dataTokens: readonly EntryToken[],
    place: EntryToken,
  ): ZoneFileItem {
    const type = typeToken.isQuoted ? undefined : parseRecordType(typeToken.source);
    if (type === undefined)
      return problemAt(typeToken, `the record type ${clip(typeToken.source)} is unknown`);
    const data = this.convertData(type, dataTokens);
    if (isProblem(data)) return data;
    const { sources, hasULabels } = data;
    const words = type === rrType.SOA ? inSeconds(sources) : sources;
    const rdata = parseRdata(type, words.join(' '), this.origin.name);
    if (!rdata.ok) {
      const wrong = dataTokens.at(wordAt(words, rdata.at ?? 0)) ?? typeToken;
      return problemAt(wrong, `${typeToken.source} data is malformed: ${rdata.problem}`);
    }
    if (type === rrType.SOA && this.lastTtl === null) this.defaultTtl ??= readMinimum(rdata.value);
    const effective = ttl ?? this.defaultTtl ?? this.lastTtl;
    const { line, column } = place;
    const uLabels = { ...(ownerText !== undefined && { ownerText }), ...(hasULabels && { hasULabels }) };
    return { owner, type, ttl: effective, rdata: rdata.value, ...uLabels, line, column };
  }

  /** Converts U-labels to A-labels, word by word, so that a problem has the place of its word. */
  private convertData(type: number, tokens: readonly EntryToken[]): ConvertedData | ZoneFileProblem {
    const { toAscii } = this;
    const sources = tokens.map(sourceOf);
    if (toAscii === undefined || !sources.some(isBeyondAscii)) return { sources, hasULabels: false };
    const converted: string[] = [];
    for (const [position, token] of tokens.entries()) {
      const word = wordToAscii(type, position, token.source, toAscii);
      if (!word.ok) return problemAt(token, word.problem);
      converted.push(word.value);
    }
    return { sources: converted, hasULabels: converted.some((word, at) => word !== sources[at]) };
  }

  private *generate(tokens: readonly EntryToken[]): Generator<ZoneFileItem> {
    const generate = parseGenerate(tokens);
    if (!generate.ok) {
      yield problemAt(generate.token, generate.problem);
      return;
    }
    this.generatedRecords += generate.value.count;
    this.generatedCharacters += generate.value.characters;
    const excess = this.excessOfGenerated();
    if (excess !== undefined) {
      yield problemAt(tokens[0], `with this $GENERATE the file makes ${excess}`);
      return;
    }
    for (const words of generate.value.entries()) {
      const item = this.readRecord({ isIndented: false, isGenerated: true, tokens: words });
      yield item;
      // The other records have the same problem: report it once.
      if (isProblem(item)) return;
    }
  }

  private excessOfGenerated(): string | undefined {
    const [records, characters] = [this.generatedRecords, this.generatedCharacters];
    if (records > MAX_GENERATED_RECORDS) return `${records} records, more than ${MAX_GENERATED_RECORDS}`;
    if (characters > MAX_GENERATED_CHARACTERS) {
      return `${characters} characters of records, more than ${MAX_GENERATED_CHARACTERS}`;
    }
    return undefined;
  }
}

interface ConvertedData {
  readonly sources: readonly string[];
  readonly hasULabels: boolean;
}

type Header =
  | { readonly ok: true; readonly at: number; readonly ttl: number | null }
  | { readonly ok: false; readonly token: EntryToken | undefined; readonly problem: string };

const CLASS = /^(?:IN|CH|HS|CS|CLASS\d+)$/i;
const INTERNET_CLASS = /^(?:IN|CLASS0*1)$/i;

function sourceOf({ source }: EntryToken): string {
  return source;
}

/** MNAME, RNAME and SERIAL precede the times of a SOA, which zone files write with units. */
const SOA_WORDS_BEFORE_TIMES = 3;

function inSeconds(words: readonly string[]): readonly string[] {
  return words.map((word, at) => {
    if (at < SOA_WORDS_BEFORE_TIMES || !looksLikeTime(word)) return word;
    const time = parseTime(word);
    return time.ok ? String(time.value) : word;
  });
}

/** Index of the word that contains that character when the words are joined with blanks. */
function wordAt(words: readonly string[], character: number): number {
  let end = 0;
  const found = words.findIndex((word) => character < (end += word.length + 1));
  return Math.max(found, 0);
}

function readMinimum(rdata: Uint8Array): number {
  const at = rdata.length - SOA_MINIMUM_OCTETS;
  return new DataView(rdata.buffer, rdata.byteOffset + at, SOA_MINIMUM_OCTETS).getUint32(0);
}

function problemAt({ line, column }: EntryToken, message: string): ZoneFileProblem {
  return { line, column, message };
}
