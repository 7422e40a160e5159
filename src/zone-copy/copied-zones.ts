import type { ZoneName } from '../model/domain.ts';
import type { DomainRecord, OwnerKey } from '../model/record.ts';
import type { ServedRecord, ZoneHead } from '../model/zone-update.ts';
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
}

/** Sorts after every name, because names are printable ASCII. */
export const AFTER_ALL_NAMES = '\u{7f}';

/** The part of a record that the copy keeps. */
export type CopiedRecord = Pick<DomainRecord, 'id' | 'owner' | 'type' | 'ttl' | 'rdata'>;

type ZoneRow = [
  id: number,
  sourceId: number,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  recordCount: number,
];
type RecordRow = [id: string, owner: OwnerKey, type: number, ttl: number, rdata: Uint8Array];
type ServedRow = [type: number, ttl: number, rdata: Uint8Array];

/** Reads and writes the rows of the copy on its writing connection. Opens no transaction itself. */
export class CopiedZones {
  private lastId: number;
  private readonly selectZone: Query<ZoneRow>;
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
    this.selectZone = prepareQuery(
      database,
      'SELECT id, source_id, serial, soa_primary, soa_email, record_count FROM domains WHERE name = ?',
    );
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
      `INSERT INTO domains (id, name, source_id, serial, soa_primary, soa_email, record_count)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET source_id = excluded.source_id, serial = excluded.serial,
         soa_primary = excluded.soa_primary, soa_email = excluded.soa_email, record_count = excluded.record_count`,
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
    if (row === undefined) return undefined;
    const [domainId, sourceId, serial, soaPrimary, soaEmail, recordCount] = row;
    return { sourceId, recordCount, head: { domainId, name, serial, soaPrimary, soaEmail } };
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
  show({ head, sourceId, recordCount }: CopiedZone): void {
    const { domainId, name, serial, soaPrimary, soaEmail } = head;
    this.upsertZone.run(domainId, name, sourceId, serial, soaPrimary, soaEmail, recordCount);
  }

  /** Hides the records under that id from readers; they are purged later. */
  hide(id: number): void {
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
}

function readLastId(database: SqliteDatabase): number {
  const last = (table: string, column: string): number =>
    prepareQuery<[number | null]>(database, `SELECT max(${column}) FROM ${table}`).get()?.[0] ?? 0;
  return Math.max(last('domains', 'id'), last('deleted_domains', 'domain_id'));
}
