import { HashSum } from '../../base/hash-sum.ts';
import type { OwnerKey } from '../../model/record.ts';
import { addRecord } from '../../model/zone-hash.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

/** Records in a slice: some 2 ms. */
const SLICE_ROWS = 500;

/** Domains that are looked at in a slice, to find those without a hash: some 2 ms, as almost always there is none. */
const LOOKED_AT_ROWS = 5000;

interface OpenZone {
  readonly id: number;
  readonly serial: number;
  readonly sum: HashSum;
  afterId: string;
}

type RecordRow = [id: string, owner: OwnerKey, type: number, ttl: number, rdata: Uint8Array];

export interface ZoneHashing {
  /** Runs one slice inside the transaction of the caller; returns false if nothing was left to do. */
  runSlice(): boolean;
  /** Adds a domain that the pass may have missed. */
  add(domainId: number): void;
}

/**
 * Finds the hashes of domains that have none, those of a store of an earlier version or of a move or restore: one pass over
 * all domains, one slice per call.
 */
export function createZoneHashing(database: SqliteDatabase): ZoneHashing {
  const lastId = prepareQuery<[id: number | null]>(database, 'SELECT max(id) FROM domains');
  const unhashed = prepareQuery<[id: number]>(
    database,
    `SELECT id FROM domains WHERE id BETWEEN ?1 AND ?1 + ${LOOKED_AT_ROWS - 1}
     AND (content_hash IS NULL OR hashed_serial IS NOT serial)`,
  );
  const serialOf = prepareQuery<[serial: number]>(database, 'SELECT serial FROM domains WHERE id = ?');
  const records = prepareQuery<RecordRow>(
    database,
    `SELECT id, owner, type, ttl, rdata FROM records WHERE domain_id = ? AND id > ? ORDER BY id LIMIT ${SLICE_ROWS}`,
  );
  const put = database.prepare(
    'UPDATE domains SET content_hash = ?, hashed_serial = serial WHERE id = ? AND serial = ?',
  );
  /** Domains to be hashed. */
  const due: number[] = [];
  let nextId = 1;
  let open: OpenZone | undefined;

  const isComplete = (): boolean => nextId > (lastId.get()?.[0] ?? 0);

  const findDue = (): void => {
    for (const [id] of unhashed.all(nextId)) due.push(id);
    nextId += LOOKED_AT_ROWS;
  };

  const openZone = (id: number): OpenZone | undefined => {
    const serial = serialOf.get(id)?.[0];
    return serial === undefined ? undefined : { id, serial, sum: new HashSum(), afterId: '' };
  };

  /** Returns the number of records that were read. */
  const hashPart = (zone: OpenZone): number => {
    if (serialOf.get(zone.id)?.[0] !== zone.serial) {
      // It has changed since the last slice, or is gone.
      open = openZone(zone.id);
      return 0;
    }
    const rows = records.all(zone.id, zone.afterId);
    for (const [id, owner, type, ttl, rdata] of rows) addRecord(zone.sum, { id, owner, type, ttl, rdata });
    zone.afterId = rows.at(-1)?.[0] ?? zone.afterId;
    if (rows.length < SLICE_ROWS) {
      put.run(zone.sum.toString(), zone.id, zone.serial);
      open = undefined;
    }
    return rows.length;
  };

  return {
    runSlice() {
      if (open === undefined && due.length === 0) {
        if (isComplete()) return false;
        findDue();
        return true;
      }
      for (let rows = 0; rows < SLICE_ROWS && (open !== undefined || due.length > 0); rows++) {
        open ??= openZone(due.pop() ?? 0);
        if (open !== undefined) rows += hashPart(open);
      }
      return true;
    },
    add: (domainId) => due.push(domainId),
  };
}
