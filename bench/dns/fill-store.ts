/**
 * Fills a new embedded store with the zones of the comparison, by SQL instead of HTTP: ten million records take a
 * minute instead of twenty.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { HashSum } from '../../src/base/hash-sum.ts';
import { parseRdata } from '../../src/dns/rdata/rdata.ts';
import { parseRecordType } from '../../src/dns/rdata/record-type-registry.ts';
import { openKeySecrets } from '../../src/dnssec/key-secrets.ts';
import { createZoneKey } from '../../src/dnssec/private-key.ts';
import { nextRenewalSeconds } from '../../src/dnssec/signature-times.ts';
import type { ZoneKey } from '../../src/dnssec/zone-key.ts';
import type { OwnerKey } from '../../src/model/record.ts';
import { addRecord, type HashedRecord } from '../../src/model/zone-hash.ts';
import { createIdSource } from '../../src/operations/new-id.ts';
import { openStoreFiles } from '../../src/store/sqlite/open-store-files.ts';
import { openDatabase, type SqliteDatabase } from '../../src/store/sqlite/sqlite-driver.ts';
import { generatedRows, type RowSigning } from './signed-rows.ts';
import { zonesOf, type BenchRecord, type BenchZone, type ZoneSet } from './zones.ts';

const ZONES_A_TRANSACTION = 2000;
const TTL_SECONDS = 300;
/** Seals the key of the signed zones. */
const SECRET = 'the-secret-of-the-benchmarks-which-is-no-secret';

/** @param count of small zones, or of the names of the large zone: see `ZoneSet` */
export function fillStore(
  folder: string,
  count: number,
  set: ZoneSet = 'unsigned',
  signing = benchSigning(),
): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'dnssec.key'), `${SECRET}\n`, { mode: 0o600 });
  const { path, lock } = openStoreFiles(folder, systemClock.nowMs());
  const database = openDatabase(path);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
  const addZone = createZoneWriter(database, signing);
  database.exec('BEGIN');
  let domains = 0;
  for (const zone of zonesOf(set, count)) {
    addZone(++domains, zone);
    if (domains % ZONES_A_TRANSACTION === 0) database.exec('COMMIT; BEGIN');
  }
  database.exec(`UPDATE accounts SET domain_count = ${domains}`);
  database.exec(`UPDATE counters SET last_domain_id = ${domains}, account_count = 1; COMMIT`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  lock.release();
}

/** All signed zones have the same key. */
export function benchSigning(): RowSigning {
  const nowSeconds = Math.floor(systemClock.nowMs() / 1000);
  const id = createIdSource(systemClock)();
  const wanted = { id, algorithm: 13, createdAtSeconds: nowSeconds } as const;
  return { key: createZoneKey(wanted, openKeySecrets([SECRET])), nowSeconds };
}

function createZoneWriter(
  database: SqliteDatabase,
  signing: RowSigning,
): (id: number, zone: BenchZone) => void {
  const nextId = createIdSource(systemClock);
  const account = nextId();
  database
    .prepare(
      'INSERT INTO accounts (id, name, email, created_at, domain_count, key_count) VALUES (?, ?, ?, 1, 0, 0)',
    )
    .run(account, 'bench', 'bench@example.net');
  const addDomain = database.prepare(
    `INSERT INTO domains
       (id, account_id, name, created_at, serial, record_count, denial, renew_at, content_hash, hashed_serial)
     VALUES (?, ?, ?, 1, 1, ?, ?, ?, ?, 1)`,
  );
  const insertRecord = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addKey = createKeyWriter(database, signing.key);
  const wireOf = createWireCache();
  return (domainId, zone) => {
    const { apex, records, denial = null } = zone;
    const hash = new HashSum();
    const put = ({ id, owner, type, ttl, rdata }: HashedRecord, name: string, data: string): void => {
      insertRecord.run(domainId, id, owner, name, type, data, -1, ttl, rdata);
      addRecord(hash, { id, owner, type, ttl, rdata });
    };
    for (const record of records) {
      const owner = record.owner as OwnerKey;
      put({ ...wireOf(record), id: nextId(), owner, ttl: TTL_SECONDS }, owner, record.data);
    }
    if (denial !== null) {
      addKey(domainId);
      for (const row of generatedRows(zone, domainId, signing)) put(row, '', '');
    }
    const renewAt = denial === null ? null : nextRenewalSeconds(domainId, signing.nowSeconds);
    addDomain.run(domainId, account, apex, records.length, denial, renewAt, hash.toString());
  };
}

function createKeyWriter(database: SqliteDatabase, key: ZoneKey): (domainId: number) => void {
  const add = database.prepare(
    `INSERT INTO zone_keys (domain_id, id, algorithm, flags, tag, dnskey, sealed, secret_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const { id, algorithm, flags, tag, dnskey, sealed, secretId, createdAtSeconds } = key;
  return (domainId) => {
    add.run(domainId, id, algorithm, flags, tag, dnskey, sealed, secretId, createdAtSeconds);
  };
}

/** A wire form is parsed once. */
export function createWireCache(): (record: BenchRecord) => { type: number; rdata: Uint8Array } {
  const known = new Map<string, { type: number; rdata: Uint8Array }>();
  return ({ type, data }) => {
    const wire = known.get(type + data) ?? parseWire(type, data);
    known.set(type + data, wire);
    return wire;
  };
}

function parseWire(mnemonic: string, data: string): { type: number; rdata: Uint8Array } {
  const type = parseRecordType(mnemonic) ?? 0;
  const rdata = parseRdata(type, data);
  if (!rdata.ok) throw new Error(`${mnemonic} ${data}: ${rdata.problem}`);
  return { type, rdata: rdata.value };
}

/** Fills the store of a built checkout with its own code: an earlier version cannot open the store of a later one. */
export async function fillStoreOf(
  checkout: string,
  folder: string,
  count: number,
  set: ZoneSet,
): Promise<void> {
  const module = (await import(join(checkout, 'bench/dns/fill-store.ts'))) as { fillStore: typeof fillStore };
  module.fillStore(folder, count, set);
}

/** The data folder, next to the files of the other servers. */
export function storeFolder(folder: string, name = 'zonewright'): string {
  return join(folder, name);
}
