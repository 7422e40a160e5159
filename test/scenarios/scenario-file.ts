/**
 * Reads scenario files: a zone, queries and the answers they must get, as text. README.md in this folder describes the
 * format. Strict: unknown lines are errors, and so are expectations that could not fail.
 *
 *     ; a comment; before `ask` it names the RFC section that requires the answer
 *     server now=1559731985             settings of the nameserver
 *     zone example.                     followed by the records of the zone, one per line, all names absolute
 *     zone example. nsec 13             the same, signed: how it denies, and the algorithm of its key
 *     ask www.example. A +edns=1232     a query with its options
 *     send two questions +tcp           a query given as octets: hex digits and "text" follow
 *     gets NOERROR aa                   response code, then the header bits that are set; or: gets nothing
 *     octets 45                         the answer's size, where it matters
 *     question                          only after `send`: the answer to `ask` must repeat the question exactly
 *     answer                            followed by the records of the section, in any order; an omitted section is empty
 *     authority
 *     additional
 *     edns 1232 do                      the answer's EDNS record and its options, one per line; omitted: it has none
 *
 * `{a*60}` stands for sixty times the text before the asterisk.
 */

import { readFileSync } from 'node:fs';
import type { TestSigning } from '../../src/nameserver/query/signed-zone.test-support.ts';

export interface Scenario {
  readonly file: string;
  /** Settings of the nameserver, by their names in `serverSettings`. */
  readonly server: ReadonlyMap<string, string>;
  readonly zones: readonly ScenarioZone[];
  readonly asks: readonly Ask[];
}

export interface ScenarioZone {
  readonly apex: string;
  /** Undefined: not signed. */
  readonly signing: TestSigning | undefined;
  /** Empty: the zone is hosted, but its records cannot be loaded. */
  readonly records: readonly string[];
}

export interface Ask {
  readonly line: number;
  /** The query as written in the file. */
  readonly title: string;
  readonly query: NamedQuery | OctetQuery;
  readonly options: readonly string[];
  readonly gets: Expectation;
}

export interface NamedQuery {
  readonly kind: 'ask';
  readonly name: string;
  readonly type: string;
}

export interface OctetQuery {
  readonly kind: 'send';
  readonly octets: Buffer;
}

/** An answer in the notation of the files; sections are sorted. */
export interface Expectation {
  /** Response code and header bits. */
  readonly header: string;
  /** Undefined: any size. */
  readonly octets: number | undefined;
  /** Undefined: the question of the query. */
  readonly question: readonly string[] | undefined;
  readonly answer: readonly string[];
  readonly authority: readonly string[];
  readonly additional: readonly string[];
  /** The EDNS record, then its options in order; empty if there is none. */
  readonly edns: readonly string[];
}

export const headerBits = ['aa', 'tc', 'rd', 'ra', 'z', 'ad', 'cd'] as const;
const serverSettings = ['identifier', 'cookie-secret', 'idle-seconds', 'now'];
const sections = ['question', 'answer', 'authority', 'additional'] as const;
type Section = (typeof sections)[number];

const RECORD_LINE = /^\S*\. \d+ (CH )?[A-Z][A-Z0-9-]* \S.*$/;
const QUESTION_LINE = /^\S*\. ([A-Z0-9]+ )?[A-Z][A-Z0-9-]*$/;
const OPTION_LINE = /^[A-Z][A-Z0-9]*( \S+)*$/;
const OCTETS_LINE = /^(([0-9a-f]{2})+|"[^"]+")( (([0-9a-f]{2})+|"[^"]+"))*$/;

export function readScenario(file: string): Scenario {
  return parseScenario(file, readFileSync(file, 'utf8'));
}

/** Throws an error with file and line if the text is not a valid scenario. */
export function parseScenario(file: string, text: string): Scenario {
  const reader = new ScenarioReader();
  text.split('\n').forEach((raw, index) => {
    const line = raw
      .replace(/(^|\s);.*$/, '')
      .replace(/\{([^*}]+)\*(\d+)\}/g, (_, part: string, times: string) => part.repeat(Number(times)))
      .trim()
      .replace(/\s+/g, ' ');
    try {
      if (line !== '') reader.read(line, index + 1);
    } catch (error) {
      throw new Error(`${file}:${index + 1}: ${(error as Error).message}`, { cause: error });
    }
  });
  try {
    return { file, ...reader.finish() };
  } catch (error) {
    throw new Error(`${file}, at its end: ${(error as Error).message}`, { cause: error });
  }
}

interface Draft {
  readonly line: number;
  readonly title: string;
  readonly words: readonly string[];
  readonly octetLines: string[];
  header?: string;
  octets?: number;
  readonly lists: Partial<Record<Section | 'edns', string[]>>;
}

class ScenarioReader {
  private readonly server = new Map<string, string>();
  private readonly zones: { apex: string; signing: TestSigning | undefined; records: string[] }[] = [];
  private readonly asks: Ask[] = [];
  private draft: Draft | undefined;
  /** Destination and format of lines that do not begin with a keyword. */
  private into: { readonly lines: string[]; readonly form: RegExp } | undefined;

  read(line: string, number: number): void {
    const [word, ...rest] = line.split(' ');
    if (word === 'server') this.readSettings(rest);
    else if (word === 'zone') this.beginZone(rest);
    else if (word === 'ask' || word === 'send') this.beginAsk(word, rest, number);
    else if (word === 'gets') this.readHeader(rest);
    else if (word === 'octets') this.readOctets(rest);
    else if (word === 'edns') this.beginEdns(rest);
    else if (sections.includes(word as Section)) this.beginSection(word as Section, rest);
    else this.readLine(line);
  }

