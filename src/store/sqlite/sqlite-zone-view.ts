import type { Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { LaterChanges } from '../../model/rewind-records.ts';
import {
  domainColumns,
  recordColumns,
  toDomain,
  toRecord,
  type DomainRow,
  type RecordRow,
} from '../table-rows.ts';
import { StoreUnavailable } from '../store.ts';
import { readLater, VIEW_SLICE_RECORDS, type PastMoment, type ZoneView } from '../zone-view.ts';
import { createLaterChanges } from './sqlite-row-reader.ts';
import { openDatabase, prepareQuery, type Query, type SqliteDatabase } from './sqlite-driver.ts';

/** Inner pages alone: the rows are read once. */
const VIEW_CACHE_KIB = 2 * 1024;

/** A connection of its own for as long as it is open: half-read, it must not make other readers see the past. */
export class SqliteZoneView implements ZoneView {
  readonly domain: Domain;
  private readonly database: SqliteDatabase;
  private readonly records: Query<RecordRow>;
  private readonly serialAt: Query<[serial: number]>;
  private isOpen = true;

  /** Undefined where there is no such domain, or another account's. */
  static open(path: string, accountId: string, name: ZoneName): SqliteZoneView | undefined {
    const database = openDatabase(path, { readOnly: true });
    try {
      database.exec(`PRAGMA cache_size = -${VIEW_CACHE_KIB}; BEGIN`);
      const row = prepareQuery<DomainRow>(
        database,
        `SELECT ${domainColumns} FROM domains WHERE name = ?`,
      ).get(name);
      const domain = row && toDomain(row);
      if (domain?.accountId === accountId) return new SqliteZoneView(database, domain);
    } catch (error) {
      database.close();
      throw error;
    }
    database.close();
    return undefined;
  }

  private constructor(database: SqliteDatabase, domain: Domain) {
    this.domain = domain;
    this.database = database;
    this.serialAt = prepareQuery(
      database,
      `SELECT serial FROM changes INDEXED BY changes_by_domain
       WHERE domain_id = ? AND at <= ? ORDER BY seq DESC LIMIT 1`,
    );
    this.records = prepareQuery(
      database,
      `SELECT ${recordColumns} FROM records INDEXED BY records_by_owner
       WHERE domain_id = ? AND (owner, id) > (?, ?) ORDER BY owner, id LIMIT ?`,
    );
  }

  async *slices(): AsyncGenerator<readonly DomainRecord[], void, undefined> {
    let [owner, id] = ['', ''];
    for (;;) {
      if (!this.isOpen) throw new StoreUnavailable('the view was closed before it was read');
      const rows = this.records.all(this.domain.id, owner, id, VIEW_SLICE_RECORDS);
      if (rows.length > 0) yield rows.map(toRecord);
      const last = rows.at(-1);
      if (last === undefined || rows.length < VIEW_SLICE_RECORDS) return;
      [id, owner] = last;
      await new Promise(setImmediate);
    }
  }

  async changesLater(moment: PastMoment): Promise<LaterChanges & { readonly serial: number }> {
    const { id } = this.domain;
    const serial = 'serial' in moment ? moment.serial : (this.serialAt.get(id, moment.atMs)?.[0] ?? null);
    const readChanges = createLaterChanges(this.database);
    return await readLater(this.domain, serial, (found) => readChanges(id, found));
  }

  close(): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      // Closing alone would leave the view open until its statements are collected.
      this.database.exec('COMMIT');
      this.database.close();
    }
    return Promise.resolve();
  }
}
