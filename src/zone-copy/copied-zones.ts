import { EMPTY_SUM, HashSum } from '../base/hash-sum.ts';
import type { ZoneName } from '../model/domain.ts';
import type { OwnerKey } from '../model/record.ts';
import type { ServedRecord, ZoneHead } from '../model/zone-update.ts';
import { addZone, subtractZone, zoneHash, type HashedRecord } from '../model/zone-hash.ts';
import {
  bindable,
  prepareQuery,
  type Query,
  type SqliteDatabase,
  type SqliteStatement,
} from '../store/sqlite/sqlite-driver.ts';

/** A domain in the copy. */
export interface CopiedZone {
  /** Its `domainId` is an id of the copy. */
  readonly head: ZoneHead;
  /** The id of the domain in the database. */
  readonly sourceId: number;
  readonly recordCount: number;
  /** The sum of the hashes of its records; undefined: it was copied by an earlier version. */
  readonly content: HashSum | undefined;
  /** Empty if it is not known. No hash covers it, because it decides only about shares of memory. */
  readonly accountId: string;
  /** It is not served. */
  readonly isWithheld: boolean;
}

/** Sorts after every name, because names are printable ASCII. */
export const AFTER_ALL_NAMES = '\u{7f}';

/** The part of a record that the copy keeps. */
export type CopiedRecord = HashedRecord;

type ZoneRow = [
  id: number,
  sourceId: number,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  recordCount: number,
  contentHash: string | null,
  accountId: string,
  withheld: number | null,
];
type RecordRow = [id: string, owner: OwnerKey, type: number, ttl: number, rdata: Uint8Array];
type ServedRow = [type: number, ttl: number, rdata: Uint8Array];

/** Reads and writes the rows of the copy on its writing connection. Opens no transaction itself. */
export class CopiedZones {
  private lastId: number;
  private sum: HashSum;
  /** The sum of the rows up to a name, while the digest is computed again. */
  private walk: { after: string; readonly sum: HashSum } | undefined;
  private readonly selectZone: Query<ZoneRow>;
  private readonly selectById: Query<[name: ZoneName, ...ZoneRow]>;
  private readonly selectNames: Query<[ZoneName, number]>;
  private readonly selectRecords: Query<RecordRow>;
  private readonly selectOwner: Query<ServedRow>;
  private readonly upsertZone: SqliteStatement;
  private readonly deleteZone: SqliteStatement;
  private readonly insertHidden: SqliteStatement;
  private readonly deleteHidden: SqliteStatement;
  private readonly insertRecord: SqliteStatement;
  private readonly deleteRecord: SqliteStatement;

