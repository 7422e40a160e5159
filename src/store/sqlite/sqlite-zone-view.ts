import { nextTurn } from '../../base/steps.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import { FIRST_GENERATED_ID, SOA_ID } from '../../model/generated-row.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import { recordOctets } from '../../model/stored-octets.ts';
import { MAX_ZONE_OCTETS } from '../../model/write-limits.ts';
import { MAX_REWOUND_CHANGES, type LaterChanges, type PastChange } from '../../writes/rewind-records.ts';
import { serialLead } from '../../dns/serial.ts';
import {
  CHAIN_COLUMNS,
  chainIds,
  nextChainId,
  signaturesIds,
  toHashedRows,
  toNamedRows,
  type ChainRow,
  type StoredChainRow,
} from '../chain-rows.ts';
import { isAtServedOwner, isCustomersRecord } from '../customers-rows.ts';
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
  type Slices,
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
  }

  slices(): Slices<DomainRecord> {
    return this.recordSlices(isCustomersRecord());
  }

  servedSlices(): Slices<DomainRecord> {
    return this.recordSlices(isAtServedOwner());
  }

  async *chainSlices(): Slices<ChainRow> {
    const { id: domainId, name, denial } = this.domain;
    if (denial === null) return;
    const { from, to } = chainIds(denial);
    const query = prepareQuery<StoredChainRow>(
      this.database,
      `SELECT ${CHAIN_COLUMNS} FROM records WHERE domain_id = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?`,
    );
    const signatures = prepareQuery<[rdata: Uint8Array]>(
      this.database,
      'SELECT rdata FROM records WHERE domain_id = ? AND id = ?',
    );
    const apex = ownerDomainName(APEX, name);
    for (let next = from, isFirst = true; ; isFirst = false) {
      this.checkOpen();
      const rows = readSlice(query.iterate(domainId, next, to, VIEW_SLICE_RECORDS), octetsOfChainRow);
      const last = rows.at(-1);
      if (last === undefined) return;
      if (denial === 'nsec') yield toNamedRows(rows);
      else {
        const ids = signaturesIds(
          rows.map(([, owner]) => owner),
          apex,
        );
        yield toHashedRows(rows, (at) => signatures.get(domainId, ids[at])?.[0]);
      }
      next = nextChainId(last[0]);
      if (!isFirst) await nextTurn();
    }
  }

  async findSignedSoa(): Promise<DomainRecord | undefined> {
    this.checkOpen();
    const query = `SELECT ${RECORD_COLUMNS} FROM records WHERE domain_id = ? AND id = ?`;
    const row = prepareQuery<RecordRow>(this.database, query).get(this.domain.id, SOA_ID);
    return await Promise.resolve(row && toRecord(row));
  }

  /** @param condition on the rows that are read */
  private async *recordSlices(condition: string): Slices<DomainRecord> {
    const query = prepareQuery<RecordRow>(
      this.database,
      `SELECT ${RECORD_COLUMNS} FROM records INDEXED BY records_by_owner
       WHERE domain_id = ? AND (owner, id) > (?, ?) AND ${condition} ORDER BY owner, id LIMIT ?`,
    );
    let [owner, id] = ['', ''];
    for (let isFirst = true; ; isFirst = false) {
      this.checkOpen();
      const rows = readSlice(query.iterate(this.domain.id, owner, id, VIEW_SLICE_RECORDS), octetsOfRow);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(toRecord);
      [id, owner] = last;
      if (!isFirst) await nextTurn();
    }
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

/** Reads until the slice has its octets, so that a slice of long rows takes no more memory than others. */
function readSlice<Row>(found: Iterable<Row>, octetsOf: (row: Row) => number): readonly Row[] {
  const rows: Row[] = [];
  let octets = 0;
  for (const row of found) {
    rows.push(row);
    octets += octetsOf(row);
    if (octets >= VIEW_SLICE_OCTETS) break;
  }
  return rows;
}

function octetsOfChainRow([, , rdata]: StoredChainRow): number {
  return rdata.length;
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
