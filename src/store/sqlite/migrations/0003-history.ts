/**
 * Further columns for the history of a domain, deleted domains that can be restored, and kept outcomes. Older entries lack
 * these columns and are shown without them; older deleted domains are purged at once.
 */
export const HISTORY = `
  ALTER TABLE changes ADD COLUMN address TEXT;
  ALTER TABLE changes ADD COLUMN note TEXT;
  ALTER TABLE changes ADD COLUMN soa_before TEXT; -- JSON [primary, email]; null where the domain was created

  -- Kept with its records until the history ends; without deleted_at: until its last record is purged.
  ALTER TABLE deleted_domains ADD COLUMN account_id TEXT;
  ALTER TABLE deleted_domains ADD COLUMN name TEXT;
  ALTER TABLE deleted_domains ADD COLUMN created_at INTEGER; -- seconds
  ALTER TABLE deleted_domains ADD COLUMN serial INTEGER;
  ALTER TABLE deleted_domains ADD COLUMN soa_primary TEXT;
  ALTER TABLE deleted_domains ADD COLUMN soa_email TEXT;
  ALTER TABLE deleted_domains ADD COLUMN record_count INTEGER;
  ALTER TABLE deleted_domains ADD COLUMN deleted_at INTEGER; -- milliseconds
  CREATE INDEX deleted_domains_by_account ON deleted_domains (account_id, domain_id);
  CREATE INDEX deleted_domains_by_time ON deleted_domains (deleted_at);

  CREATE TABLE idempotency (
    key_id           TEXT NOT NULL,
    idempotency_key  TEXT NOT NULL,
    request_hash     TEXT NOT NULL,
    outcome          TEXT NOT NULL, -- JSON
    at               INTEGER NOT NULL, -- milliseconds
    PRIMARY KEY (key_id, idempotency_key)
  ) STRICT;
  CREATE INDEX idempotency_by_time ON idempotency (at);
`;
