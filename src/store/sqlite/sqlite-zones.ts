import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { ZoneHead } from '../../model/zone-update.ts';
import type { ZoneSnapshot } from '../store.ts';
import { ServedNames } from './served-names.ts';
import { closeSnapshot } from './close-snapshot.ts';
import { HashSum } from '../../base/hash-sum.ts';
import { addRecord } from '../../model/zone-hash.ts';
import { ZoneDamaged } from '../zone-damage.ts';
import {
  openDatabase,
  prepareQuery,
  type Query,
  type SqliteDatabase,
  type SqlValue,
} from './sqlite-driver.ts';
import { storeTables, type ZoneTables } from './zone-tables.ts';

/** A zone with fewer records, and fewer octets of RDATA, is read at once, in 1 ms; larger ones are streamed. */
const RECORDS_AT_ONCE = 1000;
const OCTETS_AT_ONCE = 262_144;
/** Rows of the first query of a zone: most zones have no more. They take a megabyte at most. */
const FIRST_ROWS = 16;
/** Rows of each further query: 0.6 ms if most of them are on separate pages, so that a slice of a load stays short. */
const MOST_ROWS = 200;

/** Page cache of a connection that reads zones: enough for the inner pages, because a zone is read only once. */
const ZONE_CACHE_KIB = 8 * 1024;

type HeadRow = [
  id: number,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  recordCount: number,
  accountId: string,
  withheld: string | number | null,
  ...hash: SqlValue[],
];
type ServedRow = [owner: OwnerKey, type: number, ttl: number, rdata: Uint8Array, id: string];

/**
 * Reads whole zones for the publisher, on separate connections: an open snapshot of one zone must not make other reads see
 * old data. A zone that is withheld counts as not hosted, and only checks read it. The records of each zone are hashed while they are read: if they are not those that were written, reading ends
 * with `ZoneDamaged`.
 */
export class SqliteZones {
  private readonly path: string;
  private readonly tablesOf: TablesOf;
  private readonly main: ZoneConnection;
  private readonly streams = new Set<ZoneConnection>();

  constructor(path: string, tablesOf: TablesOf = storeTables) {
    this.path = path;
    this.tablesOf = tablesOf;
    this.main = new ZoneConnection(path, tablesOf);
  }

  /** Empty if the domain is not hosted, or the file does not hold its account. */
  accountOf(name: ZoneName): string {
    return this.main.account.get(name)?.[0] ?? '';
  }

  hostedCount(): number {
    return this.main.names.length;
  }

  hostedNames(after: string, limit: number): readonly ZoneName[] {
    return this.main.names.after(after, limit);
  }

  /** The list of names was found damaged; every name that could be read is listed. */
  get isListDamaged(): boolean {
    return this.main.names.isDamaged;
  }

  hosts(name: ZoneName): boolean {
    return this.main.hosts.get(name)?.[0] === null;
  }

  /** As `hostedNames`, with the names of zones that are withheld. */
  storedNames(after: string, limit: number): readonly ZoneName[] {
    return this.main.names.all.after(after, limit);
  }

  /** As `hosts`, also for a zone that is withheld. */
  stores(name: ZoneName): boolean {
    return this.main.hosts.get(name) !== undefined;
  }

  /** Returns at most `limit` heads of served zones after a name, in order; they are not checked. */
  headsAfter(after: string, limit: number): readonly ZoneHead[] {
    return this.main.heads.all(after, limit).map(([name, domainId, serial, soaPrimary, soaEmail]) => ({
      domainId,
      name,
      serial,
      soaPrimary,
      soaEmail,
    }));
  }

  /**
   * The records of a large zone must be read to the end, or their iterator returned; a connection is open until then.
   *
   * @throws ZoneDamaged, as the iterator may at its end
   */
  readZone(name: ZoneName): ZoneSnapshot | undefined {
    return this.read(name, ({ isWithheld }) => !isWithheld);
  }

