/**
 * The uses of each key of a domain (null: all, as a key that stands alone), its origin (null: it was made here), and the
 * rollover that it takes part in; the time since which signing of a domain is being withdrawn.
 */
export const KEY_ROLLOVERS = `
  ALTER TABLE domains ADD COLUMN withdrawn_at INTEGER; -- seconds
  ALTER TABLE deleted_domains ADD COLUMN withdrawn_at INTEGER;
  ALTER TABLE zone_keys ADD COLUMN uses INTEGER; -- a sum of keyUse
  ALTER TABLE zone_keys ADD COLUMN origin TEXT; -- made, imported, foreign
  ALTER TABLE zone_keys ADD COLUMN rollover TEXT; -- JSON
  CREATE INDEX zone_keys_in_rollover ON zone_keys (domain_id) WHERE rollover IS NOT NULL;
`;