  finish(): Omit<Scenario, 'file'> {
    this.endAsk();
    check(this.asks.length > 0, 'there is no query');
    return { server: this.server, zones: this.zones, asks: this.asks };
  }

  private readSettings(settings: readonly string[]): void {
    check(this.zones.length === 0, 'settings must precede the zones');
    for (const setting of settings) {
      const [name, value] = setting.split('=');
      check(serverSettings.includes(name) && value !== '', `no setting: "${setting}"`);
      this.server.set(name, value);
    }
  }

  private beginZone([apex, ...more]: readonly string[]): void {
    check(apex.endsWith('.'), 'a zone has an absolute name');
    check(this.draft === undefined, 'zones must precede the queries');
    this.zones.push({ apex, signing: readSigning(more), records: [] });
    this.into = { lines: this.zones.at(-1)!.records, form: RECORD_LINE };
  }

  private beginAsk(kind: 'ask' | 'send', words: readonly string[], line: number): void {
    this.endAsk();
    this.draft = { line, title: `${kind} ${words.join(' ')}`, words, octetLines: [], lists: {} };
    this.into = kind === 'send' ? { lines: this.draft.octetLines, form: OCTETS_LINE } : undefined;
  }

  private readHeader([code, ...bits]: readonly string[]): void {
    const draft = this.present();
    check(draft.header === undefined, 'there must be only one answer');
    check(/^([A-Z]+|nothing)$/.test(code), `not a response code: "${code}"`);
    for (const bit of bits)
      check((headerBits as readonly string[]).includes(bit), `not a header bit: "${bit}"`);
    check(new Set(bits).size === bits.length, 'a header bit must be listed only once');
    check(code !== 'nothing' || bits.length === 0, 'nothing has no header bits');
    draft.header = [code, ...headerBits.filter((bit) => bits.includes(bit))].join(' ');
    this.into = undefined;
  }

  private readOctets(words: readonly string[]): void {
    const draft = this.answered();
    check(words.length === 1 && /^\d+$/.test(words[0]), 'a size must be a number');
    draft.octets = Number(words[0]);
  }

  private beginSection(section: Section, rest: readonly string[]): void {
    check(rest.length === 0, `"${section}" must be alone on its line`);
    const isQuestion = section === 'question';
    check(
      !isQuestion || this.present().title.startsWith('send '),
      'the question section is checked against the query',
    );
    this.into = { lines: this.begin(section), form: isQuestion ? QUESTION_LINE : RECORD_LINE };
  }

  private beginEdns(words: readonly string[]): void {
    check(/^\d+( do)?( version=\d+)?$/.test(words.join(' ')), 'an EDNS record has a size, and perhaps "do"');
    const lines = this.begin('edns');
    lines.push(`edns ${words.join(' ')}`);
    this.into = { lines, form: OPTION_LINE };
  }

  private begin(list: Section | 'edns'): string[] {
    const { lists, header } = this.answered();
    check(lists[list] === undefined, `there must be only one "${list}"`);
    check(header !== 'nothing', 'nothing has no records');
    return (lists[list] = []);
  }

  private readLine(line: string): void {
    check(this.into?.form.test(line) === true, `unknown line: "${line}"`);
    this.into.lines.push(line);
  }

  private present(): Draft {
    check(this.draft !== undefined, 'there is no query yet');
    return this.draft;
  }

  private answered(): Draft {
    const draft = this.present();
    check(draft.header !== undefined, '"gets" comes first');
    return draft;
  }

  private endAsk(): void {
    const { draft } = this;
    if (draft === undefined) return;
    check(draft.header !== undefined, `"${draft.title}" has no "gets"`);
    const { line, title, words, lists, header, octets, octetLines } = draft;
    const isAsk = title.startsWith('ask ');
    const sorted = (section: Section): readonly string[] => [...(lists[section] ?? [])].sort();
    this.asks.push({
      line,
      title,
      query: isAsk ? namedQuery(words) : { kind: 'send', octets: readHex(octetLines) },
      options: words.filter((word) => word.startsWith('+')),
      gets: {
        header,
        octets,
        question: isAsk ? undefined : sorted('question'),
        answer: sorted('answer'),
        authority: sorted('authority'),
        additional: sorted('additional'),
        edns: lists.edns ?? [],
      },
    });
  }
}

function readSigning(words: readonly string[]): TestSigning | undefined {
  if (words.length === 0) return undefined;
  const [denial, algorithm] = [words[0], Number(words[1])];
  check(denial === 'nsec' || denial === 'nsec3', 'a signed zone has "nsec" or "nsec3" after its name');
  check(algorithm === 13 || algorithm === 15, 'an algorithm is 13 or 15');
  check(words.length === 2, 'nothing follows the algorithm');
  return { denial, algorithm };
}

function namedQuery([name, type, ...options]: readonly string[]): NamedQuery {
  check(name.endsWith('.') && /^[A-Z]/.test(type), 'a question has an absolute name and a type');
  check(
    options.every((option) => option.startsWith('+')),
    'options begin with +',
  );
  return { kind: 'ask', name, type };
}

function readHex(lines: readonly string[]): Buffer {
  const parts = lines.join(' ').match(/"[^"]+"|[0-9a-f]+/g) ?? [];
  check(parts.length > 0, 'no octets to send');
  return Buffer.concat(
    parts.map((part) =>
      part.startsWith('"') ? Buffer.from(part.slice(1, -1), 'latin1') : Buffer.from(part, 'hex'),
    ),
  );
}

function check(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(problem);
}
