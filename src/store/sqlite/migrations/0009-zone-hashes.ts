/**
 * The hash of each domain's records (see `src/model/zone-hash.ts`), and the serial that it belongs to. Domains that exist
 * already have none until upkeep has read their records.
 */
export const ZONE_HASHES = `
  ALTER TABLE domains ADD COLUMN content_hash TEXT;
  ALTER TABLE domains ADD COLUMN hashed_serial INTEGER;
`;
