// Writes a zone as a zone file in one of the many ways that RFC 1035 section 5.1 allows, chosen by a seed: names relative or absolute, owners omitted,
// TTL and class in any order or omitted, $ORIGIN and $TTL in between, parentheses over several lines, comments and spaces anywhere, needless escapes.

import type { Random } from '../../harness/random.ts';
import type { GeneratedRecord, Labels, Part } from './generate-zone.ts';

const COMMENTS = ['', ' a comment', '"', '(', ')', ' "open ( \\', ';;', '\t$ORIGIN x.'];
const UNITS = [
  [604_800, 'w'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
  [1, 's'],
] as const;

export function writeOddly(random: Random, records: readonly GeneratedRecord[], apex: Labels): string {
  const writer = new OddWriter(random, apex);
  for (const record of records) writer.add(record);
  const text = writer.lines.join(random.below(4) === 0 ? '\r\n' : '\n');
  return random.below(4) === 0 ? text : `${text}\n`;
}

class OddWriter {
  readonly lines: string[] = [];
  private readonly random: Random;
  private origin: Labels;
  private owner: Labels | undefined;
  private defaultTtl: number | undefined;
  private lastTtl: number | undefined;

  constructor(random: Random, apex: Labels) {
    this.random = random;
    this.origin = apex;
  }

  add(record: GeneratedRecord): void {
    if (this.chance(6)) this.lines.push(this.random.pick(['', '  ', '\t', `;${this.comment()}`]));
    if (this.chance(8)) this.changeOrigin(record.owner);
    if (this.chance(8)) this.changeTtl();
    const words = [
      ...this.header(record),
      this.oddCase(record.type),
      ...record.parts.map((part) => this.part(part)),
    ];
    const owner = this.ownerWord(record.owner);
    this.owner = record.owner;
    this.lines.push(this.layOut(owner, words));
  }

  private changeOrigin(near: Labels): void {
    const origin = near.slice(this.random.below(near.length));
    this.lines.push(`$ORIGIN${this.blank()}${this.name(origin)}${this.trailer()}`);
    this.origin = origin;
  }

  private changeTtl(): void {
    this.defaultTtl = this.random.pick([0, 60, 300, 3600, 86_400]);
    this.lines.push(`$TTL${this.blank()}${this.time(this.defaultTtl)}${this.trailer()}`);
  }

  /** Empty if the line begins with a space and repeats the previous owner. */
  private ownerWord(owner: Labels): string {
    const same = this.owner?.join('.') === owner.join('.') && this.owner.length === owner.length;
    return same && !this.chance(3) ? '' : this.name(owner);
  }

  private header({ ttl }: GeneratedRecord): string[] {
    const words: string[] = [];
    if (ttl !== (this.defaultTtl ?? this.lastTtl) || this.chance(2)) {
      words.push(this.time(ttl));
      this.lastTtl = ttl;
    }
    if (this.chance(2)) {
      const at = this.random.below(words.length + 1);
      words.splice(at, 0, this.oddCase(this.random.pick(['IN', 'IN', 'CLASS1'])));
    }
    return words;
  }

  private layOut(owner: string, words: readonly string[]): string {
    let text = owner;
    let depth = 0;
    for (const word of words) {
      text += this.blank();
      if (this.chance(10)) {
        text += `(${this.chance(2) ? ' ' : ''}`;
        depth++;
      }
      if (depth > 0 && this.chance(3)) text += `${this.trailer()}\n${this.chance(2) ? this.blank() : ''}`;
      text += word;
      if (depth > 0 && this.chance(4)) {
        text += `${this.chance(2) ? ' ' : ''})`;
        depth--;
      }
    }
    for (; depth > 0; depth--) text += `${this.chance(2) ? this.blank() : ''})`;
    return text + this.trailer();
  }

  private name(labels: Labels): string {
    const cut = labels.length - this.origin.length;
    const isBelow = cut >= 0 && this.origin.every((label, at) => label === labels[cut + at]);
    if (isBelow && cut === 0 && this.origin.length > 0 && !this.chance(3)) return '@';
    const isRelative = isBelow && cut > 0 && !this.chance(3);
    const written = labels.slice(0, isRelative ? cut : undefined).map((label) => this.label(label));
    return isRelative ? written.join('.') : `${written.join('.')}.`;
  }

  private label(octets: string): string {
    return Array.from(octets, (octet) => this.octet(octet, /[^-A-Za-z0-9_*]/)).join('');
  }

  private part(part: Part): string {
    if (part.kind === 'name') return this.name(part.labels);
    if (part.kind === 'word') return part.text;
    const isBare = part.octets !== '' && this.chance(3);
    const text = Array.from(part.octets, (octet) =>
      this.octet(octet, isBare ? /[^-A-Za-z0-9_=]/ : /[\\"\0-\x1f\x7f-\xff]/),
    );
    return isBare ? text.join('') : `"${text.join('')}"`;
  }

  /** Digits and unprintable characters must not follow a bare backslash. */
  private octet(octet: string, mustEscape: RegExp): string {
    if (!mustEscape.test(octet) && !this.chance(30)) return octet;
    const isPlain = /[!-/:-~]/.test(octet);
    return isPlain && this.chance(2) ? `\\${octet}` : `\\${String(octet.charCodeAt(0)).padStart(3, '0')}`;
  }

  private time(seconds: number): string {
    if (seconds === 0 || this.chance(2)) return String(seconds);
    let left = seconds;
    let text = '';
    for (const [unit, letter] of UNITS) {
      if (left >= unit) text += `${Math.floor(left / unit)}${this.oddCase(letter)}`;
      left %= unit;
    }
    return text;
  }

  private oddCase(text: string): string {
    return this.chance(3) ? text.toLowerCase() : text.toUpperCase();
  }

  private blank(): string {
    return this.random.pick([' ', ' ', '\t', '  ', ' \t ']);
  }

  private comment(): string {
    return this.random.pick(COMMENTS);
  }

  private trailer(): string {
    return this.random.pick(['', '', '', ' ', '\t', ';', ` ;${this.comment()}`]);
  }

  private chance(oneIn: number): boolean {
    return this.random.below(oneIn) === 0;
  }
}
