import { MAX_NAME_OCTETS, parseDomainName } from '../../dns/name.ts';
import type { ZoneName } from '../../model/domain.ts';
import { prepareQuery, sqliteErrorCode, type Query, type SqliteDatabase } from './sqlite-driver.ts';

/** Names per read when they are gathered from a damaged file. */
const GATHERED_AT_ONCE = 1000;

const SQLITE_CORRUPT = 11;

/**
 * Names are read as one text: a start reads all of them, and a row for each takes three times as long. No name holds this
 * character; a damaged one that does makes more names than there are rows.
 */
const SEPARATOR = '\n';

/** Without the length octet of the first label, and the root. */
const MAX_PLAIN_CHARACTERS = MAX_NAME_OCTETS - 2;

/** Most names. The check is half the work of `parseDomainName`. */
const PLAIN_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

interface NamePage {
  readonly names: readonly ZoneName[];
  /** As many as names, unless one is damaged. */
  readonly rows: number;
}

/**
 * The names of all zones of a file, in order. If the index that they are read from is damaged, every name that can still be
 * read in any way is listed: a zone that cannot be served right must not be taken for one that does not exist.
 */
export class NameList {
  private readonly names: Query<[joined: string | null, rows: number]>;
  private readonly count: Query<[domains: number]>;
  private readonly rows: Query<[id: number, name: ZoneName]>;
  private gathered: readonly ZoneName[] | undefined;

  constructor(database: SqliteDatabase) {
    this.names = prepareQuery(
      database,
      `SELECT group_concat(name, '${SEPARATOR}'), count(*)
       FROM (SELECT name FROM domains WHERE name > ? ORDER BY name LIMIT ?)`,
    );
    this.count = prepareQuery(database, 'SELECT count(*) FROM domains');
    this.rows = prepareQuery(
      database,
      'SELECT id, name FROM domains NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?',
    );
  }

  /** The index was found damaged. */
  get isDamaged(): boolean {
    return this.gathered !== undefined;
  }

  get length(): number {
    return this.gathered?.length ?? unlessCorrupt(() => this.count.get()?.[0]) ?? this.gather().length;
  }

  after(name: string, limit: number): readonly ZoneName[] {
    if (this.gathered === undefined) {
      const page = unlessCorrupt(() => this.read(name, limit));
      if (page !== undefined && page.names.length === page.rows && isInOrder(name, page.names))
        return page.names;
    }
    const all = this.gather();
    const start = all.findIndex((candidate) => candidate > name);
    return start === -1 ? [] : all.slice(start, start + limit);
  }

  private read(after: string, limit: number): NamePage {
    const [joined, rows] = this.names.get(after, limit) ?? [null, 0];
    return { names: joined === null ? [] : (joined.split(SEPARATOR) as ZoneName[]), rows };
  }

  private gather(): readonly ZoneName[] {
    if (this.gathered !== undefined) return this.gathered;
    const found = new Set<ZoneName>();
    this.gatherByName(found);
    this.gatherById(found);
    this.gathered = Array.from(found).filter(isName).sort();
    return this.gathered;
  }

  private gatherByName(found: Set<ZoneName>): void {
    for (let last = ''; ;) {
      const names = unlessCorrupt(() => this.read(last, GATHERED_AT_ONCE).names) ?? [];
      for (const name of names) found.add(name);
      const next = names.at(-1);
      if (next === undefined || next <= last) return;
      last = next;
    }
  }

  private gatherById(found: Set<ZoneName>): void {
    for (let last = 0; ;) {
      const rows = unlessCorrupt(() => this.rows.all(last, GATHERED_AT_ONCE)) ?? [];
      for (const [, name] of rows) found.add(name);
      const next = rows.at(-1)?.[0];
      if (typeof next !== 'number' || next <= last) return;
      last = next;
    }
  }
}

/** A damaged page may hold anything, in any order. */
function isInOrder(after: string, names: readonly ZoneName[]): boolean {
  return names.every((name, index) => isName(name) && name > (names[index - 1] ?? after));
}

function isName(name: unknown): boolean {
  if (typeof name !== 'string') return false;
  return (name.length <= MAX_PLAIN_CHARACTERS && PLAIN_NAME.test(name)) || parseDomainName(name).ok;
}

/** Returns undefined if pages of the file are damaged. */
export function unlessCorrupt<T>(read: () => T, onCorrupt: () => void = () => undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (sqliteErrorCode(error) !== SQLITE_CORRUPT) throw error;
    onCorrupt();
    return undefined;
  }
}
