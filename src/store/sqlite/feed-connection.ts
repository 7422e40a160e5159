import type { ZoneName } from '../../model/domain.ts';
import { FIRST_GENERATED_ID, signaturesId, SOA_OWNER } from '../../model/generated-row.ts';
import { APEX } from '../../model/record-name.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { OwnerContent, ServedRecord, ZoneHead, ZoneUpdate } from '../../model/zone-update.ts';
import { isReplacement } from '../../writes/zone-replacement.ts';
import { closeSnapshot } from './close-snapshot.ts';
import { findVersion } from './open-store-for-reading.ts';
import { openDatabase, prepareQuery, type Query, type SqliteDatabase } from './sqlite-driver.ts';
import { storeTables } from './zone-tables.ts';
import type { FeedRow, FeedRows, TouchedZone } from './touched-zones.ts';

type HeadRow = [
  id: number,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  recordCount: number,
  withheld: string | null,
];

/** The last migration that the queries below need: it added `soa_before`. */
const OLDEST_VERSION = 3;

/**
 * Record data in the update of one zone. Beyond it the zone is read again when it is needed, in slices: putting 4 MiB into a
 * zone in memory takes some 20 ms, during which no other zone is updated.
 */
const MAX_UPDATE_BYTES = 4 * 1024 * 1024;

const APEX_SIGNATURES_ID = signaturesId('');

/** Page cache: the inner pages of the feed and of the index of owners. */
const FEED_CACHE_KIB = 8 * 1024;

/** A read-only connection to the store's file that reads the feed and the rows of what it names. */
export class FeedConnection implements FeedRows {
  private readonly database: SqliteDatabase;
  private readonly lastSeqQuery: Query<[lastSeq: number]>;
  private readonly after: Query<FeedRow>;
  private readonly later: Query<[seq: number]>;
  private readonly head: Query<HeadRow>;
  private readonly apexSignatures: Query<[1]>;
  private readonly records: Query<[type: number, ttl: number, rdata: Uint8Array]>;
  /** Whether the queries know domains that are withheld: the file had the column when it was opened. */
  private readonly knowsWithheld: boolean;

  /**
   * Undefined: there is no store in the file yet, or its tables are about to be brought up to date.
   *
   * @throws StoreOpenError if the file is damaged, belongs to another program or is newer than this program
   */
  static open(path: string): FeedConnection | undefined {
    const version = findVersion(path);
    return version === undefined || version < OLDEST_VERSION ? undefined : new FeedConnection(path);
  }

  private constructor(path: string) {
    this.database = openDatabase(path, { readOnly: true });
    this.database.exec(`PRAGMA cache_size = -${FEED_CACHE_KIB}`);
    this.lastSeqQuery = prepareQuery(this.database, 'SELECT last_seq FROM counters');
    this.after = prepareQuery(
      this.database,
      `SELECT seq, kind, domain_id, domain, owner, soa_before, record_id >= '${FIRST_GENERATED_ID}'
       FROM changes WHERE seq > ? ORDER BY seq LIMIT ?`,
    );
    this.later = prepareQuery(
      this.database,
      `SELECT seq FROM changes INDEXED BY changes_by_domain
       WHERE domain_id = ? AND seq > ? ORDER BY seq LIMIT 1 OFFSET ?`,
    );
    this.knowsWithheld = storeTables(this.database).knowsWithheld;
    const withheld = this.knowsWithheld ? 'withheld' : 'NULL';
    this.head = prepareQuery(
      this.database,
      `SELECT id, serial, soa_primary, soa_email, record_count, ${withheld} FROM domains WHERE name = ?`,
    );
    this.apexSignatures = prepareQuery(this.database, 'SELECT 1 FROM records WHERE domain_id = ? AND id = ?');
    this.records = prepareQuery(
      this.database,
      `SELECT type, ttl, rdata FROM records INDEXED BY records_by_owner
       WHERE domain_id = ? AND owner = ? ORDER BY id`,
    );
  }

  /** The tables have been brought up to date since: the file must be opened again before its next changes are read. */
  isOutdated(): boolean {
    return !this.knowsWithheld && storeTables(this.database).knowsWithheld;
  }

