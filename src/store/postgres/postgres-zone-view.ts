import { nextTurn } from '../../base/steps.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { LaterChanges } from '../../writes/rewind-records.ts';
import { isCustomersRecord } from '../customers-rows.ts';
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

  async *slices(): AsyncGenerator<readonly DomainRecord[], void, undefined> {
    const count = sliceRecords(this.domain);
    // These statements take no parameters.
    const declaration = once(
      `${cursorDeclaration} WHERE domain_id = ${this.domain.id} AND ${isCustomersRecord()} ORDER BY owner, id`,
    );
    const fetch = once(`FETCH ${count} FROM zone_view`);
    for (let isFirst = true; ; isFirst = false) {
      const rows = await this.read<RecordRow>(...(isFirst ? [declaration, fetch] : [fetch]));
      if (!isFirst) await nextTurn();
      if (rows.length > 0) yield rows.map(toRecord);
      if (rows.length < count) return;
    }
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

/** As many records of average length as a slice may have octets. */
function sliceRecords({ recordCount, octets }: Domain): number {
  const fitting = Math.ceil((VIEW_SLICE_OCTETS * recordCount) / Math.max(octets, 1));
  return Math.min(VIEW_SLICE_RECORDS, Math.max(1, fitting));
}

const SERIAL_QUERY = 'SELECT serial FROM changes WHERE domain_id = $1 AND at <= $2 ORDER BY seq DESC LIMIT 1';

const domainQuery = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE name = $1`;

const cursorDeclaration = `DECLARE zone_view NO SCROLL CURSOR FOR SELECT ${RECORD_COLUMNS} FROM records`;
