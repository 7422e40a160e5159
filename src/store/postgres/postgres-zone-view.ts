import { nextTurn } from '../../base/steps.ts';
import type { Domain, ZoneName } from '../../model/domain.ts';
import type { DomainRecord } from '../../model/record.ts';
import type { LaterChanges } from '../../writes/rewind-records.ts';
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
import type { PostgresAddress } from './postgres-address.ts';
import { connectToTables } from './migrate.ts';
import type { PostgresConnection, PostgresValue, SessionLimits } from './postgres-connection.ts';
import { toReadError, toStoreError } from './postgres-errors.ts';
import { laterChangesQuery, toLaterChanges, type LaterChangeRow } from './row-queries.ts';

/** A slice may have to wait for a cold disk, and a slow client needs time between two slices. */
const viewLimits: SessionLimits = { statementMs: 10_000, lockMs: 1000, idleInTransactionMs: 60_000 };

/** Uses one REPEATABLE READ transaction on a connection of its own. */
export class PostgresZoneView implements ZoneView {
  readonly domain: Domain;
  private readonly connection: PostgresConnection;

  /** Returns undefined if the domain does not exist or belongs to another account. @throws StoreUnavailable */
  static async open(
    address: PostgresAddress,
    accountId: string,
    name: ZoneName,
  ): Promise<PostgresZoneView | undefined> {
    const connection = await connectToTables(address, viewLimits).catch((error: unknown) => {
      throw toReadError(error);
    });
    try {
      await read(connection, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const domain = (await read<DomainRow>(connection, domainQuery, [name])).map(toDomain).at(0);
      if (domain?.accountId === accountId) return new PostgresZoneView(connection, domain);
    } catch (error) {
      connection.destroy();
      throw error;
    }
    await connection.close();
    return undefined;
  }

  private constructor(connection: PostgresConnection, domain: Domain) {
    this.connection = connection;
    this.domain = domain;
  }

  async *slices(): AsyncGenerator<readonly DomainRecord[], void, undefined> {
    // This statement takes no parameters.
    await read(
      this.connection,
      `${cursorDeclaration} WHERE domain_id = ${this.domain.id} ORDER BY owner, id`,
    );
    const count = sliceRecords(this.domain);
    for (let isFirst = true; ; isFirst = false) {
      const rows = await read<RecordRow>(this.connection, `FETCH ${count} FROM zone_view`);
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
      const rows = await read<LaterChangeRow>(this.connection, laterChangesQuery, [[id], [found]]);
      const later = toLaterChanges(rows);
      onRead(later.changes);
      return later;
    });
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async serialAt(atMs: number): Promise<number | null> {
    const rows = await read<[serial: number]>(this.connection, SERIAL_QUERY, [this.domain.id, atMs]);
    return rows.at(0)?.[0] ?? null;
  }
}

/** As many records of average length as a slice may have octets. */
function sliceRecords({ recordCount, octets }: Domain): number {
  const fitting = Math.ceil((VIEW_SLICE_OCTETS * recordCount) / Math.max(octets, 1));
  return Math.min(VIEW_SLICE_RECORDS, Math.max(1, fitting));
}

const SERIAL_QUERY = 'SELECT serial FROM changes WHERE domain_id = $1 AND at <= $2 ORDER BY seq DESC LIMIT 1';

const domainQuery = `SELECT ${DOMAIN_COLUMNS} FROM domains WHERE name = $1`;

const cursorDeclaration = `DECLARE zone_view NO SCROLL CURSOR FOR SELECT ${RECORD_COLUMNS} FROM records`;

async function read<Row>(
  connection: PostgresConnection,
  text: string,
  values: readonly PostgresValue[] = [],
): Promise<Row[]> {
  try {
    return (await connection.query<Row>(text, values)).rows;
  } catch (error) {
    throw toStoreError(error);
  }
}