  constructor(database: SqliteDatabase) {
    this.lastId = readLastId(database);
    this.sum = HashSum.parse(readDigest(database));
    this.selectZone = prepareQuery(database, `SELECT ${ZONE_COLUMNS} FROM domains WHERE name = ?`);
    this.selectById = prepareQuery(database, `SELECT name, ${ZONE_COLUMNS} FROM domains WHERE id = ?`);
    this.selectNames = prepareQuery(
      database,
      'SELECT name, id FROM domains WHERE name > ? AND name <= ? ORDER BY name LIMIT ?',
    );
    this.selectRecords = prepareQuery(
      database,
      'SELECT id, owner, type, ttl, rdata FROM records WHERE domain_id = ? AND id > ? ORDER BY id LIMIT ?',
    );
    this.selectOwner = prepareQuery(
      database,
      `SELECT type, ttl, rdata FROM records INDEXED BY records_by_owner
       WHERE domain_id = ? AND owner = ? ORDER BY id`,
    );
    this.upsertZone = database.prepare(
      `INSERT INTO domains (id, name, source_id, serial, soa_primary, soa_email, record_count, content_hash, zone_hash,
         account_id, withheld)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET source_id = excluded.source_id, serial = excluded.serial,
         soa_primary = excluded.soa_primary, soa_email = excluded.soa_email, record_count = excluded.record_count,
         content_hash = excluded.content_hash, zone_hash = excluded.zone_hash, account_id = excluded.account_id,
         withheld = excluded.withheld`,
    );
    this.deleteZone = database.prepare('DELETE FROM domains WHERE id = ?');
    this.insertHidden = database.prepare('INSERT INTO deleted_domains VALUES (?)');
    this.deleteHidden = database.prepare('DELETE FROM deleted_domains WHERE domain_id = ?');
    this.insertRecord = database.prepare(
      'INSERT INTO records (domain_id, id, owner, type, ttl, rdata) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.deleteRecord = database.prepare('DELETE FROM records WHERE domain_id = ? AND id = ?');
  }

  /** Returns an unused id of the copy. */
  newId(): number {
    this.lastId++;
    return this.lastId;
  }

  find(name: ZoneName): CopiedZone | undefined {
    const row = this.selectZone.get(name);
    return row && toZone(name, row);
  }

  /** The sum of the hashes of all zones, as it is with the changes that are not committed yet. */
  get digest(): HashSum {
    return this.sum;
  }

  /** Takes back changes of the digest whose transaction was rolled back. */
  restoreDigest(sum: HashSum): void {
    this.sum = sum;
    this.walk = undefined;
  }

  /** Starts to compute the digest again from the rows, between transactions. */
  startSum(): void {
    this.walk = { after: '', sum: new HashSum() };
  }

  /** Adds the next rows; returns their number, undefined if there are no more. */
  sumMore(limit: number): number | undefined {
    // After a transaction that was rolled back it is not known what the sum contains.
    this.walk ??= { after: '', sum: new HashSum() };
    const { walk } = this;
    const names = this.namesBetween(walk.after, AFTER_ALL_NAMES, limit);
    for (const [name] of names) count(this.find(name), walk.sum, addZone);
    walk.after = names.at(-1)?.[0] ?? AFTER_ALL_NAMES;
    return names.length === 0 ? undefined : names.length;
  }

  /** Takes the computed digest; returns false if it was another before. */
  endSum(): boolean {
    const { walk } = this;
    this.walk = undefined;
    if (walk === undefined || walk.sum.toString() === this.sum.toString()) return true;
    this.sum = walk.sum;
    return false;
  }

  /** Returns the names after one name up to another, in order, with their ids in the copy. */
  namesBetween(after: string, upTo: string, limit: number): readonly [name: ZoneName, id: number][] {
    return this.selectNames.all(after, upTo, limit);
  }

  /** Sorted by record id. */
  recordsAfter(id: number, after: string, limit: number): CopiedRecord[] {
    return this.selectRecords
      .all(id, after, limit)
      .map(([recordId, owner, type, ttl, rdata]) => ({ id: recordId, owner, type, ttl, rdata }));
  }

  /** In creation order. */
  recordsAt(id: number, owner: OwnerKey): ServedRecord[] {
    return this.selectOwner.all(id, owner).map(([type, ttl, rdata]) => ({ type, ttl, rdata }));
  }

  /** Makes the records under this id the content of the domain, with this head. */
  show(zone: CopiedZone): void {
    const { head, sourceId, recordCount, accountId, isWithheld } = zone;
    const { domainId, name, serial, soaPrimary, soaEmail } = head;
    this.countFormer(domainId);
    this.count(zone, addZone);
    const content = zone.content?.toString() ?? null;
    const hash = content === null ? null : zoneHash({ ...head, domainId: sourceId, isWithheld }, content);
    this.upsertZone.run(
      ...[domainId, name, sourceId, serial, soaPrimary, soaEmail, recordCount],
      ...[content, hash, accountId, isWithheld ? 1 : null],
    );
  }

  /** Hides the records under that id from readers; they are purged later. */
  hide(id: number): void {
    this.countFormer(id);
    this.deleteZone.run(id);
    this.insertHidden.run(id);
  }

  /** Reverses `hide`, if the records are not purged yet. */
  keep(id: number): void {
    this.deleteHidden.run(id);
  }

  /** @throws a constraint error if the record exists */
  putRecord(id: number, record: CopiedRecord): void {
    this.insertRecord.run(id, record.id, record.owner, record.type, record.ttl, bindable(record.rdata));
  }

  /** Returns false if there was none. */
  dropRecord(id: number, recordId: string): boolean {
    return Number(this.deleteRecord.run(id, recordId).changes) > 0;
  }

  /** Takes the row of that id, if it exists, out of the digest. */
  private countFormer(id: number): void {
    const row = this.selectById.get(id);
    if (row === undefined) return;
    const [name, ...zone] = row;
    this.count(toZone(name, zone), subtractZone);
  }

  private count(zone: CopiedZone, add: typeof addZone): void {
    count(zone, this.sum, add);
    if (this.walk !== undefined && zone.head.name <= this.walk.after) count(zone, this.walk.sum, add);
  }
}

function count(zone: CopiedZone | undefined, sum: HashSum, add: typeof addZone): void {
  if (zone?.content === undefined) return;
  const { head, sourceId: domainId, isWithheld } = zone;
  add(sum, { ...head, domainId, isWithheld }, zone.content.toString());
}

const ZONE_COLUMNS =
  'id, source_id, serial, soa_primary, soa_email, record_count, content_hash, account_id, withheld';

function toZone(name: ZoneName, row: ZoneRow): CopiedZone {
  const [domainId, sourceId, serial, soaPrimary, soaEmail, recordCount, contentHash, accountId, withheld] =
    row;
  const head = { domainId, name, serial, soaPrimary, soaEmail };
  const content = contentHash === null ? undefined : HashSum.parse(contentHash);
  return { sourceId, recordCount, head, content, accountId, isWithheld: withheld !== null };
}

function readDigest(database: SqliteDatabase): string {
  return prepareQuery<[string]>(database, 'SELECT digest FROM copy').get()?.[0] ?? EMPTY_SUM;
}

function readLastId(database: SqliteDatabase): number {
  const last = (table: string, column: string): number =>
    prepareQuery<[number | null]>(database, `SELECT max(${column}) FROM ${table}`).get()?.[0] ?? 0;
  const used = [last('domains', 'id'), last('deleted_domains', 'domain_id')];
  return Math.max(...used, last('awaited_zones', 'fetched_id'));
}