  /** Everything that is read until `end()` is of one moment. */
  begin(): void {
    this.database.exec('BEGIN');
  }

  end(): void {
    // COMMIT would fail on a damaged file.
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  inSnapshot<T>(read: () => T): T {
    this.begin();
    try {
      return read();
    } finally {
      this.end();
    }
  }

  lastSeq(): number {
    return this.lastSeqQuery.get()?.[0] ?? 0;
  }

  changes(after: number, limit: number): readonly FeedRow[] {
    return this.after.all(after, limit);
  }

  seqOfLater(domainId: number, after: number, count: number): number | undefined {
    return this.later.get(domainId, after, count - 1)?.[0];
  }

  isReplacedBy(zone: TouchedZone): boolean {
    const row = this.head.get(zone.name);
    if (row === undefined) return isReplacement(zone.owners.size, 0);
    return isReplacement(this.servedOwners(row[0], zone).size, row[4]);
  }

  /** Updates that make followers read these zones again; none for those that are withheld. */
  replacements(names: readonly ZoneName[]): ZoneUpdate[] {
    return names.flatMap((name): ZoneUpdate[] => {
      const row = this.head.get(name);
      return row === undefined || hasReasons(row) ? [] : [{ kind: 'replaced', head: toHead(name, row) }];
    });
  }

  updatesOf(zone: TouchedZone): ZoneUpdate[] {
    const { name, deletedId, isCreated, isRestored, isReleased, isWithheld } = zone;
    const updates: ZoneUpdate[] = [];
    const row = this.head.get(name);
    if (row !== undefined && hasReasons(row)) {
      const goneId = deletedId ?? (isWithheld ? row[0] : undefined);
      return goneId === undefined ? [] : [{ kind: 'deleted', domainId: goneId, name }];
    }
    // A domain that was deleted and restored is served as it was until it is read.
    const isBack = isRestored && deletedId === row?.[0];
    if (deletedId !== undefined && !isBack) updates.push({ kind: 'deleted', domainId: deletedId, name });
    if (row === undefined) return updates;
    const head = toHead(name, row);
    const owners = this.servedOwners(row[0], zone);
    const isRead = isRestored || isReleased || isReplacement(owners.size, row[4]);
    const contents = isRead ? undefined : this.contentsOf(row[0], owners);
    if (contents === undefined) updates.push({ kind: 'replaced', head });
    else updates.push({ kind: 'changed', head, created: isCreated, owners: contents });
    return updates;
  }

  close(): void {
    closeSnapshot(this.database);
  }

  /**
   * The owners whose served content may have changed. A zone is signed or not by its apex: while a large one is being signed,
   * what is generated at the other names is of no effect, and it is read as a whole when the apex follows.
   */
  private servedOwners(domainId: number, { owners, generatedAt }: TouchedZone): ReadonlySet<OwnerKey> {
    if (generatedAt.size === 0 || this.apexSignatures.get(domainId, APEX_SIGNATURES_ID) !== undefined)
      return owners;
    const isServed = (owner: OwnerKey): boolean =>
      owner === APEX || owner === SOA_OWNER || !generatedAt.has(owner);
    return new Set([...owners].filter(isServed));
  }

  /** Returns undefined if it is too much for an update. */
  private contentsOf(domainId: number, owners: ReadonlySet<OwnerKey>): OwnerContent[] | undefined {
    const contents: OwnerContent[] = [];
    let bytes = 0;
    for (const owner of owners) {
      const records = this.records.all(domainId, owner).map(toServed);
      for (const { rdata } of records) bytes += rdata.length;
      if (bytes > MAX_UPDATE_BYTES) return undefined;
      contents.push({ owner, records });
    }
    return contents;
  }
}

function hasReasons([, , , , , withheld]: HeadRow): boolean {
  return withheld !== null;
}

function toHead(name: ZoneName, [domainId, serial, soaPrimary, soaEmail]: HeadRow): ZoneHead {
  return { domainId, name, serial, soaPrimary, soaEmail };
}

function toServed([type, ttl, rdata]: [type: number, ttl: number, rdata: Uint8Array]): ServedRecord {
  return { type, ttl, rdata };
}