  /** As `readZone`, also for a zone that is withheld. */
  readStored(name: ZoneName): ZoneSnapshot | undefined {
    return this.read(name, () => true);
  }

  private read(name: ZoneName, isWanted: (found: FoundZone) => boolean): ZoneSnapshot | undefined {
    const small = this.main.snapshot(() => {
      const found = this.main.find(name);
      if (found === undefined || !isWanted(found)) return 'none';
      const { head, accountId, contentHash } = found;
      const rows = this.main.readSmall(head.domainId);
      if (rows === undefined) return 'large';
      const check = new ContentCheck(name, contentHash);
      rows.forEach((row) => check.add(row));
      check.finish();
      return { head, accountId, recordCount: rows.length, records: rows.map(toServed) };
    });
    if (small === 'none') return undefined;
    return small === 'large' ? this.streamZone(name, isWanted) : small;
  }

  close(): void {
    for (const stream of this.streams) this.endStream(stream);
    this.main.close();
  }

  /** Zones that are being read are read to their end. */
  closeWhenRead(): void {
    this.main.close();
  }

  /**
   * The write-ahead log grows with every write while records are being read: some 5 s for a million records, up to four
   * times as long if several zones are read alternately. That only costs disk space until the last reader has finished. A
   * reader that stops without returning the iterator would let the log grow without end.
   */
  private streamZone(name: ZoneName, isWanted: (found: FoundZone) => boolean): ZoneSnapshot | undefined {
    const stream = new ZoneConnection(this.path, this.tablesOf);
    this.streams.add(stream);
    let isOpen = false;
    try {
      stream.database.exec('BEGIN');
      const found = stream.find(name);
      if (found === undefined || !isWanted(found)) return undefined;
      isOpen = true;
      const { head, accountId, contentHash, recordCount } = found;
      const records = this.streamRecords(stream, head.domainId, new ContentCheck(name, contentHash));
      return { head, accountId, recordCount: Math.max(recordCount, RECORDS_AT_ONCE), records };
    } finally {
      if (!isOpen) this.endStream(stream);
    }
  }

  private *streamRecords(stream: ZoneConnection, domainId: number, check: ContentCheck) {
    try {
      for (const rows of stream.readRows(domainId)) {
        for (const row of rows) {
          check.add(row);
          yield toServed(row);
        }
      }
      check.finish();
    } finally {
      this.endStream(stream);
    }
  }

  private endStream(stream: ZoneConnection): void {
    if (this.streams.delete(stream)) stream.close();
  }
}

type TablesOf = (database: SqliteDatabase) => ZoneTables;

interface FoundZone {
  readonly head: ZoneHead;
  readonly recordCount: number;
  readonly accountId: string;
  readonly isWithheld: boolean;
  /** Null: not known. */
  readonly contentHash: string | null;
}

class ZoneConnection {
  readonly database: SqliteDatabase;
  readonly records: Query<ServedRow>;
  readonly names: ServedNames;
  readonly account: Query<[accountId: string]>;
  readonly hosts: Query<[withheld: SqlValue]>;
  readonly heads: Query<
    [name: ZoneName, id: number, serial: number, soaPrimary: string | null, soaEmail: string | null]
  >;
  private readonly tables: ZoneTables;
  private readonly head: Query<HeadRow>;

