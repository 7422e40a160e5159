import { nextTurn } from '../../base/steps.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import { SOA_ID } from '../../model/generated-row.ts';
import { APEX, ownerDomainName } from '../../model/record-name.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { LaterChanges } from '../../writes/rewind-records.ts';
import {
  CHAIN_COLUMNS,
  chainIds,
  signaturesIds,
  toHashedRows,
  toNamedRows,
  type ChainRow,
  type StoredChainRow,
} from '../chain-rows.ts';
import { isAtServedOwner, isCustomersRecord } from '../customers-rows.ts';
import {
  DOMAIN_COLUMNS,
  RECORD_COLUMNS,
  toDomain,
  toRecord,
  type DomainRow,
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
import { StoreUnavailable } from '../../writes/store-errors.ts';
import type { PostgresConnection, Statement } from './postgres-connection.ts';
import { toReadError, toStoreError } from './postgres-errors.ts';
import { laterChangesQuery, toLaterChanges, type LaterChangeRow } from './row-queries.ts';
import type { ViewConnections } from './view-connections.ts';

/** Uses one REPEATABLE READ transaction on a connection that no other view has meanwhile. */
export class PostgresZoneView implements ZoneView {
  readonly domain: Domain;
  private readonly connections: ViewConnections;
  private readonly connection: PostgresConnection;
  private isOpen = true;
  /** Cursors that have been read to their ends. */
  private readonly ended = new Set<string>();

  /** Returns undefined if the domain does not exist or belongs to another account. @throws StoreUnavailable */
  static async open(
    connections: ViewConnections,
    accountId: string,
    name: ZoneName,
  ): Promise<PostgresZoneView | undefined> {
    try {
      return await connections.begin(async (connection) => {
        const [, { rows }] = await connection.pipeline([
          { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' },
          { text: domainQuery, values: [name] },
        ]);
        const domain = (rows as unknown as DomainRow[]).map(toDomain).at(0);
        if (domain?.accountId === accountId) return new PostgresZoneView(connections, connection, domain);
        await connections.end(connection);
        return undefined;
      });
    } catch (error) {
      throw toReadError(error);
    }
  }

  private constructor(connections: ViewConnections, connection: PostgresConnection, domain: Domain) {
    this.connections = connections;
    this.connection = connection;
    this.domain = domain;
  }

  slices(): Slices<DomainRecord> {
    return this.recordSlices(isCustomersRecord());
  }

  servedSlices(): Slices<DomainRecord> {
    return this.recordSlices(isAtServedOwner());
  }

  async *chainSlices(): Slices<ChainRow> {
    const { id, name, denial } = this.domain;
    if (denial === null) return;
    const { from, to } = chainIds(denial);
    const declaration = `DECLARE zone_chain NO SCROLL CURSOR FOR SELECT ${CHAIN_COLUMNS} FROM records
      WHERE domain_id = ${id} AND id >= '${from}' AND id < '${to}' ORDER BY id`;
    const apex = ownerDomainName(APEX, name);
    const size = { first: FIRST_CHAIN_ROWS, most: VIEW_SLICE_RECORDS, octetsOf: octetsOfChainRow };
    for await (const rows of this.fetchSlices<StoredChainRow>('zone_chain', declaration, size)) {
      if (denial === 'nsec') yield toNamedRows(rows);
      else {
        const ids = signaturesIds(
          rows.map(([, owner]) => owner),
          apex,
        );
        const statement = { text: SIGNATURES_QUERY, values: [id, ids] };
        const found = new Map(await this.read<[id: string, rdata: Uint8Array]>(statement));
        yield toHashedRows(rows, (at) => found.get(ids[at]));
      }
    }
  }

  async findSignedSoa(): Promise<DomainRecord | undefined> {
    const rows = await this.read<RecordRow>({ text: ROW_QUERY, values: [this.domain.id, SOA_ID] });
    return rows.map(toRecord).at(0);
  }

  async changesLater(
    moment: PastMoment,
    onRead: OnChangesRead = () => undefined,
  ): Promise<LaterChanges & { readonly serial: number }> {
    const { id } = this.domain;
    const serial = 'serial' in moment ? moment.serial : await this.serialAt(moment.atMs);
    return await readLater(this.domain, serial, async (found) => {
      const rows = await this.read<LaterChangeRow>({ text: laterChangesQuery, values: [[id], [found]] });
      const later = toLaterChanges(rows);
      onRead(later.changes);
      return later;
    });
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.connections.end(this.connection);
  }

  /** @param condition on the rows that are read */
  private async *recordSlices(condition: string): Slices<DomainRecord> {
    // These statements take no parameters.
    const declaration = `${cursorDeclaration} WHERE domain_id = ${this.domain.id} AND ${condition} ORDER BY owner, id`;
    const most = sliceRecords(this.domain);
    const slices = this.fetchSlices<RecordRow>('zone_view', declaration, {
      first: most,
      most,
      octetsOf: octetsOfRow,
    });
    for await (const rows of slices) yield rows.map(toRecord);
  }

  /** If the rows of a slice are long, the next one has fewer. */
  private async *fetchSlices<Row>(
    cursor: string,
    declaration: string,
    { first, most, octetsOf }: SliceSize<Row>,
  ): Slices<Row> {
    let count = first;
    for (let isFirst = true; ; isFirst = false) {
      const fetch = once(`FETCH ${count} FROM ${cursor}`);
      const rows = await this.read<Row>(
        ...(isFirst ? [...this.declare(cursor, declaration), fetch] : [fetch]),
      );
      if (!isFirst) await nextTurn();
      if (rows.length > 0) yield rows;
      if (rows.length < count) break;
      let octets = 0;
      for (const row of rows) octets += octetsOf(row);
      count = Math.min(most, fittingRows(rows.length, octets));
    }
    this.ended.add(cursor);
  }

  /** A cursor that has been read to its end makes room for another one of its name. */
  private declare(cursor: string, declaration: string): Statement[] {
    return [...(this.ended.delete(cursor) ? [once(`CLOSE ${cursor}`)] : []), once(declaration)];
  }

  private async serialAt(atMs: number): Promise<number | null> {
    const rows = await this.read<[serial: number]>({ text: SERIAL_QUERY, values: [this.domain.id, atMs] });
    return rows.at(0)?.[0] ?? null;
  }

  /** Returns the rows of the last statement. After the end of the view, another one may have the connection. */
  private async read<Row>(...statements: Statement[]): Promise<Row[]> {
    if (!this.isOpen) throw new StoreUnavailable('the view was closed before it was read');
    try {
      const results = await this.connection.pipeline(statements);
      return (results.at(-1)?.rows ?? []) as unknown[] as Row[];
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

function once(text: string): Statement {
  return { text, isOnce: true };
}

interface SliceSize<Row> {
  /** Rows of the first slice. */
  readonly first: number;
  /** The most rows of any slice. */
  readonly most: number;
  readonly octetsOf: (row: Row) => number;
}

/** A row of a chain has up to 64 KB: a first slice of so many takes a megabyte at most, and tells how long they are. */
const FIRST_CHAIN_ROWS = 16;

/** As many records of average length as a slice may have octets. */
function sliceRecords({ recordCount, octets }: Domain): number {
  return Math.min(VIEW_SLICE_RECORDS, fittingRows(recordCount, octets));
}

/** @param octets of so many rows */
function fittingRows(rows: number, octets: number): number {
  return Math.max(1, Math.ceil((VIEW_SLICE_OCTETS * rows) / Math.max(octets, 1)));
}

/** The long columns. */
function octetsOfRow([, , , , data, , , rdata]: RecordRow): number {
  return data.length + rdata.length;
}

function octetsOfChainRow([, , rdata]: StoredChainRow): number {
  return rdata.length;
}

const SERIAL_QUERY = 'SELECT serial FROM changes WHERE domain_id = $1 AND at <= $2 ORDER BY seq DESC LIMIT 1';

const domainQuery = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE name = $1`;

const cursorDeclaration = `DECLARE zone_view NO SCROLL CURSOR FOR SELECT ${RECORD_COLUMNS} FROM records`;

const SIGNATURES_QUERY = 'SELECT id, rdata FROM records WHERE domain_id = $1 AND id = ANY ($2::text[])';

const ROW_QUERY = `SELECT ${RECORD_COLUMNS} FROM records WHERE domain_id = $1 AND id = $2`;
