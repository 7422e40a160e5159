import type { ZoneName } from '../../model/domain.ts';
import type { OwnerKey } from '../../model/record.ts';
import type { ZoneHead } from '../../model/zone-update.ts';
import type { ZoneSnapshot } from '../store.ts';
import { closeSnapshot } from './close-snapshot.ts';
import { openDatabase, prepareQuery, type Query, type SqliteDatabase } from './sqlite-driver.ts';

/** A smaller zone is read with one query, in 1 ms; larger ones are streamed with constant memory. */
const RECORDS_AT_ONCE = 1000;
/** Rows per query of a streamed zone: 0.6 ms if most rows are on separate pages, so that a slice of a load stays short. */
const STREAMED_AT_ONCE = 200;

/** Page cache of a connection that reads zones: enough for the inner pages, because a zone is read only once. */
const ZONE_CACHE_KIB = 8 * 1024;

type HeadRow = [
  id: number,
  serial: number,
  soaPrimary: string | null,
  soaEmail: string | null,
  recordCount: number,
];
type ServedRow = [owner: OwnerKey, type: number, ttl: number, rdata: Uint8Array, id: string];

/**
 * Reads whole zones for the publisher, on separate connections: an open snapshot of one zone must not make other reads see
 * old data.
 */
export class SqliteZones {
  private readonly path: string;
  private readonly main: ZoneConnection;
  private readonly streams = new Set<ZoneConnection>();

  constructor(path: string) {
    this.path = path;
    this.main = new ZoneConnection(path);
  }

  hostedCount(): number {
    return this.main.count.get()?.[0] ?? 0;
  }

  hostedNames(after: string, limit: number): readonly ZoneName[] {
    return this.main.names.all(after, limit).map(([name]) => name);
  }

  /** The records of a large zone must be read to the end, or their iterator returned; a connection is open until then. */
  readZone(name: ZoneName): ZoneSnapshot | undefined {
    const small = this.main.snapshot(() => {
      const head = this.main.head.get(name);
      if (head === undefined) return 'none';
      const rows = this.main.records.all(head[0], '', '', RECORDS_AT_ONCE);
      if (rows.length === RECORDS_AT_ONCE) return 'large';
      return { head: toHead(name, head), recordCount: rows.length, records: rows.map(toServed) };
    });
    if (small === 'none') return undefined;
    return small === 'large' ? this.streamZone(name) : small;
  }

  close(): void {
    for (const stream of this.streams) this.endStream(stream);
    this.main.close();
  }

  /**
   * The write-ahead log grows with every write while records are being read: some 5 s for a million records, up to four
   * times as long if several zones are read alternately. That only costs disk space until the last reader has finished. A
   * reader that stops without returning the iterator would let the log grow without end.
   */
  private streamZone(name: ZoneName): ZoneSnapshot | undefined {
    const stream = new ZoneConnection(this.path);
    this.streams.add(stream);
    stream.database.exec('BEGIN');
    const head = stream.head.get(name);
    if (head !== undefined) {
      const records = this.streamRecords(stream, head[0]);
      return { head: toHead(name, head), recordCount: Math.max(head[4], RECORDS_AT_ONCE), records };
    }
    this.endStream(stream);
    return undefined;
  }

  private *streamRecords(stream: ZoneConnection, domainId: number) {
    const readAfter = (last: ServedRow | undefined): ServedRow[] =>
      stream.records.all(domainId, last?.[0] ?? '', last?.[4] ?? '', STREAMED_AT_ONCE);
    try {
      for (let rows = readAfter(undefined); rows.length > 0; rows = readAfter(rows.at(-1))) {
        for (const row of rows) yield toServed(row);
      }
    } finally {
      this.endStream(stream);
    }
  }

  private endStream(stream: ZoneConnection): void {
    if (this.streams.delete(stream)) stream.close();
  }
}

class ZoneConnection {
  readonly database: SqliteDatabase;
  readonly head: Query<HeadRow>;
  readonly records: Query<ServedRow>;
  readonly names: Query<[ZoneName]>;
  readonly count: Query<[domains: number]>;

  constructor(path: string) {
    this.database = openDatabase(path, { readOnly: true });
    this.database.exec(`PRAGMA cache_size = -${ZONE_CACHE_KIB}`);
    this.head = prepareQuery(
      this.database,
      'SELECT id, serial, soa_primary, soa_email, record_count FROM domains WHERE name = ?',
    );
    this.records = prepareQuery(
      this.database,
      `SELECT owner, type, ttl, rdata, id FROM records INDEXED BY records_by_owner
       WHERE domain_id = ? AND (owner, id) > (?, ?) ORDER BY owner, id LIMIT ?`,
    );
    this.count = prepareQuery(this.database, 'SELECT count(*) FROM domains');
    this.names = prepareQuery(this.database, 'SELECT name FROM domains WHERE name > ? ORDER BY name LIMIT ?');
  }

  snapshot<T>(read: () => T): T {
    this.database.exec('BEGIN');
    try {
      return read();
    } finally {
      this.database.exec('COMMIT');
    }
  }

  close(): void {
    closeSnapshot(this.database);
  }
}

function toHead(name: ZoneName, [domainId, serial, soaPrimary, soaEmail]: HeadRow): ZoneHead {
  return { domainId, name, serial, soaPrimary, soaEmail };
}

function toServed([owner, type, ttl, rdata]: ServedRow) {
  return { owner, type, ttl, rdata };
}