  constructor(path: string, tablesOf: TablesOf) {
    this.database = openDatabase(path, { readOnly: true });
    this.database.exec(`PRAGMA cache_size = -${ZONE_CACHE_KIB}`);
    this.tables = tablesOf(this.database);
    const { accountColumn, hashColumns, knowsWithheld } = this.tables;
    const withheld = knowsWithheld ? 'withheld' : 'NULL';
    this.head = prepareQuery(
      this.database,
      `SELECT id, serial, soa_primary, soa_email, record_count, ${accountColumn}, ${withheld}, ${hashColumns}
       FROM domains WHERE name = ?`,
    );
    this.records = prepareQuery(
      this.database,
      `SELECT owner, type, ttl, rdata, id FROM records INDEXED BY records_by_owner
       WHERE domain_id = ? AND (owner, id) > (?, ?) ORDER BY owner, id LIMIT ?`,
    );
    this.account = prepareQuery(this.database, `SELECT ${accountColumn} FROM domains WHERE name = ?`);
    this.hosts = prepareQuery(this.database, `SELECT ${withheld} FROM domains WHERE name = ?`);
    this.heads = prepareQuery(
      this.database,
      `SELECT name, id, serial, soa_primary, soa_email FROM domains
       WHERE name > ? AND ${withheld} IS NULL ORDER BY name LIMIT ?`,
    );
    this.names = new ServedNames(this.database, knowsWithheld);
  }

  /** @throws ZoneDamaged */
  find(name: ZoneName): FoundZone | undefined {
    const row = this.head.get(name);
    if (row === undefined) return undefined;
    const [domainId, serial, soaPrimary, soaEmail, recordCount, accountId, withheld, ...hash] = row;
    const head = { domainId, name, serial, soaPrimary, soaEmail };
    const contentHash = this.tables.contentHash(head, hash);
    return { head, recordCount, accountId, isWithheld: withheld !== null, contentHash };
  }

  /** Returns the records of a zone; undefined if they are too many, or too large, to be read at once. */
  readSmall(domainId: number): ServedRow[] | undefined {
    const all: ServedRow[] = [];
    let octets = 0;
    for (const rows of this.readRows(domainId)) {
      all.push(...rows);
      octets += octetsOf(rows);
      if (all.length >= RECORDS_AT_ONCE || octets >= OCTETS_AT_ONCE) return undefined;
    }
    return all;
  }

  /** Reads a zone with several queries. If the rows of one are large, the next one returns fewer. */
  *readRows(domainId: number): Generator<readonly ServedRow[]> {
    let limit = FIRST_ROWS;
    let after: [owner: string, id: string] = ['', ''];
    for (;;) {
      const rows = this.records.all(domainId, ...after, limit);
      if (rows.length > 0) yield rows;
      if (rows.length < limit) return;
      const [owner, , , , id] = rows[rows.length - 1];
      after = [owner, id];
      const fitting = Math.floor((OCTETS_AT_ONCE * rows.length) / Math.max(1, octetsOf(rows)));
      limit = Math.min(MOST_ROWS, Math.max(1, fitting));
    }
  }

  snapshot<T>(read: () => T): T {
    this.database.exec('BEGIN');
    try {
      return read();
    } finally {
      // COMMIT would fail on a damaged file.
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
    }
  }

  close(): void {
    closeSnapshot(this.database);
  }
}

/** Compares the records of a zone, one after the other, with the hash that they must have. */
class ContentCheck {
  private readonly zone: ZoneName;
  private readonly expected: string | null;
  private readonly sum = new HashSum();

  /** @param expected null: not known */
  constructor(zone: ZoneName, expected: string | null) {
    this.zone = zone;
    this.expected = expected;
  }

  add([owner, type, ttl, rdata, id]: ServedRow): void {
    if (this.expected === null) return;
    try {
      addRecord(this.sum, { id, owner, type, ttl, rdata });
    } catch (error) {
      // A damaged page may hold values of other types and lengths.
      throw new ZoneDamaged(this.zone, error);
    }
  }

  finish(): void {
    if (this.expected !== null && this.sum.toString() !== this.expected) throw new ZoneDamaged(this.zone);
  }
}

/** A damaged page may hold values of other types; they count as nothing. */
function octetsOf(rows: readonly ServedRow[]): number {
  let octets = 0;
  for (const [, , , rdata] of rows) octets += rdata instanceof Uint8Array ? rdata.length : 0;
  return octets;
}

function toServed([owner, type, ttl, rdata]: ServedRow) {
  return { owner, type, ttl, rdata };
}
