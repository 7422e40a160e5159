// A zone in tests: one record per entry, all names absolute. Reads and writes zone files with one record per line.

import { readFileSync } from 'node:fs';

export interface TestRecord {
  readonly owner: string;
  readonly ttl: number;
  readonly type: string;
  /** Presentation text, names absolute. */
  readonly data: string;
}

export interface TestZone {
  /** Absolute, lower case. */
  readonly apex: string;
  /** The SOA record comes first. */
  readonly records: readonly TestRecord[];
  /** Servers that refuse to load the zone; the file gives the reason. */
  readonly without: readonly string[];
  /** Names to query in addition to those that follow from the records. */
  readonly asks: readonly string[];
  /** How names are denied in a signed zone; undefined: not signed. */
  readonly denial?: Denial;
}

export type Denial = 'nsec' | 'nsec3';

/**
 * Reads a hand-written zone: `$ORIGIN` first, then one record per line (owner, TTL, type, data; names absolute or below
 * the origin), with comments on separate lines. `; without knot` names a server that does not load the zone; `; ask
 * name` a name to query.
 * @param origin instead of that in the file
 */
export function readZoneFile(path: string, origin = originOf(path)): TestZone {
  const lines = readFileSync(path, 'utf8').split('\n').map(expandRepeats);
  const absolute = (name: string): string => absoluteName(name, origin);
  const records = lines
    .filter((line) => line.trim() !== '' && !/^[;$]/.test(line))
    .map((line): TestRecord => {
      const [owner, ttl, type, ...fields] = line.trim().split(/\s+/);
      const nameFields = nameFieldsOf[type] ?? [];
      const data = fields.map((field, i) => (nameFields.includes(i) ? absolute(field) : field)).join(' ');
      return { owner: absolute(owner), ttl: Number(ttl), type, data };
    });
  const directive = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`; ${word} `)).map((line) => line.split(/\s+/)[2]);
  return {
    apex: records[0].owner.toLowerCase(),
    records,
    without: directive('without'),
    asks: directive('ask').map(absolute),
  };
}

export function originOf(path: string): string {
  return /^\$ORIGIN\s+(\S+)/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '.';
}

export function formatZone(zone: TestZone): string {
  return zone.records.map(formatRecord).join('');
}

/** A line of a zone file. */
export function formatRecord({ owner, ttl, type, data }: TestRecord): string {
  return `${owner} ${ttl} IN ${type} ${data}\n`;
}

export function isAtOrBelow(name: string, ancestor: string): boolean {
  if (ancestor === '.') return true;
  const [low, above] = [name.toLowerCase(), ancestor.toLowerCase()];
  return low === above || low.endsWith(`.${above}`);
}

export function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1) || '.';
}

/** The fields of the data that are names. */
const nameFieldsOf: Readonly<Record<string, readonly number[]>> = {
  NS: [0],
  CNAME: [0],
  DNAME: [0],
  PTR: [0],
  SOA: [0, 1],
  MX: [1],
  SRV: [3],
};

function absoluteName(name: string, origin: string): string {
  if (name === '@') return origin;
  if (name.endsWith('.')) return name;
  return origin === '.' ? `${name}.` : `${name}.${origin}`;
}

/** `{a*60}` stands for sixty times the letter a. */
function expandRepeats(line: string): string {
  return line.replace(/\{(.)\*(\d+)\}/g, (_, letter: string, times: string) => letter.repeat(Number(times)));
}
