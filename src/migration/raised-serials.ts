import { laterSerial, nextSerial } from '../dns/serial.ts';
import type { StoreContent } from './store-content.ts';
import {
  changesTable,
  columnIndex,
  countersTable,
  domainsTable,
  type Cell,
  type Row,
  type StoreTable,
} from './store-tables.ts';

export interface RestoreTimes {
  readonly takenAtMs: number;
  readonly nowMs: number;
}

/**
 * Returns the content of a backup with a later serial for every domain, and a feed entry for each. Otherwise secondaries
 * that saw serials published after the backup would ignore the restored zones as older ones (RFC 1982).
 */
export function withRaisedSerials(backup: StoreContent, times: RestoreTimes): StoreContent {
  const serialIndex = columnIndex(domainsTable, 'serial');
  const raise = (row: Row): Row =>
    signedSoon(row.with(serialIndex, raiseSerial(Number(row[serialIndex]), times)));
  const domains = mapSlices(backup, domainsTable, raise);
  return {
    async rowCount(table) {
      const added = table === changesTable ? await backup.rowCount(domainsTable) : 0;
      return (await backup.rowCount(table)) + added;
    },
    slices(table) {
      if (table === domainsTable) return domains();
      if (table === countersTable) return raisedCounters(backup);
      if (table === changesTable) return raisedChanges(backup, domains(), times.nowMs);
      return backup.slices(table);
    },
  };
}

/** The signature of the SOA is of the serial before: the domain is to be signed at once. The new serial is its revision. */
function signedSoon(domain: Row): Row {
  const renewAt = columnIndex(domainsTable, 'renew_at');
  const due = domain[renewAt] === null ? domain : domain.with(renewAt, 0);
  return due.with(columnIndex(domainsTable, 'revised_serial'), null);
}

/**
 * Returns a serial later than any published since the backup. The first serial of a domain is its creation time in seconds,
 * and each batch that changes the domain adds one. With less than one change per second a serial never gets ahead of the
 * clock; a serial that was ahead of the clock in the backup is raised by one for each second since then.
 */
export function raiseSerial(serial: number, { takenAtMs, nowMs }: RestoreTimes): number {
  const elapsedSeconds = Math.max(0, Math.ceil((nowMs - takenAtMs) / 1000));
  const nowSeconds = Math.floor(nowMs / 1000) >>> 0;
  return laterSerial(nowSeconds, nextSerial((serial + elapsedSeconds) >>> 0));
}

function mapSlices(
  source: StoreContent,
  table: StoreTable,
  change: (row: Row) => Row,
): () => AsyncGenerator<readonly Row[]> {
  return async function* () {
    for await (const slice of source.slices(table)) yield slice.map(change);
  };
}

async function* raisedCounters(backup: StoreContent): AsyncGenerator<readonly Row[]> {
  const index = columnIndex(countersTable, 'last_seq');
  const domainCount = await backup.rowCount(domainsTable);
  yield* mapSlices(backup, countersTable, (row) => row.with(index, Number(row[index]) + domainCount))();
}

async function* raisedChanges(
  backup: StoreContent,
  domains: AsyncIterable<readonly Row[]>,
  nowMs: number,
): AsyncGenerator<readonly Row[]> {
  yield* backup.slices(changesTable);
  let seq = await lastSeqOf(backup);
  for await (const slice of domains) yield slice.map((domain) => headChange(domain, ++seq, nowMs));
}

async function lastSeqOf(backup: StoreContent): Promise<number> {
  for await (const [row] of backup.slices(countersTable)) {
    return Number(row[columnIndex(countersTable, 'last_seq')]);
  }
  throw new Error('the counters row is missing');
}

/** Builds the feed entry of a change to the domain itself, made by no API key. */
function headChange(domain: Row, seq: number, atMs: number): Row {
  const cell = (column: string): Cell => domain[columnIndex(domainsTable, column)];
  const head: Readonly<Record<string, Cell>> = {
    seq,
    at: atMs,
    kind: 'domainPut',
    domain_id: cell('id'),
    domain: cell('name'),
    serial: cell('serial'),
    key_id: '',
    soa_primary: cell('soa_primary'),
    soa_email: cell('soa_email'),
  };
  return changesTable.columns.map(({ name }) => head[name] ?? null);
}
