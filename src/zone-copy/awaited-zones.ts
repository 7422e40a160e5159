import type { ZoneName } from '../model/domain.ts';
import {
  prepareQuery,
  type Query,
  type SqliteDatabase,
  type SqliteStatement,
} from '../store/sqlite/sqlite-driver.ts';

/** A zone whose content in the copy is behind the position of the copy. */
export interface AwaitedZone {
  readonly name: ZoneName;
  /** The id of the domain in the database. */
  readonly sourceId: number;
  /** The content belongs to this place of the feed, or to a later one. */
  readonly seq: number;
}

/**
 * The zones that wait for their content, which is not in the feed as it is read. Until it is fetched, the copy holds them as
 * they were, or not at all, and their changes are not applied. The list is durable. Opens no transaction itself.
 */
export class AwaitedZones {
  private readonly zones = new Map<ZoneName, AwaitedZone>();
  private readonly selectAll: Query<[name: ZoneName, sourceId: number, seq: number]>;
  private readonly upsert: SqliteStatement;
  private readonly deleteZone: SqliteStatement;
  private readonly putFetchedId: SqliteStatement;
  private readonly hideFetched: SqliteStatement;
  private readonly findFetched: Query<[count: number]>;

  constructor(database: SqliteDatabase) {
    this.selectAll = prepareQuery(database, 'SELECT name, source_id, seq FROM awaited_zones ORDER BY seq');
    this.upsert = database.prepare(
      `INSERT INTO awaited_zones (name, source_id, seq) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET source_id = excluded.source_id, seq = excluded.seq`,
    );
    this.deleteZone = database.prepare('DELETE FROM awaited_zones WHERE name = ?');
    this.putFetchedId = database.prepare('UPDATE awaited_zones SET fetched_id = ? WHERE name = ?');
    this.hideFetched = database.prepare(
      `INSERT INTO deleted_domains SELECT fetched_id FROM awaited_zones
       WHERE name = ? AND fetched_id IS NOT NULL`,
    );
    this.findFetched = prepareQuery(
      database,
      'SELECT count(*) FROM awaited_zones WHERE name = ? AND source_id = ? AND fetched_id = ?',
    );
    this.reload();
  }

  get size(): number {
    return this.zones.size;
  }

  /** Those that wait the longest come first. */
  get all(): readonly AwaitedZone[] {
    return [...this.zones.values()];
  }

  find(name: ZoneName): AwaitedZone | undefined {
    return this.zones.get(name);
  }

  /**
   * From now on, this domain waits for its content: it is fetched from a snapshot of the database at `seq` or later, and until
   * then whatever has this name in the copy stays as it is. A domain that is awaited already waits for the later content.
   */
  add({ name, sourceId, seq }: AwaitedZone): void {
    // A fetch for an earlier change of the same domain may end: it brings the zone further.
    if (this.zones.get(name)?.sourceId !== sourceId) this.discardFetched(name);
    this.upsert.run(name, sourceId, seq);
    // Others come first, however often this one is awaited again.
    this.zones.delete(name);
    this.zones.set(name, { name, sourceId, seq });
  }

  /** Others come first from now on. */
  postpone(name: ZoneName): void {
    const zone = this.zones.get(name);
    if (zone === undefined) return;
    this.zones.delete(name);
    this.zones.set(name, zone);
  }

  /** Its records that were fetched, if any, are purged later. */
  remove(name: ZoneName): void {
    this.discardFetched(name);
    this.deleteZone.run(name);
    this.zones.delete(name);
  }

  clear(): void {
    for (const { name } of this.all) this.remove(name);
  }

  /** The records of the zone are written under this id from now on; those of an earlier attempt are purged. */
  startFetch(name: ZoneName, id: number): void {
    this.discardFetched(name);
    this.putFetchedId.run(id, name);
  }

  /** Whether the records of this domain are still to be written under that id. */
  isFetching({ name, sourceId }: AwaitedZone, id: number): boolean {
    return (this.findFetched.get(name, sourceId, id)?.[0] ?? 0) > 0;
  }

  /** The fetched records are those of the zone, and no longer the concern of this list. */
  endFetch(name: ZoneName): void {
    this.putFetchedId.run(null, name);
  }

  /** Reads the list again after a transaction that was rolled back. */
  reload(): void {
    this.zones.clear();
    for (const [name, sourceId, seq] of this.selectAll.all()) this.zones.set(name, { name, sourceId, seq });
  }

  private discardFetched(name: ZoneName): void {
    this.hideFetched.run(name);
    this.putFetchedId.run(null, name);
  }
}
