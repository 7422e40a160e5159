import { HashSum } from '../../base/hash-sum.ts';
import type { OwnerKey } from '../../model/record.ts';
import { addRecord } from '../../model/zone-hash.ts';
import { prepareQuery, type SqliteDatabase } from './sqlite-driver.ts';

/** Domains or records in a slice: some 2 ms. */
const SLICE_ROWS = 500;

interface OpenZone {
  readonly id: number;
  readonly serial: number;
  readonly sum: HashSum;
  afterId: string;
}

type DomainRow = [id: number, serial: number, contentHash: string | null, hashedSerial: number | null];
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
  const domains = prepareQuery<DomainRow>(
    database,
    `SELECT id, serial, content_hash, hashed_serial FROM domains WHERE id > ? ORDER BY id LIMIT ${SLICE_ROWS}`,
  );
  const serialOf = prepareQuery<[serial: number]>(database, 'SELECT serial FROM domains WHERE id = ?');
  const records = prepareQuery<RecordRow>(
    database,
    `SELECT id, owner, type, ttl, rdata FROM records WHERE domain_id = ? AND id > ? ORDER BY id LIMIT ${SLICE_ROWS}`,
  );
  const put = database.prepare(
    'UPDATE domains SET content_hash = ?, hashed_serial = serial WHERE id = ? AND serial = ?',
  );
  const added: number[] = [];
  let afterId = 0;
  let open: OpenZone | undefined;
  let isComplete = false;

  const findZone = (): void => {
    const rows = domains.all(afterId);
    const found = rows.find(([, serial, hash, hashed]) => hash === null || hashed !== serial);
    afterId = (found ?? rows.at(-1))?.[0] ?? afterId;
    isComplete = rows.length < SLICE_ROWS && found === undefined;
    if (found !== undefined) open = { id: found[0], serial: found[1], sum: new HashSum(), afterId: '' };
  };

  const openAdded = (id: number): void => {
    const serial = serialOf.get(id)?.[0];
    if (serial !== undefined) open = { id, serial, sum: new HashSum(), afterId: '' };
  };

  const hashSlice = (zone: OpenZone): void => {
    const serial = serialOf.get(zone.id)?.[0];
    if (serial !== zone.serial) {
      // It has changed since the last slice, or is gone.
      open = serial === undefined ? undefined : { id: zone.id, serial, sum: new HashSum(), afterId: '' };
      return;
    }
    const rows = records.all(zone.id, zone.afterId);
    for (const [id, owner, type, ttl, rdata] of rows) addRecord(zone.sum, { id, owner, type, ttl, rdata });
    zone.afterId = rows.at(-1)?.[0] ?? zone.afterId;
    if (rows.length === SLICE_ROWS) return;
    put.run(zone.sum.toString(), zone.id, zone.serial);
    open = undefined;
  };

  return {
    runSlice() {
      const next = open === undefined ? added.pop() : undefined;
      if (next !== undefined) openAdded(next);
      else if (open !== undefined) hashSlice(open);
      else if (isComplete) return false;
      else findZone();
      return true;
    },
    add: (domainId) => added.push(domainId),
  };
}
