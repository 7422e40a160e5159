/**
 * The same as in `sqlite/migrations/0012-key-rollovers.ts`. Processes of the previous version sign with the oldest key of a
 * domain alone: all processes must be updated before a key is added.
 */
export const KEY_ROLLOVERS = `
  ALTER TABLE domains ADD COLUMN withdrawn_at BIGINT; -- seconds
  ALTER TABLE deleted_domains ADD COLUMN withdrawn_at BIGINT;
  ALTER TABLE zone_keys ADD COLUMN uses INTEGER; -- a sum of keyUse
  ALTER TABLE zone_keys ADD COLUMN origin TEXT COLLATE "C"; -- made, imported, foreign
  ALTER TABLE zone_keys ADD COLUMN rollover TEXT; -- JSON
  CREATE INDEX zone_keys_in_rollover ON zone_keys (domain_id) WHERE rollover IS NOT NULL;
`;
