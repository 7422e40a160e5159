/**
 * Fills a new embedded store with the zones of the comparison, by SQL instead of HTTP: ten million records take a
 * minute instead of twenty.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { parseRdata } from '../../src/dns/rdata/rdata.ts';
import { parseRecordType } from '../../src/dns/rdata/record-type-registry.ts';
import { createIdSource } from '../../src/operations/new-id.ts';
import { openStoreFiles } from '../../src/store/sqlite/open-store-files.ts';
import { openDatabase } from '../../src/store/sqlite/sqlite-driver.ts';
import { HOT_APEX, hotZone, smallApex, smallZone, type BenchRecord } from './zones.ts';

const ZONES_A_TRANSACTION = 2000;

export function fillStore(folder: string, zones: number): void {
  mkdirSync(folder, { recursive: true });
  const { path, lock } = openStoreFiles(folder, systemClock.nowMs());
  const database = openDatabase(path);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
  const nextId = createIdSource(systemClock);
  const account = nextId();
  database
    .prepare('INSERT INTO accounts VALUES (?, ?, ?, 1, ?, 0)')
    .run(account, 'bench', 'bench@example.net', zones + 1);
  const addDomain = database.prepare(
    'INSERT INTO domains (id, account_id, name, created_at, serial, record_count) VALUES (?, ?, ?, 1, 1, ?)',
  );
  const addRecord = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, 300, ?)');
  const known = new Map<string, { type: number; rdata: Uint8Array }>();
  const wireOf = ({ type, data }: BenchRecord): { type: number; rdata: Uint8Array } => {
    const wire = known.get(type + data) ?? parseWire(type, data);
    known.set(type + data, wire);
    return wire;
  };
  const addZone = (id: number, name: string, records: readonly BenchRecord[]): void => {
    addDomain.run(id, account, name, records.length);
    for (const record of records) {
      const { type, rdata } = wireOf(record);
      addRecord.run(id, nextId(), record.owner, record.owner, type, record.data, -1, rdata);
    }
  };
  database.exec('BEGIN');
  addZone(1, HOT_APEX, hotZone());
  for (let i = 0; i < zones; i++) {
    addZone(i + 2, smallApex(i), smallZone(i));
    if (i % ZONES_A_TRANSACTION === 0) database.exec('COMMIT; BEGIN');
  }
  database.exec(`UPDATE counters SET last_domain_id = ${zones + 1}, account_count = 1; COMMIT`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  lock.release();
}

function parseWire(mnemonic: string, data: string): { type: number; rdata: Uint8Array } {
  const type = parseRecordType(mnemonic) ?? 0;
  const rdata = parseRdata(type, data);
  if (!rdata.ok) throw new Error(`${mnemonic} ${data}: ${rdata.problem}`);
  return { type, rdata: rdata.value };
}

/** Fills the store of a built checkout with its own code: an earlier version cannot open the store of a later one. */
export async function fillStoreOf(checkout: string, folder: string, zones: number): Promise<void> {
  const module = (await import(join(checkout, 'bench/dns/fill-store.ts'))) as { fillStore: typeof fillStore };
  module.fillStore(folder, zones);
}

/** The data folder, next to the files of the other servers. */
export function storeFolder(folder: string, name = 'zonewright'): string {
  return join(folder, name);
}
