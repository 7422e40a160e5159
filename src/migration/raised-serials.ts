import { laterSerial, nextSerial } from '../dns/serial.ts';
import type { TransferSource } from './migration-ends.ts';
import {
  changesTable,
  columnIndex,
  countersTable,
  domainsTable,
  type TransferCell,
  type TransferRow,
  type TransferTable,
} from './migration-tables.ts';

/** When a backup was taken and when it is restored. */
export interface RestoreTimes {
  readonly takenAtMs: number;
  readonly nowMs: number;
}

/**
 * A backup's content with a later serial for every domain, each with its entry in the feed: secondaries that saw the
 * serials given out after the backup would otherwise take the restored zones for older ones, and ignore them (RFC 1982).
 */
export function withRaisedSerials(backup: TransferSource, times: RestoreTimes): TransferSource {
  const serialIndex = columnIndex(domainsTable, 'serial');
  const raise = (row: TransferRow): TransferRow =>
    row.with(serialIndex, raiseSerial(Number(row[serialIndex]), times));
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

/**
 * A first serial is the time of the domain's creation, and each batch that changes it adds one: as long as that is less
 * than once a second, no serial ever given out is later than the clock. One that was ahead of it already goes on from
 * where it was, a step a second.
 */
export function raiseSerial(serial: number, { takenAtMs, nowMs }: RestoreTimes): number {
  const elapsedSeconds = Math.max(0, Math.ceil((nowMs - takenAtMs) / 1000));
  const nowSeconds = Math.floor(nowMs / 1000) >>> 0;
  return laterSerial(nowSeconds, nextSerial((serial + elapsedSeconds) >>> 0));
}

function mapSlices(
  source: TransferSource,
  table: TransferTable,
  change: (row: TransferRow) => TransferRow,
): () => AsyncGenerator<readonly TransferRow[]> {
  return async function* () {
    for await (const slice of source.slices(table)) yield slice.map(change);
  };
}

async function* raisedCounters(backup: TransferSource): AsyncGenerator<readonly TransferRow[]> {
  const index = columnIndex(countersTable, 'last_seq');
  const domainCount = await backup.rowCount(domainsTable);
  yield* mapSlices(backup, countersTable, (row) => row.with(index, Number(row[index]) + domainCount))();
}

async function* raisedChanges(
  backup: TransferSource,
  domains: AsyncIterable<readonly TransferRow[]>,
  nowMs: number,
): AsyncGenerator<readonly TransferRow[]> {
  yield* backup.slices(changesTable);
  let seq = await lastSeqOf(backup);
  for await (const slice of domains) yield slice.map((domain) => headChange(domain, ++seq, nowMs));
}

async function lastSeqOf(backup: TransferSource): Promise<number> {
  for await (const [row] of backup.slices(countersTable)) {
    return Number(row[columnIndex(countersTable, 'last_seq')]);
  }
  throw new Error('the counters row is missing');
}

/** As a change of the domain itself is written, but by no key. */
function headChange(domain: TransferRow, seq: number, atMs: number): TransferRow {
  const cell = (column: string): TransferCell => domain[columnIndex(domainsTable, column)];
  const head: Readonly<Record<string, TransferCell>> = {
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
