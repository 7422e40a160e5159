import { zoneHash } from '../model/zone-hash.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite-driver.ts';
import { domainColumns, type ZoneTables } from '../store/sqlite/zone-tables.ts';
import { ZoneDamaged } from '../store/zone-damage.ts';

/** How the copy keeps the hash of a zone: a row proves itself, and its records. */
export function copyTables(database: SqliteDatabase): ZoneTables {
  // A damaged copy of an earlier version is served as it is, until it has been made again.
  const knowsWithheld = domainColumns(database).has('withheld');
  return {
    accountColumn: 'account_id',
    knowsWithheld,
    hashColumns: `source_id, content_hash, zone_hash, ${knowsWithheld ? 'withheld' : 'NULL'}`,
    contentHash(head, [sourceId, contentHash, hash, withheld]) {
      if (contentHash === null && hash === null) return null;
      const hashed = { ...head, domainId: Number(sourceId), isWithheld: withheld !== null };
      if (typeof contentHash !== 'string' || zoneHash(hashed, contentHash) !== hash)
        throw new ZoneDamaged(head.name);
      return contentHash;
    },
  };
}
