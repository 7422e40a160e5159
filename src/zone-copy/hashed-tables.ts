import { zoneHash } from '../model/zone-hash.ts';
import type { ZoneTables } from '../store/sqlite/zone-tables.ts';
import { ZoneDamaged } from '../store/zone-damage.ts';

/** How the copy keeps the hash of a zone: a row proves itself, and its records. */
export function copyTables(): ZoneTables {
  return {
    accountColumn: 'account_id',
    hashColumns: 'source_id, content_hash, zone_hash',
    contentHash(head, [sourceId, contentHash, hash]) {
      if (contentHash === null && hash === null) return null;
      const isRight =
        typeof contentHash === 'string' &&
        zoneHash({ ...head, domainId: Number(sourceId) }, contentHash) === hash;
      if (!isRight) throw new ZoneDamaged(head.name);
      return contentHash;
    },
  };
}
