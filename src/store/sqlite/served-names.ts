import type { ZoneName } from '../../model/domain.ts';
import { NameList, unlessCorrupt } from './name-list.ts';
import { prepareQuery, type Query, type SqliteDatabase } from './sqlite-driver.ts';

/** The names of the zones of a file that are served: all but those that are withheld, which have an index of their own. */
export class ServedNames {
  /** Those that are withheld included. */
  readonly all: NameList;
  private readonly withheld: Query<[ZoneName]> | undefined;
  private readonly count: Query<[names: number]> | undefined;
  private isWithheldDamaged = false;

  /** @param knowsWithheld whether the file has the column and its index */
  constructor(database: SqliteDatabase, knowsWithheld: boolean) {
    this.all = new NameList(database);
    if (!knowsWithheld) return;
    const condition = 'domains INDEXED BY domains_withheld WHERE withheld IS NOT NULL';
    this.withheld = prepareQuery(database, `SELECT name FROM ${condition} AND name > ? AND name <= ?`);
    this.count = prepareQuery(database, `SELECT count(*) FROM ${condition}`);
  }

  /** As for `NameList`: names of damaged rows count as served. */
  get isDamaged(): boolean {
    return this.all.isDamaged || this.isWithheldDamaged;
  }

  get length(): number {
    return this.all.length - (this.readWithheld(() => this.count?.get()?.[0]) ?? 0);
  }

  /** Returns `limit` names unless there are fewer. */
  after(name: string, limit: number): readonly ZoneName[] {
    const served: ZoneName[] = [];
    for (let from = name; served.length < limit;) {
      const names = this.all.after(from, limit - served.length);
      const last = names.at(-1);
      if (last === undefined) break;
      served.push(...this.withoutWithheld(from, names, last));
      from = last;
    }
    return served;
  }

  private withoutWithheld(after: string, names: readonly ZoneName[], last: ZoneName): readonly ZoneName[] {
    const found = this.readWithheld(() => this.withheld?.all(after, last)) ?? [];
    if (found.length === 0) return names;
    const withheld = new Set(found.map(([name]) => name));
    return names.filter((name) => !withheld.has(name));
  }

  private readWithheld<T>(read: () => T | undefined): T | undefined {
    return unlessCorrupt(read, () => (this.isWithheldDamaged = true));
  }
}
