import { nextTurn } from '../../base/steps.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import { FIRST_GENERATED_ID } from '../../model/generated-row.ts';
import type { DomainRecord } from '../../model/record.ts';
import { recordOctets } from '../../model/stored-octets.ts';
import { MAX_ZONE_OCTETS } from '../../model/write-limits.ts';
import { MAX_REWOUND_CHANGES, type LaterChanges, type PastChange } from '../../writes/rewind-records.ts';
import { serialLead } from '../../dns/serial.ts';
import { isCustomersRecord } from '../customers-rows.ts';
import {
  DOMAIN_COLUMNS,
  pastChangeColumns,
  RECORD_COLUMNS,
  toDomain,
  toPastChange,
  toRecord,
  type DomainRow,
  type PastChangeRow,
  type RecordRow,
} from '../table-rows.ts';
import {
  readLater,
  VIEW_SLICE_OCTETS,
  VIEW_SLICE_RECORDS,
  type OnChangesRead,
  type PastMoment,
  type ZoneView,
} from '../zone-view.ts';
import { closeSnapshot } from './close-snapshot.ts';
import { openDatabase, prepareQuery, type Query, type SqliteDatabase } from './sqlite-driver.ts';
import { StoreUnavailable } from '../../writes/store-errors.ts';

/** Enough for the inner pages; the rows are read only once. */
const VIEW_CACHE_KIB = 2 * 1024;

/** Has a connection of its own, because its open snapshot must not make other reads see old data. */
export class SqliteZoneView implements ZoneView {
  readonly domain: Domain;
  private readonly database: SqliteDatabase;
  private readonly records: Query<RecordRow>;
  private readonly changes: Query<DatedChangeRow>;
  private readonly onClosed: () => void;
  private isOpen = true;

  /**
   * Returns undefined if the domain does not exist or belongs to another account.
   *
   * @param onClosed called when the connection is closed, also if no view was opened
   */
  static open(
    path: string,
    accountId: string,
    name: ZoneName,
    onClosed: () => void,
  ): SqliteZoneView | undefined {
    let view: SqliteZoneView | undefined;
    let database: SqliteDatabase | undefined;
    try {
      database = openDatabase(path, { readOnly: true });
      database.exec(`PRAGMA cache_size = -${VIEW_CACHE_KIB}; BEGIN`);
      const domain = findDomain(database, name);
      if (domain?.accountId === accountId) view = new SqliteZoneView(database, domain, onClosed);
      return view;
    } finally {
      if (view === undefined) {
        if (database !== undefined) closeSnapshot(database);
        onClosed();
      }
    }
  }

  private constructor(database: SqliteDatabase, domain: Domain, onClosed: () => void) {
    this.domain = domain;
    this.database = database;
    this.onClosed = onClosed;
    this.changes = prepareQuery(
      database,
      `SELECT seq, at, ${pastChangeColumns} FROM changes INDEXED BY changes_by_domain
       WHERE domain_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    );
    this.records = prepareQuery(
      database,
      `SELECT ${RECORD_COLUMNS} FROM records INDEXED BY records_by_owner
       WHERE domain_id = ? AND (owner, id) > (?, ?) AND ${isCustomersRecord()} ORDER BY owner, id LIMIT ?`,
    );
  }

  async *slices(): AsyncGenerator<readonly DomainRecord[], void, undefined> {
    let [owner, id] = ['', ''];
    for (let isFirst = true; ; isFirst = false) {
      this.checkOpen();
      const rows = this.readSlice(owner, id);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(toRecord);
      [id, owner] = last;
      if (!isFirst) await nextTurn();
    }
  }

  /** Reads until the slice has its octets, so that a slice of long records takes no more memory than others. */
  private readSlice(owner: string, id: string): readonly RecordRow[] {
    const rows: RecordRow[] = [];
    let octets = 0;
    for (const row of this.records.iterate(this.domain.id, owner, id, VIEW_SLICE_RECORDS)) {
      rows.push(row);
      octets += octetsOfRow(row);
      if (octets >= VIEW_SLICE_OCTETS) break;
    }
    return rows;
  }

  async changesLater(
    moment: PastMoment,
    onRead: OnChangesRead = () => undefined,
  ): Promise<LaterChanges & { readonly serial: number }> {
    const isThen = ({ change: { serial }, atMs }: DatedChange): boolean =>
      'serial' in moment ? serialLead(serial, moment.serial) <= 0 : atMs <= moment.atMs;
    const { later, then, isTooLong } = await this.readBack(isThen, onRead);
    const serial = 'serial' in moment ? moment.serial : (then?.change.serial ?? null);
    return await readLater(this.domain, serial, (found) => ({
      changes: later.filter((change) => serialLead(change.serial, found) > 0).reverse(),
      reachesBack: then !== undefined || isTooLong || later.length > MAX_REWOUND_CHANGES,
      ...(isTooLong && { isTooLong: true as const }),
    }));
  }

  close(): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      closeSnapshot(this.database);
      this.onClosed();
    }
    return Promise.resolve();
  }

  /**
   * Reads changes, newest first, back to the first one that satisfies `isThen` (serials rise with time). Those of signatures
   * tell the serial only.
   */
  private async readBack(isThen: (change: DatedChange) => boolean, onRead: OnChangesRead): Promise<ReadBack> {
    const later: PastChange[] = [];
    let octets = 0;
    for (let before = Number.MAX_SAFE_INTEGER; later.length <= MAX_REWOUND_CHANGES;) {
      this.checkOpen();
      const changes = this.changes.all(this.domain.id, before, VIEW_SLICE_RECORDS).map(toDatedChange);
      const at = changes.findIndex(isThen);
      const past = (at === -1 ? changes : changes.slice(0, at))
        .map(({ change }) => change)
        .filter(isCustomers);
      for (const { before: record } of past) if (record !== null) octets += recordOctets(record);
      onRead(past);
      for (const change of past) later.push(change);
      if (octets > MAX_ZONE_OCTETS) return { later: [], then: undefined, isTooLong: true };
      if (at !== -1) return { later, then: changes[at], isTooLong: false };
      if (changes.length < VIEW_SLICE_RECORDS) break;
      before = changes[changes.length - 1].seq;
      await nextTurn();
    }
    return { later, then: undefined, isTooLong: false };
  }

  private checkOpen(): void {
    if (!this.isOpen) throw new StoreUnavailable('the view was closed before it was read');
  }
}

/** The long columns. */
function octetsOfRow([, , , , data, , , rdata]: RecordRow): number {
  return data.length + rdata.length;
}

function isCustomers({ recordId }: PastChange): boolean {
  return recordId === null || recordId < FIRST_GENERATED_ID;
}

type DatedChangeRow = [seq: number, atMs: number, ...change: PastChangeRow];

interface DatedChange {
  readonly seq: number;
  readonly atMs: number;
  readonly change: PastChange;
}

function toDatedChange([seq, atMs, ...change]: DatedChangeRow): DatedChange {
  return { seq, atMs, change: toPastChange(change) };
}

interface ReadBack {
  readonly later: readonly PastChange[];
  readonly then: DatedChange | undefined;
  /** The changes have more octets than are rewound at once. */
  readonly isTooLong: boolean;
}

function findDomain(database: SqliteDatabase, name: ZoneName): Domain | undefined {
  const domain = prepareQuery<DomainRow>(database, `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE name = ?`);
  const row = domain.get(name);
  return row && toDomain(row);
}
